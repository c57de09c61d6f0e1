extension PredicateOperand where ComparedValue: AttributeValue {
  /// Equal; with nil: the value is absent.
  public static func == (left: Self, right: ComparedValue) -> Predicate { left.compared(.equal, right) }
  /// Not equal; with nil: the value is present.
  public static func != (left: Self, right: ComparedValue) -> Predicate { left.compared(.notEqual, right) }
  /// Less than.
  public static func < (left: Self, right: ComparedValue) -> Predicate { left.compared(.less, right) }
  /// Less than or equal.
  public static func <= (left: Self, right: ComparedValue) -> Predicate { left.compared(.lessOrEqual, right) }
  /// Greater than.
  public static func > (left: Self, right: ComparedValue) -> Predicate { left.compared(.greater, right) }
  /// Greater than or equal.
  public static func >= (left: Self, right: ComparedValue) -> Predicate { left.compared(.greaterOrEqual, right) }

  /// Equal to the value of another attribute of the object.
  public func isEqual(to other: some PredicateOperand<ComparedValue>) -> Predicate {
    compared(.equal, other.predicateTerm)
  }

  /// Less than the value of another attribute of the object.
  public func isLess(than other: some PredicateOperand<ComparedValue>) -> Predicate {
    compared(.less, other.predicateTerm)
  }

  /// Equal to one of these.
  public func isIn(_ values: [ComparedValue], options: TextOptions = []) -> Predicate {
    compared(.in, .constant(.list(values.map { .value($0.attributeValue) })), options)
  }

  /// Between two bounds, inclusive.
  public func isBetween(_ lower: ComparedValue, _ upper: ComparedValue) -> Predicate {
    compared(.between, .constant(.list([.value(lower.attributeValue), .value(upper.attributeValue)])))
  }
}

/// A string or an optional string.
public protocol TextValue: AttributeValue {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension PredicateOperand where ComparedValue: TextValue {
  /// Equal after folding.
  public func isEqual(to text: String, options: TextOptions) -> Predicate { compared(.equal, text, options) }
  /// Begins with the string.
  public func beginsWith(_ text: String, options: TextOptions = []) -> Predicate {
    compared(.beginsWith, text, options)
  }
  /// Ends with the string.
  public func endsWith(_ text: String, options: TextOptions = []) -> Predicate { compared(.endsWith, text, options) }
  /// Contains the string.
  public func contains(_ text: String, options: TextOptions = []) -> Predicate { compared(.contains, text, options) }
  /// The whole string matches a pattern, in which `*` is any string and `?` is one Unicode scalar.
  public func isLike(_ pattern: String, options: TextOptions = []) -> Predicate { compared(.like, pattern, options) }
  /// The whole string matches a regular expression.
  public func matches(_ pattern: String, options: TextOptions = []) -> Predicate {
    compared(.matches, pattern, options)
  }
}

extension PredicateOperand where ComparedValue == ObjectID? {
  /// Points to the object; with nil: points to none.
  public static func == (left: Self, right: ObjectID?) -> Predicate {
    left.compared(.equal, .constant(right.predicateConstant))
  }

  /// Points to another object; with nil: points to any object.
  public static func != (left: Self, right: ObjectID?) -> Predicate {
    left.compared(.notEqual, .constant(right.predicateConstant))
  }

  /// Points to the object.
  public static func == (left: Self, right: ManagedObject) -> Predicate { left == right.objectID }

  /// Points to another object.
  public static func != (left: Self, right: ManagedObject) -> Predicate { left != right.objectID }

  /// Points to one of these objects.
  public func isIn(_ objects: [ObjectID]) -> Predicate { compared(.in, .constant(objects.predicateConstant)) }
}
