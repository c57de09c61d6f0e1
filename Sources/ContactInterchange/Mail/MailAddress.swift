import VCard

/// An email address with the name of its owner, from the header of an email.
public struct MailAddress: Hashable, Sendable {
  /// The name; empty if there is none.
  public let name: String
  /// The address without brackets.
  public let address: String

  /// Extracts the address from a text: without `<>`, `mailto:` and anything around them.
  /// - Returns: nil if no email could be sent to it (RFC 5321, 4.1.2, and RFC 6531 for letters outside ASCII). An
  ///   address has a name, one `@` and a domain, at most 320 bytes, and no white space, control or format characters, or
  ///   punctuation of a list of addresses, except in a quoted name (`"john doe"@example.com`).
  public static func bare(_ text: String) -> String? { isPlain(text) ? text : extracted(text) }

  /// Takes apart what somebody typed or pasted for an address: `Ann <ann@example.com>`, `mailto:ann@example.com`, or
  /// several addresses with commas or semicolons between them.
  /// - Returns: nil if the text is anything but addresses and names.
  public static func all(in text: String) -> [MailAddress]? {
    if isPlain(text) { return [MailAddress(name: "", address: text)] }
    // Only `ann@example.com (Ann)` has a comment: in `$(id)@example.com`, parentheses are part of what was meant.
    if text.contains(/[^ ]\(/) { return nil }
    var rest = text.trimmed[...]
    if rest.prefix(7).lowercased() == "mailto:" { rest = rest.prefix { $0 != "?" } }
    var addresses = ""
    while let first = rest.first {
      if first.lowercased() == "m", rest.prefix(7).lowercased() == "mailto:" {
        rest = rest.dropFirst(7)
      } else {
        addresses.append(first)
        rest = rest.dropFirst()
      }
    }
    let list = MailAddressList(addresses)
    return list.isComplete && !list.addresses.isEmpty ? list.addresses : nil
  }

  /// Returns whether a text is an address of only ASCII letters, digits, hyphens and single dots, like most.
  private static func isPlain(_ text: String) -> Bool {
    let (at, dot) = (UInt8(ascii: "@"), UInt8(ascii: "."))
    var (signs, last) = (0, at)
    let isPlain = text.utf8.allSatisfy { byte in
      defer { last = byte }
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): return true
      case at: signs += 1
      case dot: break
      default: return false
      }
      return last != at && (byte == at || last != dot)
    }
    return isPlain && signs == 1 && last != at && last != dot && text.utf8.count <= limit
  }

  /// The size limit in bytes.
  private static let limit = 320

  /// Extracts the address as ``bare(_:)`` does, without its fast path for plain addresses.
  static func extracted(_ text: String) -> String? {
    // Compares scalars, because a sign and a combining mark after it are one `Character`.
    var rest = text.trimmed.unicodeScalars[...]
    if let open = rest.lastIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      rest = rest[rest.index(after: open)..<close]
    }
    if String(rest.prefix(7)).lowercased() == "mailto:" {
      rest = rest.dropFirst(7)
      if let query = rest.firstIndex(of: "?") { rest = rest[..<query] }
    }
    let address = String(rest).trimmed
    return isValid(address) ? address : nil
  }

  private static func isValid(_ text: String) -> Bool {
    let address = text.unicodeScalars
    guard let at = address.lastIndex(of: "@"), at != address.startIndex, text.utf8.count <= limit else { return false }
    let domain = address[address.index(after: at)...]
    guard domain.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty }),
      !domain.contains(where: { "@_!#$%&'*+/=?^`{|}~".unicodeScalars.contains($0) })
    else { return false }
    let name = address[..<at]
    if name.first == "\"" { return domain.allSatisfy(isPlain) && isQuoted(name.dropFirst()) }
    return address.allSatisfy { $0 == "@" || isPlain($0) } && !name.contains("@")
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x20 && !(0x7F...0xA0).contains(scalar.value) && !"\"\\<>,;:()".unicodeScalars.contains(scalar)
      && !scalar.properties.isWhitespace && scalar.properties.generalCategory != .format
  }

  /// Returns whether a text is that of a quoted string after its first quotation mark (RFC 5321, 4.1.2).
  private static func isQuoted(_ text: Substring.UnicodeScalarView) -> Bool {
    var rest = text
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return rest.isEmpty && text.count > 1
      case "\\": if rest.popFirst() == nil { return false }
      default:
        let isHidden = scalar.properties.generalCategory == .format || (0x7F...0x9F).contains(scalar.value)
        if scalar.value < 0x20 || isHidden { return false }
      }
    }
    return false
  }

  /// Returns a key that is equal for equal addresses. Case does not matter in the domain; before the `@`, hardly any
  /// server distinguishes it.
  public static func key(of address: String) -> String { address.lowercased() }
}

/// Encoded words in a header: `=?GBK?B?1cW6og==?=` (RFC 2047).
enum EncodedWord {
  private struct Word {
    let charset: String
    let bytes: [UInt8]
  }

  /// Returns the text with its encoded words decoded. White space between two of them is not part of the text, and a
  /// character may be split between two in the same charset.
  static func decode(_ text: String) -> String {
    guard text.contains("=?") else { return text }
    var result = ""
    var open: Word?
    func close(_ result: inout String) {
      if let word = open { result += string(word) }
      open = nil
    }
    var rest = text[...]
    while !rest.isEmpty {
      if let (word, end) = word(rest) {
        if let present = open, present.charset == word.charset {
          open = Word(charset: present.charset, bytes: present.bytes + word.bytes)
        } else {
          close(&result)
          open = word
        }
        rest = rest[end...]
        let blanks = rest.prefix { $0.isWhitespace }
        let behind = rest.dropFirst(blanks.count)
        if !blanks.isEmpty, self.word(behind) != nil { rest = behind }
      } else {
        close(&result)
        result.append(rest.removeFirst())
      }
    }
    close(&result)
    return result
  }

  /// Returns the encoded word at the beginning of a text, and where it ends; nil if there is none.
  private static func word(_ text: Substring) -> (Word, Substring.Index)? {
    guard text.hasPrefix("=?") else { return nil }
    // The encoded text has no question marks, so it ends at the third one after `=?`.
    let parts = text.dropFirst(2).split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[3].first == "=", !parts[0].isEmpty, parts[0].count <= 60 else { return nil }
    // RFC 2231: a language may follow the charset.
    let charset = parts[0].prefix { $0 != "*" }.lowercased()
    let bytes: [UInt8]
    switch parts[1] {
    case "B", "b":
      guard let decoded = Base64.decode(parts[2].utf8) else { return nil }
      bytes = decoded
    case "Q", "q": bytes = quotedPrintable(parts[2].utf8)
    default: return nil
    }
    return (Word(charset: charset, bytes: bytes), text.index(after: parts[3].startIndex))
  }

  private static func quotedPrintable(_ text: Substring.UTF8View) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "_") {
        result.append(0x20)
      } else if byte == UInt8(ascii: "="), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 2
      {
        result.append(code)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  private static func string(_ word: Word) -> String {
    (ForeignText(charset: word.charset) ?? ForeignText()).text(of: word.bytes).text
  }
}
