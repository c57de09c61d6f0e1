/// A term compared letter by letter with email addresses and websites: it may begin anywhere in them. A single letter
/// must be at the start or after the @, or it would match nearly every contact.
struct LiteralPattern: Hashable, Sendable {
  /// Folded UTF-8.
  let needle: [UInt8]

  /// Each email address in a packed row begins with this byte.
  static let emailMark: UInt8 = 1
  /// Each website in a packed row begins with this byte.
  static let urlMark: UInt8 = 2

  init(_ values: some Sequence<UInt32>) {
    needle = Array(Folded.utf8(values))
  }

  var isSingleLetter: Bool { needle.count == 1 && needle[0] >= 0x61 && needle[0] <= 0x7A }

  /// The byte strings of which a row must have one.
  var needles: [[UInt8]] {
    guard isSingleLetter else { return [needle] }
    return [LiteralPattern.emailMark, LiteralPattern.urlMark, UInt8(ascii: "@")].map { [$0] + needle }
  }

  /// Returns whether the term matches at a position of a row, which begins with a mark.
  @inline(__always)
  func matches(_ row: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    guard position + needle.count <= row.count else { return false }
    for offset in needle.indices where row[position + offset] != needle[offset] { return false }
    return !isSingleLetter || row[position - 1] == UInt8(ascii: "@") || row[position - 1] < 3
  }

  /// Returns the best match in one email address or website, which begins with its mark: the range of bytes and the
  /// value of the match, at most 2700.
  func best(in row: UnsafeBufferPointer<UInt8>) -> (range: Range<Int>, value: Int)? {
    guard let first = needle.first, row.count > needle.count else { return nil }
    var best: (range: Range<Int>, value: Int)?
    let length = row.count - 1
    let share = PathFinder.shareBonus * needle.count / length
    for position in 1...(row.count - needle.count) where row[position] == first && matches(row, at: position) {
      let startsWord = !LiteralPattern.isWordByte(row[position - 1])
      var value = share + (position == 1 ? 1500 : startsWord ? 800 : 0)
      if needle.count == length { value += 900 }
      if value > best?.value ?? .min { best = (position..<(position + needle.count), value) }
    }
    return best
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x61 && byte <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte >= 0x80
  }
}

/// Folded strings as bytes, for email addresses and websites.
enum Folded {
  /// Returns the UTF-8 of folded code points. Control characters are left out, so that marks cannot occur in a text.
  static func utf8(_ values: some Sequence<UInt32>) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values where value >= 0x20 { append(value, to: &bytes) }
    return bytes
  }

  /// Returns the folded UTF-8 of a string, and for each byte the code point of its normalization form C that it came
  /// from.
  static func bytes(of text: String, sources: UnsafeMutablePointer<[Int]>? = nil) -> [UInt8] {
    var scalars: [UInt32] = []
    CanonicalForm.append(text, to: &scalars)
    var bytes: [UInt8] = []
    var folded: [UInt32] = []
    for (index, value) in scalars.enumerated() {
      folded.removeAll(keepingCapacity: true)
      ScalarFolding.append(value, to: &folded)
      for letter in folded where letter >= 0x20 { append(letter, to: &bytes) }
      while let count = sources?.pointee.count, count < bytes.count { sources?.pointee.append(index) }
    }
    return bytes
  }

  /// Appends ``bytes(of:sources:)`` of a text, which is usually ASCII.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    guard text.isASCII else { return bytes += Folded.bytes(of: String(decoding: text, as: UTF8.self)) }
    for byte in text where byte >= 0x20 { bytes.append(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
  }

  private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    if value < 0x80 {
      bytes.append(UInt8(value))
    } else if let encoded = Unicode.Scalar(value).flatMap(UTF8.encode) {
      bytes.append(contentsOf: encoded)
    }
  }
}
