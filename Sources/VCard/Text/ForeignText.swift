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
