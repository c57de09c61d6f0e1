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

/// Lines between cards, collected into one diagnostic.
struct StrayText {
  private(set) var firstLine = 0
  private(set) var bytes = 0
  private var lines = 0
  private var beginning = ""

  mutating func add(_ line: UnsafeBufferPointer<UInt8>, number: Int) {
    bytes += line.count + 1
    guard line.contains(where: { !Byte.isSpace($0) }) else { return }
    if lines == 0 {
      firstLine = number
      beginning = Excerpt.of(line)
    }
    lines += 1
  }

  /// Returns the diagnostic for the collected lines, if any, and starts over.
  mutating func finding() -> Diagnostic? {
    defer { self = StrayText() }
    guard lines > 0 else { return nil }
    return Diagnostic(line: firstLine, problem: .textOutsideCard(lines: lines, beginning: beginning))
  }
}

/// The beginning of a line, for a message.
enum Excerpt {
  /// Returns up to 60 bytes of the line, without control characters.
  static func of(_ line: UnsafeBufferPointer<UInt8>) -> String {
    let text = String(decoding: line.prefix(60), as: UTF8.self)
    let cleaned = text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    return String(String.UnicodeScalarView(cleaned))
  }
}

/// The type of a file by its first bytes, if they show that it is not text.
public struct FileSignature: Hashable, Sendable {
  /// The common name of the type, such as `PNG`.
  public let name: String
  /// The command that unpacks the file to standard output, if it is compressed.
  public let unpacker: String?
  private let bytes: [UInt8]

  /// The number of bytes that tell the type.
  static let length = 16

  /// Finds the signature with which these bytes begin; nil for text and for unknown types.
  /// - Parameter bytes: the first 16 bytes, or more.
  public init?(of bytes: [UInt8]) {
    guard let known = Self.known.first(where: { bytes.starts(with: $0.bytes) }) else { return nil }
    self = known
  }

  private init(_ name: String, _ bytes: [UInt8], unpacker: String? = nil) {
    self.name = name
    self.bytes = bytes
    self.unpacker = unpacker
  }

  private static let known = [
    FileSignature("gzip", [0x1F, 0x8B], unpacker: "gzip -dc"),
    FileSignature("bzip2", Array("BZh".utf8), unpacker: "bzip2 -dc"),
    FileSignature("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A], unpacker: "xz -dc"),
    FileSignature("zstd", [0x28, 0xB5, 0x2F, 0xFD], unpacker: "zstd -dc"),
    FileSignature("ZIP", [0x50, 0x4B, 0x03, 0x04], unpacker: "unzip -p"),
    FileSignature("PNG", [0x89, 0x50, 0x4E, 0x47]),
    FileSignature("JPEG", [0xFF, 0xD8, 0xFF]),
    FileSignature("GIF", Array("GIF8".utf8)),
    FileSignature("PDF", Array("%PDF".utf8)),
    FileSignature("SQLite", Array("SQLite format 3".utf8)),
    FileSignature("ELF", [0x7F, 0x45, 0x4C, 0x46]),
    FileSignature("RIFF", Array("RIFF".utf8)),
    FileSignature("property list", Array("bplist".utf8)),
  ]
}
