/// The lines that begin and end a card. Case, blanks and a group are ignored, because each of these forms is recognized
/// by some program.
enum CardDelimiter {
  static func isBegin(_ line: UnsafeBufferPointer<UInt8>, allowingMark: Bool = false) -> Bool {
    var start = 0
    // A byte order mark may precede the first card, and others where files were concatenated.
    if allowingMark, line.count > 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF { start = 3 }
    return matches(line, from: start, "BEGIN")
  }

  static func isEnd(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    matches(line, from: 0, "END")
  }

  /// Returns true for a BEGIN or END of anything other than a card, such as a truncated `END:`, if ``isBegin`` and
  /// ``isEnd(_:)`` are false.
  static func isOther(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = line.baseAddress else { return false }
    return line.count >= 4 && Byte.equal(base, 4, "END:") || line.count >= 6 && Byte.equal(base, 6, "BEGIN:")
  }

  private static func matches(_ line: UnsafeBufferPointer<UInt8>, from start: Int, _ name: StaticString) -> Bool {
    guard let base = line.baseAddress else { return false }
    // Most lines end with something else.
    var end = line.count
    while end > start, Byte.isSpace(line[end - 1]) { end -= 1 }
    guard end > start, line[end - 1] | 0x20 == UInt8(ascii: "d") else { return false }
    var position = start
    func skipBlanks() {
      while position < line.count, Byte.isSpace(line[position]) { position += 1 }
    }
    func consume(_ word: StaticString) -> Bool {
      let length = word.utf8CodeUnitCount
      guard position + length <= line.count, Byte.equal(base + position, length, word) else { return false }
      position += length
      return true
    }
    func skipGroup() {
      var end = position
      while end < line.count, Byte.isGroupByte(line[end]) || Byte.isSpace(line[end]) { end += 1 }
      if end < line.count, line[end] == Byte.dot { position = end + 1 }
    }
    skipGroup()
    skipBlanks()
    guard consume(name) else { return false }
    skipBlanks()
    guard consume(":") else { return false }
    skipBlanks()
    guard consume("VCARD") else { return false }
    skipBlanks()
    return position == line.count
  }
}
