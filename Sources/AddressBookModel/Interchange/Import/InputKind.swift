import ContactInterchange
import VCard

/// The type of an input by its first bytes: a wrong file is reported at once.
enum InputKind: Hashable {
  /// Text in a format that can be imported; text in no known format is treated as vCard.
  case text(ImportFormat)
  case empty
  /// Compressed, with the program that unpacks it.
  case compressed(unpackedBy: String)
  /// Another type of file, by name, such as `PNG` or `HTML`.
  case foreign(String)

  /// - Parameter map: the columns of CSV that the user mapped; a file that has them is recognized as CSV.
  init(_ bytes: [UInt8], map: [CSVMapping] = []) {
    if bytes.isEmpty {
      self = .empty
    } else if let signature = FileSignature(of: bytes) {
      self = signature.unpacker.map { .compressed(unpackedBy: $0) } ?? .foreign(signature.name)
    } else {
      self = Self.text(bytes, map)
    }
  }

  /// Returns true if more bytes are unlikely to change the answer: the beginning has enough whole lines, a format is
  /// recognized, or there are 4 KiB.
  static func isCertain(_ bytes: [UInt8]) -> Bool {
    if FileSignature(of: bytes) != nil || bytes.count >= 4096 { return true }
    let head = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    if head.first == UInt8(ascii: "#") || head.first == UInt8(ascii: "[") {
      return head.split(separator: 0x0A, omittingEmptySubsequences: false).count > 8
    }
    return head.contains(0x0A) || head.contains(0x0D) || begins(head, with: "begin:vcard")
  }

  private static func text(_ bytes: [UInt8], _ map: [CSVMapping]) -> InputKind {
    if !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) { return .foreign("zeros") }
    let head = Array(TextInput.beginning(of: Array(bytes.prefix(8192))).drop { $0 <= 0x20 })
    guard let byte = head.first else { return .text(.vCard) }
    if begins(head[...], with: "<!doctype html") || begins(head[...], with: "<html") { return .foreign("HTML") }
    if begins(head[...], with: "<?xml") || begins(head[...], with: "<vcards") { return .foreign("XML") }
    if byte == UInt8(ascii: "{") { return .text(.json) }
    // Skip comments, which LDIF and abook's file may begin with.
    let lines = head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).filter { $0.first != UInt8(ascii: "#") }
    let first = lines.first ?? head[...]
    if begins(head[...], with: "# abook") || begins(first, with: "[format]") { return .text(.abook) }
    if byte == UInt8(ascii: "[") { return .text(isJCard(head) ? .jCard : .json) }
    if begins(first, with: "version: 1") || begins(first, with: "version:1") || begins(first, with: "dn:") {
      return .text(.ldif)
    }
    if begins(first, with: "begin:vcard") { return .text(.vCard) }
    return .text(CSVFormat.isLikely(head, map: map) ? .csv : .vCard)
  }

  /// Returns true if a text begins with `["vcard"` or `[["vcard"`, ignoring blanks.
  private static func isJCard(_ head: [UInt8]) -> Bool {
    let signs = head.prefix(256).filter { $0 > 0x20 }
    return begins(signs[...], with: "[\"vcard\"") || begins(signs[...], with: "[[\"vcard\"")
  }

  private static func begins(_ text: ArraySlice<UInt8>, with word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      text.count >= word.count && zip(text, word).allSatisfy { ($0 | ($0 >= 0x41 && $0 <= 0x5A ? 0x20 : 0)) == $1 }
    }
  }
}
