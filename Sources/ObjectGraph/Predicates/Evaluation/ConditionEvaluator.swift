extension CheckedPredicate {
  /// Returns whether the predicate is true for an object; nil if it is unknown.
  /// - Throws: errors of the reader.
  public func evaluate(_ object: ObjectID, in reader: any GraphReader) throws -> Bool? {
    var evaluator = ConditionEvaluator(.object(object), reader: reader, patterns: patterns)
    return try evaluator.evaluate(condition)
  }

  /// Returns whether the predicate is true for a value, which is SELF in the predicate; nil if it is unknown.
  public func evaluate(_ value: Value) throws -> Bool? {
    var evaluator = ConditionEvaluator(.value(value), reader: EmptyGraph(), patterns: patterns)
    return try evaluator.evaluate(condition)
  }

  /// Returns whether the predicate is true for a row; nil if it is unknown.
  func evaluate(_ row: [String: Value]) throws -> Bool? {
    var evaluator = ConditionEvaluator(.row(row), reader: EmptyGraph(), patterns: patterns)
    return try evaluator.evaluate(condition)
  }
}

/// A reader without objects: a value or a row has no relationships.
private struct EmptyGraph: GraphReader {
  func value(of attribute: EntityAttribute, in object: ObjectID) -> Value { .null }
  func object(of relationship: Relationship, in object: ObjectID) -> ObjectID? { nil }
  func objects(of relationship: Relationship, in object: ObjectID) -> [ObjectID] { [] }
  func objects(of entities: [Entity]) -> [ObjectID] { [] }
}

/// Evaluates conditions in memory, with three-valued logic.
struct ConditionEvaluator {
  enum Subject {
    case object(ObjectID)
    case value(Value)
    case row([String: Value])
  }

  private let subject: Subject
  private let reader: any GraphReader
  private let patterns: PatternCache
  /// The current element of each level.
  private var elements: [Int: ObjectID] = [:]

  init(_ subject: Subject, reader: any GraphReader, patterns: PatternCache) {
    self.subject = subject
    self.reader = reader
    self.patterns = patterns
  }

  mutating func evaluate(_ condition: Condition) throws -> Bool? {
    switch condition {
    case .constant(let truth): return truth
    case .not(let condition): return try evaluate(condition).map { !$0 }
    case .and(let conditions): return try join(conditions, decisive: false)
    case .or(let conditions): return try join(conditions, decisive: true)
    case .isNil(let operand): return try value(of: operand).isNull
    case .equal(let left, let right, let options):
      return try folded(left, options).isEqual(to: folded(right, options))
    case .ordered(let left, let test, let right, let options):
      return try folded(left, options).order(to: folded(right, options)).map(test.accepts)
    case .isIn(let operand, let values, let options): return try isIn(operand, values, options)
    case .text(let left, let test, let right, let options):
      return test.evaluate(try value(of: left), try value(of: right), options, patterns)
    case .quantified(let quantifier, let source, let condition):
      return try evaluate(quantifier, source, condition)
    }
  }

  /// Evaluates AND, which one false condition decides, or OR, which one true condition decides. Otherwise the result is
  /// unknown if any condition is unknown.
  private mutating func join(_ conditions: [Condition], decisive: Bool) throws -> Bool? {
    var isUnknown = false
    for condition in conditions {
      switch try evaluate(condition) {
      case decisive: return decisive
      case nil: isUnknown = true
      default: break
      }
    }
    return isUnknown ? nil : !decisive
  }

  private mutating func isIn(_ operand: Operand, _ values: [Value], _ options: TextOptions) throws -> Bool? {
    let left = try folded(operand, options)
    var isUnknown = false
    for value in values {
      switch left.isEqual(to: value.folded(options)) {
      case true: return true
      case nil: isUnknown = true
      default: break
      }
    }
    return isUnknown ? nil : false
  }

  private mutating func evaluate(
    _ quantifier: PredicateComparison.Quantifier, _ source: ElementSource, _ condition: Condition
  ) throws -> Bool {
    // An element whose condition is unknown does not pass.
    for element in try objects(of: source) {
      elements[source.level] = element
      let isTrue = try evaluate(condition) == true
      switch quantifier {
      case .any: if isTrue { return true }
      case .all: if !isTrue { return false }
      case .none: if isTrue { return false }
      }
    }
    return quantifier != .any
  }

  // MARK: Values

  private mutating func folded(_ operand: Operand, _ options: TextOptions) throws -> Value {
    try value(of: operand).folded(options)
  }

  mutating func value(of operand: Operand) throws -> Value {
    switch operand {
    case .constant(let value): return value
    case .path(let path): return try value(at: path)
    case .count(let source, where: nil): return .integer(Int64(try objects(of: source).count))
    case .count(let source, where: .some(let condition)):
      var count: Int64 = 0
      for element in try objects(of: source) {
        elements[source.level] = element
        if try evaluate(condition) == true { count += 1 }
      }
      return .integer(count)
    case .aggregate(let function, let source, let path):
      var accumulator = Accumulator(function)
      for element in try objects(of: source) {
        elements[source.level] = element
        accumulator.add(try value(at: path))
      }
      return accumulator.result
    case .function(let function, let operands):
      var values: [Value] = []
      for operand in operands { values.append(try value(of: operand)) }
      return function.value(of: values)
    }
  }

  func value(at path: ValuePath) throws -> Value {
    switch path.end {
    case .column(let name):
      guard case .row(let row) = subject else { return .null }
      return row[name] ?? .null
    case .value:
      guard case .value(let value) = subject else { return .null }
      return value
    case .object: return try object(at: path).map { .object($0) } ?? .null
    case .attribute(let attribute): return try object(at: path).map { try reader.value(of: attribute, in: $0) } ?? .null
    }
  }

  private func start(_ root: PathRoot) -> ObjectID? {
    switch root {
    case .element(let level): return elements[level]
    case .object:
      guard case .object(let id) = subject else { return nil }
      return id
    }
  }

  private func object(at path: ValuePath) throws -> ObjectID? {
    var object = start(path.root)
    for relationship in path.relationships {
      guard let current = object else { return nil }
      object = try reader.object(of: relationship, in: current)
    }
    return object
  }

  private func objects(of source: ElementSource) throws -> [ObjectID] {
    var objects = start(source.root).map { [$0] } ?? []
    for relationship in source.relationships {
      objects = try objects.flatMap { object in
        relationship.isToMany
          ? try reader.objects(of: relationship, in: object)
          : try reader.object(of: relationship, in: object).map { [$0] } ?? []
      }
    }
    return objects
  }
}

extension Condition.OrderTest {
  func accepts(_ order: ValueOrder) -> Bool {
    switch self {
    case .less: order == .less
    case .lessOrEqual: order != .greater
    case .greater: order == .greater
    case .greaterOrEqual: order != .less
    }
  }
}

extension Condition.TextTest {
  /// Evaluates the test; nil if one of the two is not a string, or the pattern of MATCHES is not a regular expression.
  func evaluate(_ left: Value, _ right: Value, _ options: TextOptions, _ patterns: PatternCache) -> Bool? {
    guard case .string(let text) = left, case .string(let other) = right else { return nil }
    if self == .matches {
      // Leave case to the regular expression: folding would turn \S into \s.
      let folded = TextFolding.fold(text, options.intersection(.diacriticInsensitive))
      return patterns.pattern(other, options)?.matches(folded)
    }
    let (whole, part) = (TextFolding.fold(text, options), TextFolding.fold(other, options))
    switch self {
    case .begins: return TextOrder.begins(whole, with: part)
    case .ends: return TextOrder.ends(whole, with: part)
    case .contains: return TextOrder.contains(whole, part)
    case .like: return patterns.wildcard(part).matches(whole)
    case .matches: return nil
    }
  }
}

extension Value {
  /// Returns a string folded by the options; other values unchanged.
  func folded(_ options: TextOptions) -> Value {
    guard !options.isEmpty, case .string(let text) = self else { return self }
    return .string(TextFolding.fold(text, options))
  }
}
