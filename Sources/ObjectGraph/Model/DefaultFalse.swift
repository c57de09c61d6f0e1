/// A flag that older encoded descriptions lack; a missing flag is false.
@propertyWrapper
public struct DefaultFalse: Codable, Hashable, Sendable {
  /// Whether it is set.
  public var wrappedValue: Bool

  /// A flag with an initial value.
  public init(wrappedValue: Bool) { self.wrappedValue = wrappedValue }

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Bool.self)
  }

  /// Writes a Boolean.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// Called by synthesized code for a flag.
  func decode(_ type: DefaultFalse.Type, forKey key: Key) throws -> DefaultFalse {
    try decodeIfPresent(type, forKey: key) ?? DefaultFalse(wrappedValue: false)
  }
}
