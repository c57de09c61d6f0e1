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
  func value(of attribute: Attribute, in object: ObjectID) -> Value { .null }
  func object(of relationship: Relationship, in object: ObjectID) -> ObjectID? { nil }
  func objects(of relationship: Relationship, in object: ObjectID) -> [ObjectID] { [] }
  func objects(of entities: [Entity]) -> [ObjectID] { [] }
}
