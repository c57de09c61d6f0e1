import Glibc

/// Reads Apple's `.strings` format: `"key" = "value";` with comments and the escapes `\n \t \r \" \\ \Uxxxx \uxxxx`.
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
    let start: Int32
    let end: Int32
    let hasEscapes: Bool

    var range: Range<Int> { Int(start)..<Int(end) }
  }

  private struct Pair {
    let hash: UInt32
    let key: Piece
    var value: Piece
  }

  /// The usual size of a pair in bytes, to reserve memory for all of them at once.
  private static let usualBytes = 40

  private let bytes: [UInt8]
  /// The texts remain bytes until they are needed: a screen shows few of them.
  private var pairs: [Pair] = []
  /// A hash table of the pairs, with linear probing: the index of a pair plus 1, or 0. Its size is a power of two. It
  /// takes a sixth of the memory of a dictionary, which shortens the time to the first screen.
  private var slots: [Int32] = []

  /// Reads the pairs of a file in UTF-8. The last of several equal keys wins.
  init(parsing bytes: [UInt8]) throws(SyntaxError) {
    self.bytes = bytes
    guard bytes.count < Int32.max else { throw SyntaxError(line: 1, expected: "a smaller file") }
    pairs.reserveCapacity(bytes.count / Self.usualBytes)
    grow(to: max(16, bytes.count / Self.usualBytes * 2))
    var scanner = Scanner()
    scanner.skipMark(bytes)
    while let (key, value) = try scanner.pair(bytes) { set(value, for: key) }
  }

  /// The string of a key; nil if the file does not have it.
  subscript(key: String) -> String? {
    var slot = Int(Self.hash(key.utf8)) & (slots.count - 1)
    while slots[slot] != 0 {
      let pair = pairs[Int(slots[slot]) - 1]
      if text(pair.key) == key { return text(pair.value) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Computes FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). It is safe here because the keys come with the
  /// program, so nobody can choose keys that collide.
  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811c_9dc5
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return hash
  }

  private mutating func set(_ value: Piece, for key: Piece) {
    let hash = key.hasEscapes ? Self.hash(text(key).utf8) : Self.hash(bytes[key.range])
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if pairs[index].hash == hash, text(pairs[index].key) == text(key) {
        pairs[index].value = value
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    pairs.append(Pair(hash: hash, key: key, value: value))
    slots[slot] = Int32(pairs.count)
    if pairs.count * 4 > slots.count * 3 { grow(to: slots.count * 2) }
  }

  private mutating func grow(to count: Int) {
    var size = 16
    while size < count { size *= 2 }
    slots = Array(repeating: 0, count: size)
    for (index, pair) in pairs.enumerated() {
      var slot = Int(pair.hash) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = Int32(index + 1)
    }
  }

  private func text(_ piece: Piece) -> String {
    guard piece.hasEscapes else { return String(decoding: bytes[piece.range], as: UTF8.self) }
    var scanner = Scanner(position: Int(piece.start))
    var text: [UInt8] = []
    while scanner.position < piece.end {
      let byte = bytes[scanner.position]
      scanner.position += 1
      // The escapes are valid: the file was already parsed.
      if byte == UInt8(ascii: "\\"), let escaped = try? scanner.escaped(bytes) {
        text += escaped
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension StringsFile {
  private struct Scanner {
    var position = 0

    mutating func skipMark(_ bytes: [UInt8]) {
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Reads the next pair; nil at the end.
    mutating func pair(_ bytes: [UInt8]) throws(SyntaxError) -> (key: Piece, value: Piece)? {
      try skipBlanks(bytes)
      guard position < bytes.count else { return nil }
      let key = try quoted(bytes)
      try expect("=", bytes)
      let value = try quoted(bytes)
      try expect(";", bytes)
      return (key, value)
    }

    private mutating func expect(_ character: Unicode.Scalar, _ bytes: [UInt8]) throws(SyntaxError) {
      try skipBlanks(bytes)
      guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
        throw failure(String(character), bytes)
      }
      position += 1
      try skipBlanks(bytes)
    }

    /// Reads a quoted text and checks its escapes.
    private mutating func quoted(_ bytes: [UInt8]) throws(SyntaxError) -> Piece {
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw failure("\"", bytes) }
      position += 1
      let start = position
      var hasEscapes = false
      while let end = Self.first(UInt8(ascii: "\""), in: bytes, position..<bytes.count) {
        guard let escape = Self.first(UInt8(ascii: "\\"), in: bytes, position..<end) else {
          position = end + 1
          return Piece(start: Int32(start), end: Int32(end), hasEscapes: hasEscapes)
        }
        hasEscapes = true
        position = escape + 1
        _ = try escaped(bytes)
      }
      position = bytes.count
      throw failure("\"", bytes)
    }

    /// Finds a byte with `memchr`, which compares several bytes at once.
    private static func first(_ byte: UInt8, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
      bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, let found = memchr(start + range.lowerBound, Int32(byte), range.count)
        else {
          return nil
        }
        return UnsafeRawPointer(found) - start
      }
    }

    mutating func escaped(_ bytes: [UInt8]) throws(SyntaxError) -> [UInt8] {
      guard position < bytes.count else { throw failure("an escape", bytes) }
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
        else { throw failure("four hexadecimal digits", bytes) }
        position += 4
        return Array(String(scalar).utf8)
      default: return [byte]
      }
    }

    private mutating func skipBlanks(_ bytes: [UInt8]) throws(SyntaxError) {
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
          guard position + 1 < bytes.count else { throw failure("*/", bytes) }
          position += 2
        default: return
        }
      }
    }

    private func failure(_ expected: String, _ bytes: [UInt8]) -> SyntaxError {
      SyntaxError(line: 1 + bytes[0..<min(position, bytes.count)].count { $0 == 0x0A }, expected: expected)
    }
  }
}
