/// The bytes of a stream of JSON, and the arrays and objects in it, which are not parsed.
struct JSONBytes<Failure: Error> {
  /// The maximum size of an array or object, in bytes.
  private static var limit: Int { 64 << 20 }

  private let source: () throws(Failure) -> [UInt8]?
  private var chunk: [UInt8] = []
  private var position = 0
  /// The line of the next byte, from 1.
  private(set) var line = 1

  init(source: @escaping () throws(Failure) -> [UInt8]?) { self.source = source }

  mutating func next() throws(Failure) -> UInt8? {
    guard try isAvailable() else { return nil }
    defer { position += 1 }
    if chunk[position] == 0x0A { line += 1 }
    return chunk[position]
  }

  /// Returns the next byte that is not white space, which ``next()`` still returns; nil at the end.
  mutating func peek() throws(Failure) -> UInt8? {
    while try isAvailable() {
      guard [0x09, 0x0A, 0x0D, 0x20].contains(chunk[position]) else { return chunk[position] }
      _ = try next()
    }
    return nil
  }

  /// Returns the array or object whose bracket was the last byte; nil if it has no end or is too long.
  mutating func value(from bracket: UInt8) throws(Failure) -> [UInt8]? {
    var bytes = [bracket]
    var depth = 1
    var isText = false
    var isEscaped = false
    while depth > 0 {
      guard let byte = try next(), bytes.count < Self.limit else { return nil }
      bytes.append(byte)
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
    return bytes
  }

  private mutating func isAvailable() throws(Failure) -> Bool {
    while position >= chunk.count {
      guard let next = try source() else { return false }
      chunk = next
      position = 0
    }
    return true
  }
}
