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
