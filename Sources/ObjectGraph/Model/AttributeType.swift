/// The type of an attribute.
public enum AttributeType: String, Codable, Hashable, Sendable, CaseIterable {
  /// A string of Unicode scalars.
  case string
  /// A 64-bit integer.
  case integer
  /// A floating-point number.
  case double
  /// A Boolean.
  case boolean
  /// A point in time, with the full precision of `Date`.
  case date
  /// Bytes.
  case data
  /// A universally unique identifier.
  case uuid

  /// Whether values of the type are ordered, as all are except data and UUIDs.
  public var isOrdered: Bool { self != .data && self != .uuid }

  /// Converts a value to this type: nil stays nil, and an integer becomes a double; nothing else is converted.
  /// - Returns: nil when the value is of another type, or NaN.
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
