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
  /// An object, by its id: the value of a to-one. Attributes never hold one. It is in a box, because it would make all
  /// values three times as large.
  indirect case object(ObjectID)

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

/// Encoded with the name of the case, so that a date stays a date: `{"date": 791510400.5}`, in seconds since 2001-01-01
/// UTC.
extension Value: Codable {
  private enum Key: String, CodingKey {
    case null, string, integer, double, boolean, date, data, uuid, object
  }

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "a value has one key"))
    }
    switch key {
    case .null: self = .null
    case .string: self = .string(try container.decode(String.self, forKey: key))
    case .integer: self = .integer(try container.decode(Int64.self, forKey: key))
    case .double: self = .double(try container.decode(Double.self, forKey: key))
    case .boolean: self = .boolean(try container.decode(Bool.self, forKey: key))
    case .date: self = .date(Date(timeIntervalSinceReferenceDate: try container.decode(Double.self, forKey: key)))
    case .data: self = .data(try container.decode(Data.self, forKey: key))
    case .uuid: self = .uuid(try container.decode(UUID.self, forKey: key))
    case .object: self = .object(try container.decode(ObjectID.self, forKey: key))
    }
  }

  /// Writes one key with its content.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .null: try container.encode(true, forKey: .null)
    case .string(let text): try container.encode(text, forKey: .string)
    case .integer(let number): try container.encode(number, forKey: .integer)
    case .double(let number): try container.encode(number, forKey: .double)
    case .boolean(let flag): try container.encode(flag, forKey: .boolean)
    case .date(let date): try container.encode(date.timeIntervalSinceReferenceDate, forKey: .date)
    case .data(let data): try container.encode(data, forKey: .data)
    case .uuid(let uuid): try container.encode(uuid, forKey: .uuid)
    case .object(let id): try container.encode(id, forKey: .object)
    }
  }
}

enum ValueOrder: Equatable {
  case less, equal, greater

  init<Compared: Comparable>(_ left: Compared, _ right: Compared) {
    self = left < right ? .less : left == right ? .equal : .greater
  }

  var reversed: ValueOrder {
    switch self {
    case .less: .greater
    case .equal: .equal
    case .greater: .less
    }
  }
}

extension Value {
  /// Returns whether two values of one kind are equal, numbers by their exact values; nil if one is absent.
  func isEqual(to other: Value) -> Bool? {
    switch (self, other) {
    case (.null, _), (_, .null): nil
    case (.uuid(let left), .uuid(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.string(let left), .string(let right)): TextOrder.isEqual(left, right)
    default: order(to: other).map { $0 == .equal }
    }
  }

  /// Returns the order of two numbers, strings, dates or data; nil if one is absent or they have no order.
  func order(to other: Value) -> ValueOrder? {
    switch (self, other) {
    case (.string(let left), .string(let right)):
      return TextOrder.isEqual(left, right) ? .equal : TextOrder.isLess(left, right) ? .less : .greater
    case (.date(let left), .date(let right)): return ValueOrder(left, right)
    case (.data(let left), .data(let right)):
      return left == right ? .equal : left.lexicographicallyPrecedes(right) ? .less : .greater
    default:
      guard let left = number, let right = other.number else { return nil }
      return left.order(to: right)
    }
  }

  /// The value as a number; a Boolean is 1 or 0. Nil for NaN and other values.
  var number: ExactNumber? {
    switch self {
    case .integer(let integer): .integer(integer)
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .double(let double): double.isNaN ? nil : .double(double)
    default: nil
    }
  }
}

/// A number for comparisons without rounding.
enum ExactNumber {
  case integer(Int64)
  case double(Double)

  func order(to other: ExactNumber) -> ValueOrder {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): ValueOrder(left, right)
    case (.double(let left), .double(let right)): ValueOrder(left, right)
    case (.integer(let left), .double(let right)): Self.order(left, right)
    case (.double(let left), .integer(let right)): Self.order(right, left).reversed
    }
  }

  private static func order(_ integer: Int64, _ double: Double) -> ValueOrder {
    // 2^63 and beyond exceed every 64-bit integer.
    if double >= 0x1p63 { return .less }
    if double < -0x1p63 { return .greater }
    let whole = double.rounded(.down)
    let floor = Int64(whole)
    if integer != floor { return ValueOrder(integer, floor) }
    return whole < double ? .less : .equal
  }
}
