/// How texts are folded before they are compared.
public struct TextOptions: OptionSet, Codable, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Options of their bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `[c]`: case does not count, by Unicode's full case folding.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// `[d]`: nonspacing marks do not count.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}
