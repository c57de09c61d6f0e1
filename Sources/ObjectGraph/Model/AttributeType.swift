/// What an attribute holds.
public enum AttributeType: String, Codable, Hashable, Sendable, CaseIterable {
  /// A text, of any Unicode scalars.
  case string
  /// A whole number of 64 bits.
  case integer
  /// A floating-point number.
  case double
  /// True or false.
  case boolean
  /// A moment, kept to the last bit of `Date`.
  case date
  /// Bytes.
  case data
  /// A universally unique identifier.
  case uuid

  /// True when values of the type have an order: not for data and uuids.
  public var isOrdered: Bool { self != .data && self != .uuid }

  /// The value as one of this type: nil fits every type and an integer fits a double; nothing else is converted.
  /// - Returns: nil when the value is of another type, or not a number.
  public func converted(_ value: Value) -> Value? {
    switch (self, value) {
    case (_, .null), (.string, .string), (.integer, .integer), (.boolean, .boolean), (.date, .date), (.data, .data),
      (.uuid, .uuid):
      return value
    case (.double, .double(let number)): return number.isNaN ? nil : value
    case (.double, .integer(let number)): return .double(Double(number))
    default: return nil
    }
  }
}
