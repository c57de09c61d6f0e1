/// Search text as an LDAP filter (RFC 4515): every word or `"phrase"` must occur in some attribute, as in a search of a
/// book, but it may begin inside a word.
public struct DirectoryFilter: Hashable, Sendable {
  /// The words and phrases; no more than ``limit``.
  public let terms: [String]

  /// Attributes that are searched. An attribute that the server does not know does not match. The last three are Active
  /// Directory's.
  static let searched = [
    "cn", "sn", "givenName", "displayName", "mail", "telephoneNumber", "mobile", "homePhone", "o", "ou", "title", "uid",
    "company", "department", "sAMAccountName",
  ]
  /// A filter for people, and for entries with an email or a phone number.
  static let people = "(|(objectClass=person)(mail=*)(telephoneNumber=*))"
  /// The maximum number of terms, and the maximum length of one in characters.
  public static let limit = (terms: 16, length: 200)

  /// Splits the typed text into terms.
  public init(_ text: String) {
    var terms: [String] = []
    var term = ""
    var isQuoted = false
    func end() {
      let trimmed = String(term.split(separator: " ").joined(separator: " ").prefix(Self.limit.length))
      if !trimmed.isEmpty, !terms.contains(trimmed) { terms.append(trimmed) }
      term = ""
    }
    for character in text {
      if Self.quotes.contains(character) {
        end()
        isQuoted.toggle()
      } else if character.isWhitespace {
        if isQuoted { term.append(" ") } else { end() }
      } else {
        term.append(character)
      }
    }
    end()
    self.terms = Array(terms.prefix(Self.limit.terms))
  }

  private static let quotes: Set<Character> = ["\"", "“", "”", "＂"]

  /// Returns the filter.
  /// - Parameter entries: a filter that every entry must match, in parentheses; nil for people.
  public func text(of entries: String?) -> String {
    let entries = entries ?? Self.people
    guard !terms.isEmpty else { return entries }
    let conditions = terms.map { term in
      let value = Self.escaped(term)
      return "(|" + Self.searched.map { "(\($0)=*\(value)*)" }.joined() + ")"
    }
    return "(&" + entries + conditions.joined() + ")"
  }

  /// Escapes a value for a filter: special and control characters become a backslash and two hexadecimal digits (RFC
  /// 4515, 3).
  public static func escaped(_ value: String) -> String {
    var escaped: [UInt8] = []
    for byte in value.utf8 {
      switch byte {
      case 0..<0x20, 0x28, 0x29, 0x2A, 0x5C, 0x7F:
        let digits = String(byte, radix: 16)
        escaped += ("\\" + (digits.count == 1 ? "0" : "") + digits).utf8
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}
