/// The repair of almost valid UTF-8: NUL and damage become U+FFFD, surrogate pairs become their character.
enum UTF8Repair {
  /// Returns the repaired text and the number of U+FFFD in place of NUL and damaged bytes.
  static func repair(_ bytes: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], replaced: Int) {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 8)
    var replaced = 0
    guard let base = bytes.baseAddress else { return ([], 0) }
    let end = bytes.count
    var position = 0
    func replace(_ count: Int) {
      result += [0xEF, 0xBF, 0xBD]
      replaced += 1
      position += count
    }
    while position < end {
      let byte = base[position]
      if byte < 0x80 {
        if byte == 0 {
          replace(1)
        } else {
          result.append(byte)
          position += 1
        }
        continue
      }
      switch UTF8Survey.sequence(base + position, end - position) {
      case .valid(let length):
        result.append(contentsOf: bytes[position..<position + length])
        position += length
      case .surrogate:
        let first = scalar(base + position)
        if first < 0xDC00, end - position >= 6, base[position + 3] == 0xED,
          case .surrogate = UTF8Survey.sequence(base + position + 3, end - position - 3),
          case let second = scalar(base + position + 3), second >= 0xDC00,
          let character = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        {
          result.append(contentsOf: UTF8.encode(character)?.map { $0 } ?? [])
          position += 6
        } else {
          replace(3)
        }
      case .bad: replace(1)
      }
    }
    return (result, replaced)
  }

  private static func scalar(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
    UInt32(bytes[0] & 0x0F) << 12 | UInt32(bytes[1] & 0x3F) << 6 | UInt32(bytes[2] & 0x3F)
  }
}
