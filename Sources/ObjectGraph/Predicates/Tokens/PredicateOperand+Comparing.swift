extension PredicateOperand where ComparedValue: AttributeValue {
  /// Equal; with nil: there is no value.
  public static func == (left: Self, right: ComparedValue) -> Predicate { left.compared(.equal, right) }
  /// Not equal; with nil: there is a value.
  public static func != (left: Self, right: ComparedValue) -> Predicate { left.compared(.notEqual, right) }
  /// Less.
  public static func < (left: Self, right: ComparedValue) -> Predicate { left.compared(.less, right) }
  /// Less or equal.
  public static func <= (left: Self, right: ComparedValue) -> Predicate { left.compared(.lessOrEqual, right) }
  /// Greater.
  public static func > (left: Self, right: ComparedValue) -> Predicate { left.compared(.greater, right) }
  /// Greater or equal.
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

  /// Between two bounds, which count.
  public func isBetween(_ lower: ComparedValue, _ upper: ComparedValue) -> Predicate {
    compared(.between, .constant(.list([.value(lower.attributeValue), .value(upper.attributeValue)])))
  }
}

/// A text, or none.
public protocol TextValue: AttributeValue {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}

extension PredicateOperand where ComparedValue: TextValue {
  /// Equal, folded first.
  public func isEqual(to text: String, options: TextOptions) -> Predicate { compared(.equal, text, options) }
  /// Begins with the text.
  public func beginsWith(_ text: String, options: TextOptions = []) -> Predicate {
    compared(.beginsWith, text, options)
  }
  /// Ends with the text.
  public func endsWith(_ text: String, options: TextOptions = []) -> Predicate { compared(.endsWith, text, options) }
  /// Contains the text.
  public func contains(_ text: String, options: TextOptions = []) -> Predicate { compared(.contains, text, options) }
  /// As a whole like a pattern, in which `*` is any text and `?` is one Unicode scalar.
  public func isLike(_ pattern: String, options: TextOptions = []) -> Predicate { compared(.like, pattern, options) }
  /// As a whole matches a regular expression.
  public func matches(_ pattern: String, options: TextOptions = []) -> Predicate {
    compared(.matches, pattern, options)
  }
}

extension PredicateOperand where ComparedValue == ObjectID? {
  /// The object; with nil: there is none.
  public static func == (left: Self, right: ObjectID?) -> Predicate {
    left.compared(.equal, .constant(right.predicateConstant))
  }

  /// Not the object; with nil: there is one.
  public static func != (left: Self, right: ObjectID?) -> Predicate {
    left.compared(.notEqual, .constant(right.predicateConstant))
  }

  /// The object.
  public static func == (left: Self, right: ManagedObject) -> Predicate { left == right.objectID }

  /// Another object, and not none.
  public static func != (left: Self, right: ManagedObject) -> Predicate { left != right.objectID }

  /// One of these objects.
  public func isIn(_ objects: [ObjectID]) -> Predicate { compared(.in, .constant(objects.predicateConstant)) }
}
