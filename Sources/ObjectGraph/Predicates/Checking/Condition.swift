/// A predicate with resolved names and checked kinds, for the evaluator and the SQL compiler.
indirect enum Condition: Sendable {
  /// True, false, or unknown if nil.
  case constant(Bool?)
  case not(Condition)
  case and([Condition])
  case or([Condition])
  /// Whether the value is absent; never unknown.
  case isNil(Operand)
  case equal(Operand, Operand, TextOptions)
  case ordered(Operand, OrderTest, Operand, TextOptions)
  /// An OR of equalities; false for an empty list.
  case isIn(Operand, [Value], TextOptions)
  case text(Operand, TextTest, Operand, TextOptions)
  /// Never unknown. The condition is evaluated for each element.
  case quantified(PredicateComparison.Quantifier, ElementSource, Condition)

  enum OrderTest: Sendable { case less, lessOrEqual, greater, greaterOrEqual }

  enum TextTest: Sendable { case begins, ends, contains, like, matches }
}

/// A value of a condition.
indirect enum Operand: Sendable {
  case constant(Value)
  case path(ValuePath)
  /// The number of elements, or of those that match the condition.
  case count(ElementSource, where: Condition?)
  /// An aggregate of the values at the end of a path from each element.
  case aggregate(AggregateFunction, ElementSource, ValuePath)
  case function(PredicateFunction, [Operand])
}

/// Where a path begins.
enum PathRoot: Hashable, Sendable {
  /// The object or row that is tested, or the value that a rule is about.
  case object
  /// The element of the source at this level. Nested sources have ascending levels.
  case element(Int)
}

/// A path to one value: through to-one relationships to an attribute or an object.
struct ValuePath: Hashable, Sendable {
  enum End: Hashable, Sendable {
    /// The object itself.
    case object
    case attribute(EntityAttribute)
    /// A column of a grouped row.
    case column(String)
    /// The value that the rule of an attribute is about.
    case value
  }

  var root: PathRoot
  var relationships: [Relationship] = []
  var end: End
}

/// The elements of a path that ends in a to-many relationship and may go through others.
struct ElementSource: Hashable, Sendable {
  let root: PathRoot
  let relationships: [Relationship]
  /// The level of its elements.
  let level: Int
}

/// The kinds of values; only values of the same kind can be compared.
enum ValueKind: Hashable, Sendable {
  case number, text, date, data, uuid, object

  init(_ type: AttributeType) {
    switch type {
    case .integer, .double, .boolean: self = .number
    case .string: self = .text
    case .date: self = .date
    case .data: self = .data
    case .uuid: self = .uuid
    }
  }

  /// Nil for `.null`, which fits every kind.
  init?(_ value: Value) {
    switch value {
    case .null: return nil
    case .integer, .double, .boolean: self = .number
    case .string: self = .text
    case .date: self = .date
    case .data: self = .data
    case .uuid: self = .uuid
    case .object: self = .object
    }
  }

  var isOrdered: Bool {
    switch self {
    case .number, .text, .date, .data: true
    case .uuid, .object: false
    }
  }
}

extension CheckedRequest {
  /// Returns the request with temporary ids in its predicates replaced by those that a save assigned.
  func resolving(_ resolve: (ObjectID) -> ObjectID) -> CheckedRequest {
    var request = self
    request.predicate.condition = predicate.condition.resolving(resolve)
    for index in (rows?.columns ?? []).indices {
      guard case .count(var predicate)? = rows?.columns[index].content else { continue }
      predicate.condition = predicate.condition.resolving(resolve)
      request.rows?.columns[index].content = .count(predicate)
    }
    if let having = rows?.having { request.rows?.having?.condition = having.condition.resolving(resolve) }
    return request
  }
}

extension Condition {
  fileprivate func resolving(_ resolve: (ObjectID) -> ObjectID) -> Condition {
    switch self {
    case .constant: self
    case .not(let condition): .not(condition.resolving(resolve))
    case .and(let conditions): .and(conditions.map { $0.resolving(resolve) })
    case .or(let conditions): .or(conditions.map { $0.resolving(resolve) })
    case .isNil(let operand): .isNil(operand.resolving(resolve))
    case .equal(let left, let right, let options): .equal(left.resolving(resolve), right.resolving(resolve), options)
    case .ordered(let left, let test, let right, let options):
      .ordered(left.resolving(resolve), test, right.resolving(resolve), options)
    case .isIn(let operand, let values, let options):
      .isIn(operand.resolving(resolve), values.map { $0.resolving(resolve) }, options)
    case .text(let left, let test, let right, let options):
      .text(left.resolving(resolve), test, right.resolving(resolve), options)
    case .quantified(let quantifier, let source, let condition):
      .quantified(quantifier, source, condition.resolving(resolve))
    }
  }
}

extension Operand {
  fileprivate func resolving(_ resolve: (ObjectID) -> ObjectID) -> Operand {
    switch self {
    case .constant(let value): .constant(value.resolving(resolve))
    case .path, .aggregate: self
    case .count(let source, where: let condition): .count(source, where: condition?.resolving(resolve))
    case .function(let function, let operands): .function(function, operands.map { $0.resolving(resolve) })
    }
  }
}

extension Value {
  fileprivate func resolving(_ resolve: (ObjectID) -> ObjectID) -> Value {
    if case .object(let id) = self { .object(resolve(id)) } else { self }
  }
}
