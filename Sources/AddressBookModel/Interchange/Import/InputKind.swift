import VCard

/// The type of an input by its first bytes, so that a wrong file is reported at once.
enum InputKind: Hashable {
  case vCard
  case json
  case empty
  /// Compressed, with the program that unpacks it.
  case compressed(unpackedBy: String)
  /// Another type of file, by name, such as `PNG` or `HTML`.
  case foreign(String)

  init(_ bytes: [UInt8]) {
    if bytes.isEmpty {
      self = .empty
    } else if let signature = FileSignature(of: bytes) {
      self = signature.unpacker.map { .compressed(unpackedBy: $0) } ?? .foreign(signature.name)
    } else {
      self = Self.text(bytes)
    }
  }

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
