/// What the first bytes of an input are, so that a person who picked the wrong file is told so at once.
enum InputKind: Hashable {
  case vCard
  case json
  case empty
  /// Compressed: the program that unpacks it.
  case compressed(unpackedBy: String)
  /// Something else: its name, such as `PNG` or `HTML`.
  case foreign(String)

  init(_ bytes: [UInt8]) {
    if bytes.isEmpty {
      self = .empty
    } else if let (_, program) = Self.compressed.first(where: { bytes.starts(with: $0.magic) }) {
      self = .compressed(unpackedBy: program)
    } else if let (_, name) = Self.foreign.first(where: { bytes.starts(with: $0.magic) }) {
      self = .foreign(name)
    } else {
      self = Self.text(bytes)
    }
  }

  private static let compressed: [(magic: [UInt8], program: String)] = [
    ([0x1F, 0x8B], "gzip -dc"), (Array("BZh".utf8), "bzip2 -dc"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz -dc"),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd -dc"), ([0x50, 0x4B, 0x03, 0x04], "unzip -p"),
  ]

  private static let foreign: [(magic: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0xFF, 0xD8, 0xFF], "JPEG"), (Array("GIF8".utf8), "GIF"),
    (Array("%PDF".utf8), "PDF"), (Array("SQLite format 3".utf8), "SQLite"), ([0x7F, 0x45, 0x4C, 0x46], "ELF"),
    (Array("RIFF".utf8), "RIFF"), (Array("bplist".utf8), "property list"),
  ]

  private static func text(_ bytes: [UInt8]) -> InputKind {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let head = bytes[start...].drop { $0 <= 0x20 }.prefix(4096)
    guard let byte = head.first else { return bytes.allSatisfy { $0 == 0 } ? .foreign("zeros") : .vCard }
    let begins = String(decoding: head.prefix(64), as: UTF8.self).lowercased()
    if begins.hasPrefix("<!doctype html") || begins.hasPrefix("<html") { return .foreign("HTML") }
    if begins.hasPrefix("<?xml") || begins.hasPrefix("<vcards") { return .foreign("XML") }
    return byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") ? .json : .vCard
  }
}
