/// Splits a stream of jCards (RFC 7095): one, an array of them, or consecutive ones. Only one is in memory at a time.
struct JCardElements<Failure: Error> {
  /// The next item of the stream.
  enum Element {
    /// The bytes of one jCard, and the line where it begins, from 1.
    case card(line: Int, bytes: [UInt8])
    /// Not a jCard on this line; nothing comes after it.
    case malformed(line: Int)
  }

  /// The largest jCard in bytes.
  private static var limit: Int { 64 << 20 }

  private var input: () throws(Failure) -> [UInt8]?
  private var chunk: [UInt8] = []
  private var place = 0
  private var line = 1
  private var isInArray = false
  private var isBroken = false

  init(source: @escaping () throws(Failure) -> [UInt8]?) { input = source }

  /// The next jCard, or nil at the end.
  mutating func next() throws(Failure) -> Element? {
    while !isBroken, let byte = try take() {
      switch byte {
      case 0x0A: line += 1
      case 0x09, 0x0D, 0x20, 0xEF, 0xBB, 0xBF, UInt8(ascii: ","): break
      case UInt8(ascii: "["):
        // Blanks and the next sign say whether this is an array of jCards or one itself.
        guard let next = try peek() else { return malformed() }
        if next == UInt8(ascii: "\"") { return try card() }
        guard !isInArray, next == UInt8(ascii: "[") || next == UInt8(ascii: "]") else { return malformed() }
        isInArray = true
      case UInt8(ascii: "]") where isInArray: isInArray = false
      default: return malformed()
      }
    }
    return isInArray && !isBroken ? malformed() : nil
  }

  private mutating func card() throws(Failure) -> Element {
    let start = line
    var bytes = [UInt8(ascii: "[")]
    var depth = 1
    var isText = false
    var isEscaped = false
    while depth > 0 {
      guard let byte = try take(), bytes.count < Self.limit else { return malformed() }
      bytes.append(byte)
      if byte == 0x0A { line += 1 }
      if isEscaped {
        isEscaped = false
      } else if isText {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isText = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
    }
    return .card(line: start, bytes: bytes)
  }

  /// The next byte that is not a blank, which is not consumed.
  private mutating func peek() throws(Failure) -> UInt8? {
    while let byte = try take() {
      if byte == 0x0A { line += 1 }
      guard [0x09, 0x0A, 0x0D, 0x20].contains(byte) else {
        place -= 1
        return byte
      }
    }
    return nil
  }

  private mutating func take() throws(Failure) -> UInt8? {
    while place >= chunk.count {
      guard let next = try input() else { return nil }
      chunk = next
      place = 0
    }
    defer { place += 1 }
    return chunk[place]
  }

  private mutating func malformed() -> Element {
    isBroken = true
    return .malformed(line: line)
  }
}
