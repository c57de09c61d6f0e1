/// A decoder of text in formats other than vCard, such as CSV, whose charset may be undeclared.
///
/// The rules are those of ``VCardReader``: UTF-8 that cannot be a coincidence wins, unless the declared charset is not an
/// extension of ASCII; other text is read in the charset that was declared for it, or else in the charset that
/// ``observe(_:)`` found likely, or else in the charset that the text itself looks like.
public struct ForeignText: Sendable {
  private let declared: Charset?
  private var guess = CharsetGuess()
  private var guessed: Charset?

  /// Creates a decoder of text in an unknown charset.
  public init() { declared = nil }

  /// Creates a decoder of text in a declared charset; nil if the name is unknown.
  public init?(charset: String) {
    guard let known = Charset(declared: charset) else { return nil }
    declared = known
  }

  /// The name of the charset that is used for text that is not UTF-8; nil if nothing is known about it.
  public var charsetName: String? {
    guard let charset = declared ?? guessed else { return nil }
    return charset == .utf8 ? "UTF-8" : charset.name
  }

  /// Takes a sample of the text into account. Call this before ``text(of:)`` decodes the sample.
  public mutating func observe(_ sample: [UInt8]) {
    guard declared == nil else { return }
    sample.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress, UTF8Survey(base, 0, bytes.count).content == .other,
        !UTF8Survey(base, 0, bytes.count).isMostlyUTF8
      else { return }
      guess.add(bytes)
      guessed = guess.charset
    }
  }

  /// Returns the text of some bytes, and the number of characters that could not be read.
  public func text(of bytes: some Collection<UInt8>) -> (text: String, replaced: Int) {
    let decoded = Array(bytes).withUnsafeBufferPointer { decode($0) }
    return (String(decoding: decoded.bytes, as: UTF8.self), decoded.replaced)
  }

  private func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], replaced: Int) {
    guard let base = bytes.baseAddress else { return ([], 0) }
    // UTF-16 and the like, and ISO-2022, which is ASCII except for its escape sequences.
    if let declared, declared != .utf8, !declared.isASCIICompatible || bytes.contains(Byte.escape) {
      return declared.decode(bytes)
    }
    let survey = UTF8Survey(base, 0, bytes.count)
    switch survey.content {
    case .ascii, .strongUTF8: return (Array(bytes), 0)
    case .weakUTF8:
      guard let charset = declared ?? guessed, !charset.isSingleByte, charset != .utf8 else { return (Array(bytes), 0) }
      let converted = charset.decode(bytes)
      return converted.replaced == 0 ? converted : (Array(bytes), 0)
    case .other:
      if let declared { return declared.decode(bytes) }
      if survey.bad == 0 || survey.isMostlyUTF8 { return UTF8Repair.repair(bytes) }
      return (guessed ?? Self.guess(bytes) ?? .utf8).decode(bytes)
    }
  }

  private static func guess(_ bytes: UnsafeBufferPointer<UInt8>) -> Charset? {
    var guess = CharsetGuess()
    guess.add(bytes)
    return guess.charset
  }
}

/// Guesses the charset of undeclared text that is not UTF-8, from all the bytes that were added.
struct CharsetGuess {
  private var commonHan = 0
  private var rareHan = 0
  private var brokenPairs = 0
  private var cyrillic = 0
  private var latin = 0
  private var undefined = 0
  private var longRuns = 0
  private var high = 0

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    addPairs(bytes)
    addSingles(bytes)
  }

  /// GB18030 if common Chinese characters are at least as frequent as rare ones, else Windows-1251 if words are
  /// Cyrillic, else Windows-1252 if at most three accented letters occur in a row; nil if nothing fits.
  var charset: Charset? {
    if commonHan > 0, brokenPairs * 8 <= commonHan, commonHan >= rareHan { return .gb18030 }
    if cyrillic * 10 >= high * 8, cyrillic >= 3, longRuns > 0 { return .windows1251 }
    if undefined == 0, longRuns == 0, latin * 10 >= high * 7 { return .windows1252 }
    return nil
  }

  /// Reads the bytes as GBK pairs. Common characters are level 1 of GB 2312: lead B0–D7, trail A1–FE.
  private mutating func addPairs(_ bytes: UnsafeBufferPointer<UInt8>) {
    var position = 0
    while position < bytes.count {
      let lead = bytes[position]
      position += 1
      if lead < 0x80 { continue }
      guard position < bytes.count, lead != 0x80, lead != 0xFF else {
        brokenPairs += 1
        continue
      }
      let trail = bytes[position]
      switch (lead, trail) {
      case (0xB0...0xD7, 0xA1...0xFE): commonHan += 1
      case (0xA1...0xA9, 0xA1...0xFE): break
      case (0x81...0xFE, 0x40...0x7E), (0x81...0xFE, 0x80...0xFE): rareHan += 1
      case (0x81...0xFE, 0x30...0x39):
        // The first half of a four-byte character in GB18030.
        guard position + 2 < bytes.count, (0x81...0xFE).contains(bytes[position + 1]),
          (0x30...0x39).contains(bytes[position + 2])
        else {
          brokenPairs += 1
          continue
        }
        rareHan += 1
        position += 2
      default:
        brokenPairs += 1
        continue
      }
      position += 1
    }
  }

  private mutating func addSingles(_ bytes: UnsafeBufferPointer<UInt8>) {
    var run = 0
    for byte in bytes {
      guard byte >= 0x80 else {
        run = 0
        continue
      }
      high += 1
      run += 1
      if run == 4 { longRuns += 1 }
      switch byte {
      case 0x81, 0x8D, 0x8F, 0x90, 0x9D: undefined += 1
      case 0xC0...0xFF:
        latin += 1
        cyrillic += 1
      case 0xA8, 0xB8: cyrillic += 1
      case 0x80, 0x82...0x8C, 0x8E, 0x91...0x9C, 0x9E, 0x9F, 0xA0...0xBF: latin += 1
      default: break
      }
    }
  }
}

/// Whether bytes in ISO-2022 are ASCII or parts of longer characters, which its escape sequences and shifts switch
/// (ECMA-35).
struct ShiftState {
  private var isMultibyte = false
  private var isShiftedOut = false
  /// The bytes so far of an escape sequence that has not ended.
  private var sequence: [UInt8]?

  /// Whether the next byte is a character of its own.
  var isASCII: Bool { !isMultibyte && !isShiftedOut && sequence == nil }

  /// Takes the next byte.
  mutating func read(_ byte: UInt8) {
    switch (sequence, byte) {
    case (let intermediates?, 0x20...0x2F): sequence = intermediates + [byte]
    case (let intermediates?, _):
      // `ESC $ B` and `ESC $ ( D` choose a set of two bytes, `ESC ( B` one of a single byte. `ESC $ ) C` chooses the set
      // of shift out.
      if intermediates == [Self.dollar] || intermediates == [Self.dollar, Self.parenthesis] { isMultibyte = true }
      if intermediates == [Self.parenthesis] { isMultibyte = false }
      sequence = nil
    case (nil, Byte.escape): sequence = []
    case (nil, Self.shiftOut): isShiftedOut = true
    case (nil, Self.shiftIn): isShiftedOut = false
    default: break
    }
  }

  private static let shiftOut: UInt8 = 0x0E
  private static let shiftIn: UInt8 = 0x0F
  private static let dollar = UInt8(ascii: "$")
  private static let parenthesis = UInt8(ascii: "(")
}
