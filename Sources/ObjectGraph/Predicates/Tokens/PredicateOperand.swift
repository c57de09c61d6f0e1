/// The left side of a comparison that is built with operators: `Student.age >= 18`.
public protocol PredicateOperand<ComparedValue>: Sendable {
  /// The type of the right side.
  associatedtype ComparedValue
  /// The side of the comparison.
  var predicateTerm: PredicateTerm { get }
  /// How many elements must pass, if there are several; nil for a single value.
  var predicateQuantifier: PredicateComparison.Quantifier? { get }
}

extension PredicateOperand {
  /// Nil, for a single value.
  public var predicateQuantifier: PredicateComparison.Quantifier? { nil }

  func compared(
    _ comparison: PredicateComparison.Operator, _ right: PredicateTerm, _ options: TextOptions = []
  ) -> Predicate {
    .comparison(
      PredicateComparison(
        predicateTerm, comparison, right, options: options, quantifier: predicateQuantifier))
  }

  func compared(
    _ comparison: PredicateComparison.Operator, _ value: some AttributeValue, _ options: TextOptions = []
  ) -> Predicate {
    compared(comparison, .constant(.value(value.attributeValue)), options)
  }
}

extension AttributeKey: PredicateOperand {
  /// Values of the attribute's type.
  public typealias ComparedValue = Value
  /// The attribute of the object.
  public var predicateTerm: PredicateTerm { .path(PredicatePath(name)) }
}

extension ToOneKey: PredicateOperand {
  /// The id of an object, or nil.
  public typealias ComparedValue = ObjectID?
  /// The object that the relationship points to.
  public var predicateTerm: PredicateTerm { .path(PredicatePath(name)) }
}

/// An attribute at the end of to-one relationships: `Student.myclass[MyClass.name]`.
public struct ValueToken<ComparedValue>: PredicateOperand {
  let path: PredicatePath

  /// The path.
  public var predicateTerm: PredicateTerm { .path(path) }
}

/// The number of objects of a to-many, or an aggregate of their values.
public struct ComputedToken<ComparedValue>: PredicateOperand {
  /// The computation.
  public let predicateTerm: PredicateTerm
}

/// The values at the end of a to-many path; ``any``, ``all`` and ``none`` say how many must pass.
public struct ElementsToken<ComparedValue>: Sendable {
  let path: PredicatePath

  /// At least one value must pass.
  public var any: QuantifiedToken<ComparedValue> { QuantifiedToken(path: path, quantifier: .any) }
  /// Every value must pass; true if there are none.
  public var all: QuantifiedToken<ComparedValue> { QuantifiedToken(path: path, quantifier: .all) }
  /// No value may pass.
  public var none: QuantifiedToken<ComparedValue> { QuantifiedToken(path: path, quantifier: .none) }
}

/// The values of a to-many path and how many of them must pass.
public struct QuantifiedToken<ComparedValue>: PredicateOperand {
  let path: PredicatePath
  let quantifier: PredicateComparison.Quantifier

  /// The path.
  public var predicateTerm: PredicateTerm { .path(path) }
  /// How many must pass.
  public var predicateQuantifier: PredicateComparison.Quantifier? { quantifier }
}
