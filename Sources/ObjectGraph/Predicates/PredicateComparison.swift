import Foundation

/// One comparison: `ANY courses.name BEGINSWITH[cd] 'ca'`.
public struct PredicateComparison: Codable, Hashable, Sendable {
  /// How many elements of a to-many path must pass.
  public enum Quantifier: String, Codable, Hashable, Sendable {
    /// At least one element; also written SOME.
    case any
    /// Every element; true if there are none.
    case all
    /// No element.
    case none
  }

  /// How the two sides are compared.
  public enum Operator: String, Codable, Hashable, Sendable, CaseIterable {
    /// `=` or `==`; with the constant nil: the value is absent.
    case equal
    /// `!=` or `<>`; with the constant nil: the value is present.
    case notEqual
    /// `<`
    case less
    /// `<=` or `=<`
    case lessOrEqual
    /// `>`
    case greater
    /// `>=` or `=>`
    case greaterOrEqual
    /// The left side is equal to an element of the right.
    case `in`
    /// The left string begins with the right.
    case beginsWith
    /// The left string ends with the right.
    case endsWith
    /// The left string contains the right, or the left to-many path contains the object on the right.
    case contains
    /// The whole left string matches the pattern on the right, with `*` and `?`.
    case like
    /// The whole left string matches the regular expression on the right.
    case matches
    /// Between the two bounds of the list on the right, inclusive.
    case between
  }

  /// The quantifier before a to-many left side, if any.
  public var quantifier: Quantifier?
  /// The offset of the quantifier.
  public var quantifierOffset = SourceOffset()
  /// The left side.
  public var left: PredicateTerm
  /// How the sides are compared.
  public var `operator`: Operator
  /// The offset of the operator.
  public var operatorOffset = SourceOffset()
  /// How strings are folded before they are compared.
  public var options: TextOptions
  /// The right side.
  public var right: PredicateTerm

  /// Creates a comparison without offsets.
  public init(
    _ left: PredicateTerm, _ operator: Operator, _ right: PredicateTerm, options: TextOptions = [],
    quantifier: Quantifier? = nil
  ) {
    self.left = left
    self.operator = `operator`
    self.right = right
    self.options = options
    self.quantifier = quantifier
  }
}

/// A value for `%@`, `%K` or `$NAME`: an attribute value, an object id, or a list of these.
public protocol PredicateArgument: Sendable {
  /// The argument as a constant of a predicate.
  var predicateConstant: PredicateConstant { get }
}

extension PredicateConstant: PredicateArgument {
  /// Itself.
  public var predicateConstant: PredicateConstant { self }
}

extension Value: PredicateArgument {
  /// The value.
  public var predicateConstant: PredicateConstant { .value(self) }
}

extension String: PredicateArgument {
  /// A string.
  public var predicateConstant: PredicateConstant { .value(.string(self)) }
}

extension Int: PredicateArgument {
  /// An integer.
  public var predicateConstant: PredicateConstant { .value(.integer(Int64(self))) }
}

extension Int64: PredicateArgument {
  /// An integer.
  public var predicateConstant: PredicateConstant { .value(.integer(self)) }
}

extension Double: PredicateArgument {
  /// A number.
  public var predicateConstant: PredicateConstant { .value(.double(self)) }
}

extension Bool: PredicateArgument {
  /// A Boolean.
  public var predicateConstant: PredicateConstant { .value(.boolean(self)) }
}

extension Date: PredicateArgument {
  /// A date.
  public var predicateConstant: PredicateConstant { .value(.date(self)) }
}

extension Data: PredicateArgument {
  /// Bytes.
  public var predicateConstant: PredicateConstant { .value(.data(self)) }
}

extension UUID: PredicateArgument {
  /// A UUID.
  public var predicateConstant: PredicateConstant { .value(.uuid(self)) }
}

extension ObjectID: PredicateArgument {
  /// The object.
  public var predicateConstant: PredicateConstant { .value(.object(self)) }
}

extension Array: PredicateArgument where Element: PredicateArgument {
  /// A list.
  public var predicateConstant: PredicateConstant { .list(map(\.predicateConstant)) }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  /// The value, or nil.
  public var predicateConstant: PredicateConstant { self?.predicateConstant ?? .value(.null) }
}

extension PredicateConstant: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .value(.boolean(value)) }
  /// Creates a list.
  public init(arrayLiteral elements: PredicateConstant...) { self = .list(elements) }
  /// Creates nil.
  public init(nilLiteral: ()) { self = .value(.null) }
}
