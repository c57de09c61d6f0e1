/// The numbers of sequences of each kind in bytes that are read as UTF-8 (Unicode 16, table 3-7).
struct UTF8Survey {
  /// Valid sequences of two bytes.
  var short = 0
  /// Valid sequences of three or four bytes.
  var long = 0
  /// Surrogate halves in three bytes each, as in CESU-8 and Java (UTR 26).
  var surrogates = 0
  /// Invalid bytes.
  var bad = 0
  /// NUL bytes.
  var nul = 0

  var content: ByteContent {
    if surrogates > 0 || bad > 0 || nul > 0 { return .other }
    if long > 0 { return .strongUTF8 }
    return short > 0 ? .weakUTF8 : .ascii
  }

  /// True if the text is clearly UTF-8, even if a few of its bytes are damaged.
  var isMostlyUTF8: Bool {
    bad == 0 || long * 3 + surrogates * 3 + short > bad * 4
  }

  init(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) {
    var position = start
    while position < end {
      // Skip eight bytes at a time while they are ASCII and not NUL.
      while position + 8 <= end {
        let word = UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self)
        let high: UInt64 = 0x8080_8080_8080_8080
        guard word & high == 0, (word &- 0x0101_0101_0101_0101) & ~word & high == 0 else { break }
        position += 8
      }
      guard position < end else { break }
      let byte = bytes[position]
      if byte < 0x80 {
        if byte == 0 { nul += 1 }
        position += 1
        continue
      }
      switch Self.sequence(bytes + position, end - position) {
      case .valid(2):
        short += 1
        position += 2
      case .valid(let length):
        long += 1
        position += length
      case .surrogate:
        surrogates += 1
        position += 3
      case .bad:
        bad += 1
        position += 1
      }
    }
  }

  enum Sequence {
    case valid(Int)
    case surrogate
    case bad
  }

  /// Returns the kind of sequence at the beginning of these bytes, the first of which must not be ASCII.
  @inline(__always)
  static func sequence(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Sequence {
    func trails(_ index: Int) -> Bool { bytes[index] & 0xC0 == 0x80 }
    switch bytes[0] {
    case 0xC2...0xDF: return count > 1 && trails(1) ? .valid(2) : .bad
    case 0xE0...0xEF:
      guard count > 2, trails(1), trails(2) else { return .bad }
      if bytes[0] == 0xE0 && bytes[1] < 0xA0 { return .bad }
      if bytes[0] == 0xED && bytes[1] >= 0xA0 { return .surrogate }
      return .valid(3)
    case 0xF0...0xF4:
      guard count > 3, trails(1), trails(2), trails(3) else { return .bad }
      if bytes[0] == 0xF0 && bytes[1] < 0x90 { return .bad }
      if bytes[0] == 0xF4 && bytes[1] > 0x8F { return .bad }
      return .valid(4)
    default: return .bad
    }
  }
}

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
