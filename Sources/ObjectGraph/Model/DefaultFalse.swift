/// A flag that decodes as false if its key is missing, as in data encoded by older versions of this library.
@propertyWrapper
public struct DefaultFalse: Codable, Hashable, Sendable {
  /// Whether the flag is set.
  public var wrappedValue: Bool

  /// Creates a flag with an initial value.
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
  /// Decodes a flag; synthesized code calls this overload.
  func decode(_ type: DefaultFalse.Type, forKey key: Key) throws -> DefaultFalse {
    try decodeIfPresent(type, forKey: key) ?? DefaultFalse(wrappedValue: false)
  }
}
