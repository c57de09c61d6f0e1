import Foundation

/// A value of an attribute, an argument of a predicate or a cell of a dictionary row.
///
/// Two values are equal if their cases and contents are: `.integer(1)` and `.double(1)` differ, because an attribute of
/// one type never holds the other. Predicates compare numbers by value.
public enum Value: Hashable, Sendable {
  /// No value.
  case null
  /// A string.
  case string(String)
  /// A 64-bit integer.
  case integer(Int64)
  /// A floating-point number. Attributes never hold NaN.
  case double(Double)
  /// A Boolean.
  case boolean(Bool)
  /// A point in time.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// A universally unique identifier.
  case uuid(UUID)
  /// An object, by its id: the value of a to-one. Attributes never hold one.
  case object(ObjectID)

  /// True for ``null``.
  public var isNull: Bool { self == .null }

  /// Returns whether two values are equal. Strings are compared scalar by scalar: composed and decomposed "é" differ.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .string(let text): for byte in text.utf8 { hasher.combine(byte) }
    case .integer(let number): hasher.combine(number)
    case .double(let number): hasher.combine(number)
    case .boolean(let flag): hasher.combine(flag)
    case .date(let date): hasher.combine(date)
    case .data(let data): hasher.combine(data)
    case .uuid(let uuid): hasher.combine(uuid)
    case .object(let id): hasher.combine(id)
    }
  }
}

/// There is no `nil` literal: it would be unclear whether it means ``null`` or no `Value`.
extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}
