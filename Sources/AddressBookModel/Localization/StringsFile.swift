/// Reads Apple's `.strings` format: `"key" = "value";` with comments and the escapes `\n \t \r \" \\ \Uxxxx`.
///
/// https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/LoadingResources/Strings/Strings.html
struct StringsFile: Sendable {
  /// Why parsing failed, and where.
  struct SyntaxError: Error, Hashable, CustomStringConvertible {
    let line: Int
    let expected: String
    var description: String { "line \(line): expected \(expected)" }
  }

  /// A part of the file between quotation marks.
  private struct Piece {
    let range: Range<Int>
    let hasEscapes: Bool
  }

  private struct Pair {
    let key: Piece
    let value: Piece
  }

  /// The usual size of a pair, to reserve memory for all of them at once.
  private static let usualBytes = 40

  private let bytes: [UInt8]
  private var position = 0
  /// By the hash of the key. The texts stay bytes until they are needed: a screen shows few of them.
  private var pairs: [UInt64: Pair] = [:]
  /// The pairs whose key has the same hash as an earlier one.
  private var others: [String: String] = [:]

  /// Reads the pairs of a file in UTF-8. The last of several equal keys wins.
  init(parsing bytes: [UInt8]) throws(SyntaxError) {
    self.bytes = bytes
    try readPairs()
  }

  /// Parses the pairs of a file in UTF-8. The last of several equal keys wins.
  static func parse(_ bytes: [UInt8]) throws(SyntaxError) -> [String: String] {
    let file = try StringsFile(parsing: bytes)
    var found = file.others
    for pair in file.pairs.values { found[file.text(pair.key)] = file.text(pair.value) }
    return found
  }

  /// The string of a key; nil if the file does not have it.
  subscript(key: String) -> String? {
    if let pair = pairs[Self.hash(key.utf8)], text(pair.key) == key { return text(pair.value) }
    return others[key]
  }

  /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). It is safe here because the keys come with the program, so
  /// nobody can choose keys that collide.
  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }

  private mutating func readPairs() throws(SyntaxError) {
    pairs.reserveCapacity(bytes.count / Self.usualBytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while true {
      try skipBlanks()
      guard position < bytes.count else { return }
      let key = try quoted()
      try expect("=")
      let value = try quoted()
      try expect(";")
      let hash = key.hasEscapes ? Self.hash(text(key).utf8) : Self.hash(bytes[key.range])
      if let known = pairs.updateValue(Pair(key: key, value: value), forKey: hash), text(known.key) != text(key) {
        pairs[hash] = known
        others[text(key)] = text(value)
      }
    }
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(SyntaxError) {
    try skipBlanks()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { throw failure(String(character)) }
    position += 1
    try skipBlanks()
  }

  /// Steps over a quoted text, which must be valid.
  private mutating func quoted() throws(SyntaxError) -> Piece {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw failure("\"") }
    position += 1
    let start = position
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return Piece(range: start..<position - 1, hasEscapes: hasEscapes) }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        _ = try escaped()
      }
    }
    throw failure("\"")
  }

  private func text(_ piece: Piece) -> String {
    guard piece.hasEscapes else { return String(decoding: bytes[piece.range], as: UTF8.self) }
    var file = self
    file.position = piece.range.lowerBound
    var text: [UInt8] = []
    while file.position < piece.range.upperBound {
      let byte = bytes[file.position]
      file.position += 1
      // Valid: the file has been read once.
      if byte == UInt8(ascii: "\\"), let escaped = try? file.escaped() { text += escaped } else { text.append(byte) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escaped() throws(SyntaxError) -> [UInt8] {
    guard position < bytes.count else { throw failure("an escape") }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "U"), UInt8(ascii: "u"):
      guard position + 4 <= bytes.count,
        let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(code)
      else { throw failure("four hexadecimal digits") }
      position += 4
      return Array(String(scalar).utf8)
    default: return [byte]
    }
  }

  private mutating func skipBlanks() throws(SyntaxError) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case UInt8(ascii: "/") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "/"):
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
      case UInt8(ascii: "/") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "*"):
        position += 2
        while position + 1 < bytes.count,
          !(bytes[position] == UInt8(ascii: "*") && bytes[position + 1] == UInt8(ascii: "/"))
        {
          position += 1
        }
        guard position + 1 < bytes.count else { throw failure("*/") }
        position += 2
      default: return
      }
    }
  }

  private func failure(_ expected: String) -> SyntaxError {
    SyntaxError(line: 1 + bytes[0..<min(position, bytes.count)].count { $0 == 0x0A }, expected: expected)
  }
}
