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
    case attribute(Attribute)
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
    case .number, .text, .date: true
    case .data, .uuid, .object: false
    }
  }
}
