import Contacts
import Foundation

/// Writes contacts as aliases for mutt and neomutt, one line for each address: `alias zhangwei "张伟" <a@example.com>`.
///
/// A file of aliases is read as configuration, where a backtick runs a command and `$` is a variable, even in quotation
/// marks. So names are written without such characters, and only valid addresses are written.
public struct MuttAliases {
  private var taken: Set<String> = []

  /// A new file.
  public init() {}

  /// The lines of a contact; empty without a valid address.
  public mutating func lines(of contact: Contact) -> String {
    let addresses = contact.emails.compactMap { email in MailAddress.bare(email.value).map { ($0, email.label) } }
    let name = Self.quoted(contact.displayName)
    return addresses.map { address, label in
      let base = Self.alias(of: contact, address)
      var alias = base
      var number = 2
      if taken.contains(alias), !Self.token(label).isEmpty { alias = base + "-" + Self.token(label) }
      while !taken.insert(alias).inserted {
        alias = base + "-\(number)"
        number += 1
      }
      return name.isEmpty ? "alias \(alias) \(address)\n" : "alias \(alias) \"\(name)\" <\(address)>\n"
    }.joined()
  }

  /// The nickname, or else the romanized name, or else the address, with letters, digits, dots and hyphens only.
  private static func alias(of contact: Contact, _ address: String) -> String {
    let sound = contact.transcription
    let name = sound.isEmpty ? contact.displayName : sound
    let local = String(address.prefix { $0 != "@" })
    return [token(contact.nickname), token(name, joining: sound.isEmpty ? "." : ""), token(local)].first { !$0.isEmpty }
      ?? "contact"
  }

  private static func token(_ text: String, joining: String = "-") -> String {
    text.lowercased().split { $0.isWhitespace }.map { word in
      String(String.UnicodeScalarView(word.decomposedLetters.unicodeScalars.filter(Self.isPlain)))
    }.filter { !$0.isEmpty }.joined(separator: joining)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "0"..."9", ".", "-": true
    default: false
    }
  }

  private static func quoted(_ name: String) -> String {
    let unwanted: Set<Unicode.Scalar> = ["\"", "\\", "`", "$"]
    let scalars = name.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
    let kept = scalars.filter { !unwanted.contains($0) && !("\u{80}"..."\u{9F}").contains($0) }
    return String(String.UnicodeScalarView(kept)).split(separator: " ").joined(separator: " ")
  }
}

extension Substring {
  /// The text with accents separated from Latin letters.
  fileprivate var decomposedLetters: String { String(self).decomposedStringWithCanonicalMapping }
}
