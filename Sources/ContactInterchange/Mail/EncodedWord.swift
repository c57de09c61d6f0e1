import VCard

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
