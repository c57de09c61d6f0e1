import Foundation

/// What can stand for `%@` or `$NAME`: values, objects' ids, and lists of them.
public protocol PredicateArgument: Sendable {
  /// As a constant of a predicate.
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
  /// A text.
  public var predicateConstant: PredicateConstant { .value(.string(self)) }
}

extension Int: PredicateArgument {
  /// A whole number.
  public var predicateConstant: PredicateConstant { .value(.integer(Int64(self))) }
}

extension Int64: PredicateArgument {
  /// A whole number.
  public var predicateConstant: PredicateConstant { .value(.integer(self)) }
}

extension Double: PredicateArgument {
  /// A number.
  public var predicateConstant: PredicateConstant { .value(.double(self)) }
}

extension Bool: PredicateArgument {
  /// True or false.
  public var predicateConstant: PredicateConstant { .value(.boolean(self)) }
}

extension Date: PredicateArgument {
  /// A moment.
  public var predicateConstant: PredicateConstant { .value(.date(self)) }
}

extension Data: PredicateArgument {
  /// Bytes.
  public var predicateConstant: PredicateConstant { .value(.data(self)) }
}

extension UUID: PredicateArgument {
  /// An identifier.
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
  /// A text.
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  /// A number.
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .value(.boolean(value)) }
  /// A list.
  public init(arrayLiteral elements: PredicateConstant...) { self = .list(elements) }
  /// No value.
  public init(nilLiteral: ()) { self = .value(.null) }
}
