import Foundation

/// A Swift type in which attribute values can be read and written. An optional of such a type is one too; an
/// enumeration with such a raw value only has to declare the conformance.
public protocol AttributeValue: Sendable {
  /// The type of an attribute with such values.
  static var attributeType: AttributeType { get }
  /// The value as an attribute stores it.
  var attributeValue: Value { get }
  /// Creates the Swift value; nil if the attribute's value has another type, or is nil and the Swift type is not
  /// optional.
  init?(attributeValue: Value)
}

extension String: AttributeValue {
  /// `string`.
  public static var attributeType: AttributeType { .string }
  /// The string.
  public var attributeValue: Value { .string(self) }
  /// Creates the string; nil for a value of another type.
  public init?(attributeValue: Value) {
    guard case .string(let text) = attributeValue else { return nil }
    self = text
  }
}

extension FixedWidthInteger where Self: AttributeValue {
  /// `integer`.
  public static var attributeType: AttributeType { .integer }
  /// The integer.
  public var attributeValue: Value { .integer(Int64(self)) }
  /// Creates the integer; nil if it does not fit, or for a value of another type.
  public init?(attributeValue: Value) {
    guard case .integer(let number) = attributeValue else { return nil }
    self.init(exactly: number)
  }
}

extension Int: AttributeValue {}
extension Int64: AttributeValue {}
extension Int32: AttributeValue {}

extension Double: AttributeValue {
  /// `double`.
  public static var attributeType: AttributeType { .double }
  /// The number.
  public var attributeValue: Value { .double(self) }
  /// Creates the number; nil for a value of another type.
  public init?(attributeValue: Value) {
    guard case .double(let number) = attributeValue else { return nil }
    self = number
  }
}

extension Bool: AttributeValue {
  /// `boolean`.
  public static var attributeType: AttributeType { .boolean }
  /// The Boolean.
  public var attributeValue: Value { .boolean(self) }
  /// Creates the Boolean; nil for a value of another type.
  public init?(attributeValue: Value) {
    guard case .boolean(let flag) = attributeValue else { return nil }
    self = flag
  }
}

extension Date: AttributeValue {
  /// `date`.
  public static var attributeType: AttributeType { .date }
  /// The date.
  public var attributeValue: Value { .date(self) }
  /// Creates the date; nil for a value of another type.
  public init?(attributeValue: Value) {
    guard case .date(let date) = attributeValue else { return nil }
    self = date
  }
}

extension Data: AttributeValue {
  /// `data`.
  public static var attributeType: AttributeType { .data }
  /// The bytes.
  public var attributeValue: Value { .data(self) }
  /// Creates the bytes; nil for a value of another type.
  public init?(attributeValue: Value) {
    guard case .data(let data) = attributeValue else { return nil }
    self = data
  }
}

extension UUID: AttributeValue {
  /// `uuid`.
  public static var attributeType: AttributeType { .uuid }
  /// The UUID.
  public var attributeValue: Value { .uuid(self) }
  /// Creates the UUID; nil for a value of another type.
  public init?(attributeValue: Value) {
    guard case .uuid(let uuid) = attributeValue else { return nil }
    self = uuid
  }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  /// The type of the wrapped value.
  public static var attributeType: AttributeType { Wrapped.attributeType }
  /// The wrapped value, or nil.
  public var attributeValue: Value { self?.attributeValue ?? .null }
  /// Creates an optional, which is nil for ``Value/null``. Fails for a value of another type.
  public init?(attributeValue: Value) {
    if attributeValue.isNull {
      self = .none
    } else {
      guard let wrapped = Wrapped(attributeValue: attributeValue) else { return nil }
      self = .some(wrapped)
    }
  }
}

extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
  /// The type of the raw value.
  public static var attributeType: AttributeType { RawValue.attributeType }
  /// The raw value.
  public var attributeValue: Value { rawValue.attributeValue }
  /// Creates the case with this raw value; nil if there is none.
  public init?(attributeValue: Value) {
    guard let raw = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: raw)
  }
}
