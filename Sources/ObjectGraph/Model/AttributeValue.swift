import Foundation

/// A Swift type that attribute values can be read and written as. Optionals of such types are included, and
/// enumerations with such raw values.
public protocol AttributeValue: Sendable {
  /// The value as an attribute stores it.
  var attributeValue: Value { get }
  /// The Swift value; nil if the attribute's value has another type, or is nil and the Swift type is not optional.
  init?(attributeValue: Value)
}

extension String: AttributeValue {
  /// The string.
  public var attributeValue: Value { .string(self) }
  /// The string.
  public init?(attributeValue: Value) {
    guard case .string(let text) = attributeValue else { return nil }
    self = text
  }
}

extension FixedWidthInteger where Self: AttributeValue {
  /// The integer.
  public var attributeValue: Value { .integer(Int64(self)) }
  /// The integer, if it fits.
  public init?(attributeValue: Value) {
    guard case .integer(let number) = attributeValue else { return nil }
    self.init(exactly: number)
  }
}

extension Int: AttributeValue {}
extension Int64: AttributeValue {}
extension Int32: AttributeValue {}

extension Double: AttributeValue {
  /// The number.
  public var attributeValue: Value { .double(self) }
  /// The number.
  public init?(attributeValue: Value) {
    guard case .double(let number) = attributeValue else { return nil }
    self = number
  }
}

extension Bool: AttributeValue {
  /// The Boolean.
  public var attributeValue: Value { .boolean(self) }
  /// The Boolean.
  public init?(attributeValue: Value) {
    guard case .boolean(let flag) = attributeValue else { return nil }
    self = flag
  }
}

extension Date: AttributeValue {
  /// The date.
  public var attributeValue: Value { .date(self) }
  /// The date.
  public init?(attributeValue: Value) {
    guard case .date(let date) = attributeValue else { return nil }
    self = date
  }
}

extension Data: AttributeValue {
  /// The bytes.
  public var attributeValue: Value { .data(self) }
  /// The bytes.
  public init?(attributeValue: Value) {
    guard case .data(let data) = attributeValue else { return nil }
    self = data
  }
}

extension UUID: AttributeValue {
  /// The UUID.
  public var attributeValue: Value { .uuid(self) }
  /// The UUID.
  public init?(attributeValue: Value) {
    guard case .uuid(let uuid) = attributeValue else { return nil }
    self = uuid
  }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
  /// The wrapped value, or nil.
  public var attributeValue: Value { self?.attributeValue ?? .null }
  /// The wrapped value, or nil.
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
  /// The raw value.
  public var attributeValue: Value { rawValue.attributeValue }
  /// The case with that raw value.
  public init?(attributeValue: Value) {
    guard let raw = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: raw)
  }
}
