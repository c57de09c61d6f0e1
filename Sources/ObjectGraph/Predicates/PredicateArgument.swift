import Foundation

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
