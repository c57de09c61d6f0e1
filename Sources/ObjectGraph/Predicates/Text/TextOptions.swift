/// How strings are folded before they are compared.
public struct TextOptions: OptionSet, Codable, Hashable, Sendable {
  /// The option bits.
  public let rawValue: UInt8

  /// Options from their bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `[c]`: ignores case, by Unicode's full case folding.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// `[d]`: ignores nonspacing marks.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}
