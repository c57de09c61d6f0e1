/// The jCards in a stream (RFC 7095): one, an array of them, or consecutive ones. Only one is in memory at a time.
struct JCardElements<Failure: Error> {
  enum Element {
    /// The bytes of one jCard, and the line where it begins, from 1.
    case card(line: Int, bytes: [UInt8])
    /// Not a jCard on this line; nothing comes after it.
    case malformed(line: Int)
  }

  private var bytes: JSONBytes<Failure>
  private var isInArray = false
  private var isBroken = false

  init(source: @escaping () throws(Failure) -> [UInt8]?) { bytes = JSONBytes(source: source) }

  mutating func next() throws(Failure) -> Element? {
    while !isBroken, let byte = try bytes.next() {
      switch byte {
      case 0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF, UInt8(ascii: ","): break
      case UInt8(ascii: "["):
        // A jCard begins with a string, an array of jCards with a jCard.
        let start = bytes.line
        switch try bytes.peek() {
        case UInt8(ascii: "\""):
          guard let card = try bytes.value(from: byte) else { return malformed() }
          return .card(line: start, bytes: card)
        case UInt8(ascii: "["), UInt8(ascii: "]"): guard !isInArray else { return malformed() }
        default: return malformed()
        }
        isInArray = true
      case UInt8(ascii: "]") where isInArray: isInArray = false
      default: return malformed()
      }
    }
    return isInArray && !isBroken ? malformed() : nil
  }

  private mutating func malformed() -> Element {
    isBroken = true
    return .malformed(line: bytes.line)
  }
}
