extension PredicateOperand where ComparedValue: AttributeValue {
  /// Returns a predicate that tests whether the values are equal; with nil, whether the left one is absent.
  public static func == (left: Self, right: ComparedValue) -> Predicate { left.compared(.equal, right) }
  /// Returns a predicate that tests whether the values differ; with nil, whether the left one is present.
  public static func != (left: Self, right: ComparedValue) -> Predicate { left.compared(.notEqual, right) }
  /// Returns a predicate that tests whether the left value is less.
  public static func < (left: Self, right: ComparedValue) -> Predicate { left.compared(.less, right) }
  /// Returns a predicate that tests whether the left value is less or equal.
  public static func <= (left: Self, right: ComparedValue) -> Predicate { left.compared(.lessOrEqual, right) }
  /// Returns a predicate that tests whether the left value is greater.
  public static func > (left: Self, right: ComparedValue) -> Predicate { left.compared(.greater, right) }
  /// Returns a predicate that tests whether the left value is greater or equal.
  public static func >= (left: Self, right: ComparedValue) -> Predicate { left.compared(.greaterOrEqual, right) }

  /// Returns a predicate that tests whether the value equals another value of the object.
  public func isEqual(to other: some PredicateOperand<ComparedValue>) -> Predicate {
    compared(.equal, other.predicateTerm)
  }

  /// Returns a predicate that tests whether the value is less than another value of the object.
  public func isLess(than other: some PredicateOperand<ComparedValue>) -> Predicate {
    compared(.less, other.predicateTerm)
  }

  /// Returns a predicate that tests whether the value equals one of these.
  public func isIn(_ values: [ComparedValue], options: TextOptions = []) -> Predicate {
    compared(.in, .constant(.list(values.map { .value($0.attributeValue) })), options)
  }

  /// Returns a predicate that tests whether the value is between two bounds, inclusive.
  public func isBetween(_ lower: ComparedValue, _ upper: ComparedValue) -> Predicate {
    compared(.between, .constant(.list([.value(lower.attributeValue), .value(upper.attributeValue)])))
  }
}

/// A string or an optional string.
public protocol TextValue: AttributeValue {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension PredicateOperand where ComparedValue: TextValue {
  /// Returns a predicate that tests whether both strings are equal after folding.
  public func isEqual(to text: String, options: TextOptions) -> Predicate { compared(.equal, text, options) }
  /// Returns a predicate that tests whether the value begins with a string.
  public func beginsWith(_ text: String, options: TextOptions = []) -> Predicate {
    compared(.beginsWith, text, options)
  }
  /// Returns a predicate that tests whether the value ends with a string.
  public func endsWith(_ text: String, options: TextOptions = []) -> Predicate { compared(.endsWith, text, options) }
  /// Returns a predicate that tests whether the value contains a string.
  public func contains(_ text: String, options: TextOptions = []) -> Predicate { compared(.contains, text, options) }
  /// Returns a predicate that tests whether the whole value matches a pattern, in which `*` is any string and `?` is
  /// one Unicode scalar.
  public func isLike(_ pattern: String, options: TextOptions = []) -> Predicate { compared(.like, pattern, options) }
  /// Returns a predicate that tests whether the whole value matches a regular expression.
  public func matches(_ pattern: String, options: TextOptions = []) -> Predicate {
    compared(.matches, pattern, options)
  }
}

extension PredicateOperand where ComparedValue == ObjectID? {
  /// Returns a predicate that tests whether the left side points to the object; with nil, whether it points to none.
  public static func == (left: Self, right: ObjectID?) -> Predicate {
    left.compared(.equal, .constant(right.predicateConstant))
  }

  /// Returns a predicate that tests whether the left side points to another object; with nil, whether it points to any.
  public static func != (left: Self, right: ObjectID?) -> Predicate {
    left.compared(.notEqual, .constant(right.predicateConstant))
  }

  /// Returns a predicate that tests whether the left side points to the object.
  public static func == (left: Self, right: ManagedObject) -> Predicate { left == right.objectID }

  /// Returns a predicate that tests whether the left side points to another object.
  public static func != (left: Self, right: ManagedObject) -> Predicate { left != right.objectID }

  /// Returns a predicate that tests whether the left side points to one of these objects.
  public func isIn(_ objects: [ObjectID]) -> Predicate { compared(.in, .constant(objects.predicateConstant)) }
}
