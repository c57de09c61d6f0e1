/// Reads Apple's `.strings` format: `"key" = "value";` with comments and the escapes `\n \t \r \" \\ \Uxxxx`.
///
/// https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/LoadingResources/Strings/Strings.html
struct StringsFile {
  /// Why parsing failed, and where.
  struct SyntaxError: Error, Hashable, CustomStringConvertible {
    let line: Int
    let expected: String
    var description: String { "line \(line): expected \(expected)" }
  }

  /// The usual size of a pair, to reserve memory for all of them at once.
  private static let usualBytes = 40

  private let bytes: [UInt8]
  private var position = 0

  /// Parses the pairs of a file in UTF-8. The last of several equal keys wins.
  static func parse(_ bytes: [UInt8]) throws(SyntaxError) -> [String: String] {
    var file = StringsFile(bytes: bytes)
    return try file.pairs()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func pairs() throws(SyntaxError) -> [String: String] {
    var found = [String: String](minimumCapacity: bytes.count / Self.usualBytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while true {
      try skipBlanks()
      guard position < bytes.count else { return found }
      let key = try quoted()
      try expect("=")
      let value = try quoted()
      try expect(";")
      found[key] = value
    }
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(SyntaxError) {
    try skipBlanks()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { throw failure(String(character)) }
    position += 1
    try skipBlanks()
  }

  private mutating func quoted() throws(SyntaxError) -> String {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw failure("\"") }
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\\") {
      if bytes[position] == UInt8(ascii: "\"") {
        position += 1
        return String(decoding: bytes[start..<position - 1], as: UTF8.self)
      }
      position += 1
    }
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escaped()
      default: text.append(byte)
      }
    }
    throw failure("\"")
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
