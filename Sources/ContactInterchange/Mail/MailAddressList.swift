import VCard

/// The header of an email (RFC 5322): its fields, unfolded.
public struct MailHeader: Sendable {
  /// How much of a header is read, in bytes.
  public static let limit = 1 << 20

  private var fields: [(name: String, body: [UInt8])] = []
  private let text: ForeignText

  /// Reads the header at the beginning of an email; the body is ignored.
  ///
  /// A line `From …` before it, as in an mbox file, is skipped.
  public init(of mail: [UInt8]) {
    var text = ForeignText()
    text.observe(Array(mail.prefix(Self.limit)))
    self.text = text
    var rest = mail.prefix(Self.limit)
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var isFirst = true
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      var line = rest[..<end]
      rest = rest[min(rest.endIndex, end + 1)...]
      if line.last == 0x0D { line = line.dropLast() }
      if line.isEmpty { return }
      defer { isFirst = false }
      if line.first == 0x20 || line.first == 0x09 {
        if !fields.isEmpty { fields[fields.count - 1].body += line }
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
        if isFirst, line.starts(with: "From ".utf8) { continue }
        // The end of the header.
        return
      }
      let name = String(decoding: line[..<colon], as: UTF8.self).trimmed.lowercased()
      fields.append((name, Array(line[(colon + 1)...])))
    }
  }

  /// Returns the addresses in the first field with this name that has any; empty if there is none.
  /// - Parameter name: the name of the field, in lower case.
  public func addresses(in name: String) -> [MailAddress] {
    for field in fields where field.name == name {
      let found = MailAddressList(text.text(of: field.body).text).addresses
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Returns the text of the first field with this name; nil if there is none.
  /// - Parameter name: the name of the field, in lower case.
  public func text(of name: String) -> String? {
    fields.first { $0.name == name }.map { text.text(of: $0.body).text }
  }
}

/// The addresses of a header field such as From (RFC 5322, 3.4), which may have quoted names, comments, groups and
/// encoded words.
struct MailAddressList {
  private(set) var addresses: [MailAddress] = []
  /// False if something other than addresses with their names was left out.
  private(set) var isComplete = true

  private enum Token {
    case word(String)
    case quoted(String)
    case comment(String)
    case special(Unicode.Scalar)
  }

  init(_ body: String) {
    var name: [Token] = []
    var angle: String?
    var comment = ""
    var isInAngle = false
    func finish(_ addresses: inout [MailAddress], _ isComplete: inout Bool) {
      let count = addresses.count
      defer {
        if addresses.count == count, !name.isEmpty || angle != nil { isComplete = false }
        name = []
        angle = nil
        comment = ""
        isInAngle = false
      }
      if let angle {
        guard let address = MailAddress.bare(angle) else { return }
        let phrase = Self.phrase(name)
        addresses.append(MailAddress(name: phrase.isEmpty ? comment : phrase, address: address))
      } else if let address = MailAddress.bare(Self.joined(name)) {
        // The old form: `ann@example.com (Ann Ames)`.
        addresses.append(MailAddress(name: comment, address: address))
      }
    }
    for token in Self.tokens(body.unicodeScalars) {
      switch token {
      case .special("<"):
        isInAngle = true
        angle = ""
      case .special(">"): isInAngle = false
      case .special(","), .special(";"): if !isInAngle { finish(&addresses, &isComplete) }
      case .special(":"):
        // The name of a group, or a route before an address.
        if isInAngle {
          angle = ""
        } else {
          name = []
          isComplete = false
        }
      case .special(let other):
        if isInAngle { angle?.unicodeScalars.append(other) } else { name.append(.word(String(other))) }
      case .comment(let text): if !isInAngle { comment = Self.decoded(text) }
      case .word(let text): if isInAngle { angle? += text } else { name.append(token) }
      case .quoted(let text): if isInAngle { angle? += Self.local(text) } else { name.append(token) }
      }
    }
    finish(&addresses, &isComplete)
  }

  /// Returns the words of a name. Encoded words are decoded; adjacent ones are joined without the space between them.
  private static func phrase(_ tokens: [Token]) -> String {
    var parts: [String] = []
    for token in tokens {
      switch token {
      case .word(let word): parts.append(word)
      // Some programs put encoded words into quotation marks.
      case .quoted(let text): parts.append(text)
      case .comment, .special: break
      }
    }
    return decoded(parts.joined(separator: " "))
  }

  /// Returns a name with its encoded words decoded, and with single spaces between words.
  private static func decoded(_ text: String) -> String {
    let words = EncodedWord.decode(text).unicodeScalars.split { $0.properties.isWhitespace }
    return words.map { String($0) }.joined(separator: " ")
  }

  private static func joined(_ tokens: [Token]) -> String {
    tokens.map { token in
      switch token {
      case .word(let word): word
      case .quoted(let text): local(text)
      case .comment, .special: ""
      }
    }.joined()
  }

  /// Returns a quoted text as a part of an address, without quotation marks where it needs none.
  private static func local(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy({ !"()<>[]:;@\\,\"".unicodeScalars.contains($0) && !$0.properties.isWhitespace })
    {
      return text
    }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// Splits a body into tokens, by scalars: a delimiter and a combining mark after it would be one `Character`.
  private static func tokens(_ body: String.UnicodeScalarView) -> [Token] {
    var tokens: [Token] = []
    var rest = body[...]
    var word = String.UnicodeScalarView()
    func end(_ tokens: inout [Token]) {
      if !word.isEmpty { tokens.append(.word(String(word))) }
      word = String.UnicodeScalarView()
    }
    while let character = rest.popFirst() {
      switch character {
      case " ", "\t", "\r", "\n": end(&tokens)
      case "\"":
        end(&tokens)
        tokens.append(.quoted(quoted(&rest)))
      case "(":
        end(&tokens)
        tokens.append(.comment(comment(&rest)))
      case "<", ">", ",", ";":
        end(&tokens)
        tokens.append(.special(character))
      case ":" where !word.starts(with: "=?".unicodeScalars):
        end(&tokens)
        tokens.append(.special(character))
      default: word.append(character)
      }
    }
    end(&tokens)
    return tokens
  }

  private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String {
    var text = String.UnicodeScalarView()
    while let character = rest.popFirst() {
      switch character {
      case "\"": return String(text)
      case "\\": if let next = rest.popFirst() { text.append(next) }
      default: text.append(character)
      }
    }
    return String(text)
  }

  private static func comment(_ rest: inout Substring.UnicodeScalarView) -> String {
    var text = String.UnicodeScalarView()
    var depth = 1
    while let character = rest.popFirst() {
      switch character {
      case "(": depth += 1
      case ")":
        depth -= 1
        if depth == 0 { return String(text) }
      case "\\":
        if let next = rest.popFirst() { text.append(next) }
        continue
      default: break
      }
      text.append(character)
    }
    return String(text)
  }
}
