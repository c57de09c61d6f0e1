/// A flag of a description that coded descriptions may lack, because they were written before there was one. It is false then.
@propertyWrapper
public struct LaterFlag: Codable, Hashable, Sendable {
  /// The flag.
  public var wrappedValue: Bool

  /// A flag.
  public init(wrappedValue: Bool) { self.wrappedValue = wrappedValue }

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Bool.self)
  }

  /// Writes a boolean.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// What synthesized code calls for a flag.
  func decode(_ type: LaterFlag.Type, forKey key: Key) throws -> LaterFlag {
    try decodeIfPresent(type, forKey: key) ?? LaterFlag(wrappedValue: false)
  }
}
