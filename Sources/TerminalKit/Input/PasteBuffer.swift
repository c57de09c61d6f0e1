/// The text between the brackets of DEC mode 2004.
struct PasteBuffer: Sendable {
  private static let end: [UInt8] = Array("\u{1B}[201~".utf8)
  /// The size in bytes at which a part is delivered before the next code point: a long paste must not fill the memory.
  private let partSize: Int
  private var bytes: [UInt8] = []
  // How many bytes of the closing bracket have been matched.
  private var matched = 0
  // True if the byte before this one was a CR: a LF then belongs to the same line end.
  private var wasReturn = false

  init(partSize: Int = 16 << 20) { self.partSize = partSize }

  var isEmpty: Bool { bytes.isEmpty }
  /// True after an Esc that may begin the closing bracket.
  var isAtEscape: Bool { matched == 1 }

  /// Adds a byte; returns true if it completes the closing bracket.
  mutating func append(_ byte: UInt8, _ events: inout [Event]) -> Bool {
    // No code point has more than three continuation bytes; further ones are not text.
    if bytes.count >= partSize, byte & 0xC0 != 0x80 || bytes.count >= partSize + 3 { deliver(&events) }
    if byte == Self.end[matched] {
      matched += 1
      wasReturn = false
      guard matched == Self.end.count else { return false }
      flush(&events)
      return true
    }
    if matched > 0 {
      // Not the bracket: the matched bytes are text, except the Esc.
      bytes += Self.end[1..<matched]
      matched = 0
      if byte == 0x1B {
        matched = 1
        return false
      }
    }
    switch byte {
    case 0x0D: bytes.append(0x0A)
    case 0x0A where wasReturn: break
    case 0x09, 0x0A, 0x20..<0x7F, 0x80...: bytes.append(byte)
    default: break
    }
    wasReturn = byte == 0x0D
    return false
  }

  /// Delivers the text so far and starts over.
  mutating func flush(_ events: inout [Event]) {
    matched = 0
    wasReturn = false
    deliver(&events)
  }

  private mutating func deliver(_ events: inout [Event]) {
    guard !bytes.isEmpty else { return }
    var text = String(decoding: bytes, as: UTF8.self)
    bytes = []
    // Remove C1 controls, which are two bytes in UTF-8.
    if text.unicodeScalars.contains(where: { (0x80..<0xA0).contains($0.value) }) {
      text.unicodeScalars.removeAll { (0x80..<0xA0).contains($0.value) }
    }
    if !text.isEmpty { events.append(.paste(text)) }
  }
}

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
