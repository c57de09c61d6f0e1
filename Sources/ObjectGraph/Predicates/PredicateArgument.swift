import Foundation

/// A value for `%@` or `$NAME`: attribute values, object ids, and lists of them.
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
  /// A string.
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  /// A number.
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .value(.boolean(value)) }
  /// A list.
  public init(arrayLiteral elements: PredicateConstant...) { self = .list(elements) }
  /// No value.
  public init(nilLiteral: ()) { self = .value(.null) }
}
