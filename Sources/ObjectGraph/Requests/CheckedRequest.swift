import Foundation

/// A request that was checked and fits the model. It can run as SQL and in memory.
public struct CheckedRequest: Sendable {
  /// The request that was checked.
  public let request: ObjectFetchRequest
  /// The requested entity.
  public let entity: Entity
  /// The entities whose objects are requested, none of them abstract.
  public let entities: [Entity]
  var predicate: CheckedPredicate
  let order: [Order]
  /// The columns of rows; nil unless the request is for dictionaries.
  var rows: Rows?

  struct Order: Sendable {
    enum Source: Sendable {
      case input(Input)
      /// The value of a column or a group.
      case name(String)
    }

    let source: Source
    let isAscending: Bool
    let fold: TextOptions
  }

  /// A value of an object that a request needs.
  struct Input: Hashable, Sendable {
    let path: ValuePath
    /// Nil for an object.
    let type: AttributeType?
  }

  /// The shape of dictionary rows.
  struct Rows: Sendable {
    struct Column: Sendable {
      enum Content: Sendable {
        case input(Input)
        case function(AggregateFunction, Input)
        /// How many objects of the row match the predicate.
        case count(CheckedPredicate)
        /// The number of an object's members.
        case members(ElementSource)
      }

      let name: String
      var content: Content

      /// Nil for an object.
      var type: AttributeType? {
        switch content {
        case .input(let input): input.type
        case .function(.count, _), .count, .members: .integer
        case .function(.average, _): .double
        case .function(_, let input): input.type
        }
      }
    }

    var columns: [Column]
    let groups: [Column]
    var having: CheckedPredicate?

    /// Whether groups, functions or counts combine several objects into one row.
    let isGrouped: Bool
  }

  /// Checks a request against a model.
  /// - Throws: ``ObjectGraphError/unknownEntity(_:)``, ``ObjectGraphError/predicate(_:)``,
  ///   ``ObjectGraphError/badRequest(field:)`` or ``ObjectGraphError/wrongKind(key:)``.
  public init(_ request: ObjectFetchRequest, model: ObjectModel) throws(ObjectGraphError) {
    let entity = try model.entity(request.entity)
    let checker = RequestChecker(request: request, entity: entity)
    self.request = request
    self.entity = entity
    entities = entity.concreteFamily(includingChildren: request.includesSubentities)
    predicate = try checker.predicate()
    try checker.checkFields()
    rows = try checker.rows()
    order = try checker.order(rows)
    try checker.checkPrefetch()
  }
}

extension CheckedRequest {
  /// Evaluates the whole request in memory, on a reader.
  /// - Throws: errors of the reader.
  public func result(in reader: any GraphReader) throws -> FetchResult {
    let inputs = RequestInputs(self)
    return try ResultAssembler(self, inputs: inputs).result(
      // Only mapped stores keep deleted rows, and SQL finds them.
      try rows(of: request.onlyDeleted ? [] : try reader.objects(of: entities), inputs, reader))
  }

  /// Returns those of the objects that match the predicate, with the values of the inputs.
  func rows(of objects: [ObjectID], _ inputs: RequestInputs, _ reader: any GraphReader) throws -> [InputRow] {
    try objects.compactMap { object in
      var evaluator = ConditionEvaluator(.object(object), reader: reader, patterns: predicate.patterns)
      guard try evaluator.evaluate(predicate.condition) == true else { return nil }
      return InputRow(object: object, values: try inputs.entries.map { try evaluator.value(of: $0) })
    }
  }
}

extension ConditionEvaluator {
  fileprivate mutating func value(of entry: RequestInputs.Entry) throws -> Value {
    switch entry {
    case .value(let input): try value(at: input.path)
    case .memberCount(let source): try value(of: .count(source, where: nil))
    case .truth(let predicate): try evaluate(predicate.condition).map { .boolean($0) } ?? .null
    }
  }
}

/// The values that a request needs of each object: those of its sort keys and of its columns.
struct RequestInputs: Sendable {
  enum Entry: Sendable {
    case value(CheckedRequest.Input)
    case memberCount(ElementSource)
    case truth(CheckedPredicate)

    /// Nil for an object.
    var type: AttributeType? {
      switch self {
      case .value(let input): input.type
      case .memberCount: .integer
      case .truth: .boolean
      }
    }
  }

  private(set) var entries: [Entry] = []
  private var values: [CheckedRequest.Input: Int] = [:]
  /// The indexes of the values of counts and member counts, by the name of the column.
  private var columns: [String: Int] = [:]

  init() {}

  init(_ request: CheckedRequest) {
    for order in request.order {
      if case .input(let input) = order.source { add(input) }
    }
    for column in (request.rows?.groups ?? []) + (request.rows?.columns ?? []) {
      switch column.content {
      case .input(let input), .function(_, let input): add(input)
      case .count(let predicate): add(.truth(predicate), of: column)
      case .members(let source): add(.memberCount(source), of: column)
      }
    }
  }

  private mutating func add(_ input: CheckedRequest.Input) {
    guard values[input] == nil else { return }
    values[input] = entries.count
    entries.append(.value(input))
  }

  private mutating func add(_ entry: Entry, of column: CheckedRequest.Rows.Column) {
    columns[column.name] = entries.count
    entries.append(entry)
  }

  func index(of input: CheckedRequest.Input) -> Int { values[input] ?? 0 }

  /// Returns the index of the value that a column is computed from.
  func index(of column: CheckedRequest.Rows.Column) -> Int {
    switch column.content {
    case .input(let input), .function(_, let input): index(of: input)
    case .count, .members: columns[column.name] ?? 0
    }
  }
}

/// An object that matches the predicate, with the values of the inputs.
struct InputRow: Sendable {
  let object: ObjectID
  let values: [Value]
}
