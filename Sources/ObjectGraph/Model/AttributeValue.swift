import Foundation

/// A Swift type that an attribute's values are read and written as. An optional is one too, and so is an enumeration whose
/// raw values are.
public protocol AttributeValue: Sendable {
  /// The value as attributes hold it.
  var attributeValue: Value { get }
  /// The Swift value; nil when the attribute's value is of another type, or nil where nil is impossible.
  init?(attributeValue: Value)
}

extension String: AttributeValue {
  /// A text.
  public var attributeValue: Value { .string(self) }
  /// A text.
  public init?(attributeValue: Value) {
    guard case .string(let text) = attributeValue else { return nil }
    self = text
  }
}

extension FixedWidthInteger where Self: AttributeValue {
  /// A whole number.
  public var attributeValue: Value { .integer(Int64(self)) }
  /// A whole number, if it fits.
  public init?(attributeValue: Value) {
    guard case .integer(let number) = attributeValue else { return nil }
    self.init(exactly: number)
  }
}

extension Int: AttributeValue {}
extension Int64: AttributeValue {}
extension Int32: AttributeValue {}

extension Double: AttributeValue {
  /// A floating-point number.
  public var attributeValue: Value { .double(self) }
  /// A floating-point number.
  public init?(attributeValue: Value) {
    guard case .double(let number) = attributeValue else { return nil }
    self = number
  }
}

extension Bool: AttributeValue {
  /// True or false.
  public var attributeValue: Value { .boolean(self) }
  /// True or false.
  public init?(attributeValue: Value) {
    guard case .boolean(let flag) = attributeValue else { return nil }
    self = flag
  }
}

extension Date: AttributeValue {
  /// A moment.
  public var attributeValue: Value { .date(self) }
  /// A moment.
  public init?(attributeValue: Value) {
    guard case .date(let date) = attributeValue else { return nil }
    self = date
  }
}

extension Data: AttributeValue {
  /// Bytes.
  public var attributeValue: Value { .data(self) }
  /// Bytes.
  public init?(attributeValue: Value) {
    guard case .data(let data) = attributeValue else { return nil }
    self = data
  }
}

extension UUID: AttributeValue {
  /// A universally unique identifier.
  public var attributeValue: Value { .uuid(self) }
  /// A universally unique identifier.
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
  /// The case of a raw value.
  public init?(attributeValue: Value) {
    guard let raw = RawValue(attributeValue: attributeValue) else { return nil }
    self.init(rawValue: raw)
  }
}
