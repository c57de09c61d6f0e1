import Contacts
import Foundation
import Pinyin

/// A writer of aliases for mutt and neomutt, one line per address: `alias zhangwei "张伟" <a@example.com>`.
///
/// Mutt reads a file of aliases as configuration: unless escaped with a backslash, a backtick runs a command, `$`
/// expands a variable and `#` begins a comment, even inside quotation marks. Only valid addresses are written
/// (``losses``).
public struct MuttAliases {
  /// The parts of a contact's lines that do not depend on the aliases already taken.
  public struct Entry: Sendable {
    private static let partCount = 3
    /// For each address: the preferred alias; its label as a suffix for an alias that is taken; the mailbox, quoted and
    /// escaped for the file.
    fileprivate let addresses: [(alias: String, label: String, mailbox: String)]
    /// Whether the contact has an address that is not valid.
    fileprivate let isIncomplete: Bool

    /// Creates the entry of a contact.
    public init(_ contact: Contact) {
      let name = MuttAliases.cleaned(contact.displayName)
      isIncomplete = contact.emails.contains { MailAddress.bare($0.value) == nil }
      addresses = contact.emails.compactMap { email in
        MailAddress.bare(email.value).map { address in
          let mailbox = MuttAliases.mailbox(name, address)
          return (MuttAliases.alias(of: contact, address), MuttAliases.token(email.label), mailbox)
        }
      }
    }

    /// Whether it has no lines, because the contact has no address.
    public var isEmpty: Bool { addresses.isEmpty && !isIncomplete }

    /// Appends the entry to bytes for ``init(packed:)``.
    public func append(to bytes: inout [UInt8]) {
      PackedTexts.append(isIncomplete ? "incomplete" : "", to: &bytes)
      for part in addresses {
        for text in [part.alias, part.label, part.mailbox] { PackedTexts.append(text, to: &bytes) }
      }
    }

    /// Creates the entry that ``append(to:)`` wrote; nil if the number of texts is wrong.
    public init?(packed bytes: UnsafeRawBufferPointer) {
      let texts = PackedTexts.texts(in: bytes)
      guard texts.count % Self.partCount == 1 else { return nil }
      isIncomplete = !texts[0].isEmpty
      addresses = stride(from: 1, to: texts.count, by: Self.partCount).map { (texts[$0], texts[$0 + 1], texts[$0 + 2]) }
    }
  }

  /// A tally of the contacts with an address that was not written.
  public private(set) var losses = LossTally()
  private var taken: Set<String> = []

  /// Creates a writer of a new file.
  public init() {}

  /// Returns the lines of a contact; empty without a valid address.
  public mutating func lines(of contact: Contact) -> String { lines(of: Entry(contact)) }

  /// Returns the lines of a contact whose entry has been made already, perhaps on another thread.
  public mutating func lines(of entry: Entry) -> String {
    if entry.isIncomplete { losses.add(["emails"], labels: false) }
    return entry.addresses.map { base, label, mailbox in
      var alias = base
      var number = 2
      if taken.contains(alias), !label.isEmpty { alias = base + "-" + label }
      while !taken.insert(alias).inserted {
        alias = base + "-\(number)"
        number += 1
      }
      return "alias \(alias) \(mailbox)\n"
    }.joined()
  }

  /// Returns the first of these that is not empty when reduced to a ``token(_:joining:)``: the nickname, the name (or its transcription), the address up to its `@`; `contact` if all are empty.
  private static func alias(of contact: Contact, _ address: String) -> String {
    let sound = contact.transcription
    let name = sound.isEmpty ? contact.displayName : sound
    let local = String(address.prefix { $0 != "@" })
    return [token(contact.nickname), token(name, joining: sound.isEmpty ? "." : ""), token(local)].first { !$0.isEmpty }
      ?? "contact"
  }

  /// Returns the ASCII letters to which a text folds, and its digits, dots and hyphens, without a hyphen at the
  /// beginning: mutt reads `-group` as an option.
  private static func token(_ text: String, joining: String = "-") -> String {
    let words = text.lowercased().split { $0.isWhitespace }.map { word in
      let letters = word.decomposedLetters.unicodeScalars.compactMap(LatinFolding.fold).flatMap { $0 }
      return String(decoding: letters.filter(Self.isPlain), as: UTF8.self)
    }
    return String(words.filter { !$0.isEmpty }.joined(separator: joining).drop { $0 == "-" })
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// Returns the name without control characters, and with single spaces.
  private static func cleaned(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
    let kept = scalars.filter { !("\u{80}"..."\u{9F}").contains($0) }
    return String(String.UnicodeScalarView(kept)).split(separator: " ").joined(separator: " ")
  }

  /// Returns an address with the name as a quoted string (RFC 5322, 3.2.4), escaped for the file.
  private static func mailbox(_ name: String, _ address: String) -> String {
    let mailbox = name.isEmpty ? address : "\"\(escaped(name, "\\\""))\" <\(address)>"
    return escaped(mailbox, "\\`$#")
  }

  /// Returns the text with a backslash before each of these characters.
  private static func escaped(_ text: String, _ special: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if special.unicodeScalars.contains(scalar) { scalars.append("\\") }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}

extension Substring {
  /// The text with accents separated from their letters.
  fileprivate var decomposedLetters: String { String(self).decomposedStringWithCanonicalMapping }
}
