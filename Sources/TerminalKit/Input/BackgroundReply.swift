/// The terminal's reply to a query of its background color: `OSC 11 ; rgb:RRRR/GGGG/BBBB` (XTerm Control Sequences).
enum BackgroundReply {
  /// The query, to which terminals without it send no reply.
  static let query = Array("\u{1B}]11;?\u{1B}\\".utf8)

  /// Returns whether the color in the text of an OSC is a light one; nil if the text is not such a reply.
  static func isLight(_ text: [UInt8]) -> Bool? {
    let text = String(decoding: text, as: UTF8.self)
    let prefixes = ["11;rgb:", "11;rgba:"]
    guard let prefix = prefixes.first(where: text.hasPrefix) else { return nil }
    let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).map(fraction)
    guard parts.count == (prefix == prefixes[0] ? 3 : 4), let red = parts[0], let green = parts[1], let blue = parts[2]
    else { return nil }
    return RelativeLuminance.of(red, green, blue) > RelativeLuminance.middle
  }

  // One to four hexadecimal digits of a channel, from 0 to 1.
  private static func fraction(_ digits: Substring) -> Double? {
    guard (1...4).contains(digits.count), let value = Int(digits, radix: 16), value >= 0 else { return nil }
    return Double(value) / Double(1 << (4 * digits.count) - 1)
  }
}
