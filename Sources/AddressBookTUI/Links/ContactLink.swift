import AddressBookModel
import Contacts
import TerminalKit

/// A value of a contact that can be opened or copied.
struct ContactLink: Equatable {
  /// The kind of value, which decides how it is opened.
  enum Kind: String {
    case url, email, phone
    /// A postal address, opened on a map; its lines are the value.
    case address
    /// A web address in the note.
    case note
    /// The name, and a mailbox such as `Ann Lee <ann@example.com>`, which are only copied.
    case name, mailbox
  }

  let kind: Kind
  /// The label as stored.
  let label: String
  let value: String

  /// Returns the address to pass to another program.
  func address() throws(LinkAddress.Refusal) -> LinkAddress {
    switch kind {
    case .url, .note: try .web(value)
    case .email: try .email(value)
    case .phone: try .phone(value)
    case .address: try .map(of: text)
    case .name, .mailbox: throw .malformed
    }
  }

  /// The value for display, on one line.
  var text: String {
    switch kind {
    case .phone: PhoneText.grouped(value)
    case .address: value.split(whereSeparator: \.isNewline).joined(separator: ", ")
    default: value
    }
  }

  /// The value to copy: on one line, but for a postal address, and without characters that do something where it is
  /// pasted.
  var copied: String {
    value.split(whereSeparator: \.isNewline).map { Self.withoutControls($0) }.filter { !$0.isEmpty }
      .joined(separator: kind == .address ? "\n" : " ")
  }

  /// Drops control characters, and those that change the direction of the text after them.
  private static func withoutControls(_ line: Substring) -> String {
    var text = String.UnicodeScalarView()
    for scalar in line.unicodeScalars {
      switch scalar.value {
      case 0x09: text.append(" ")
      case 0x202A...0x202E, 0x2066...0x2069: break
      default: if scalar.properties.generalCategory != .control { text.append(scalar) }
      }
    }
    return String(text)
  }

  /// The link for the terminal; nil for a value that cannot be opened.
  var clickable: TerminalLink? { (try? address()).flatMap { TerminalLink($0.text) } }

  /// Returns the lines of a chooser: labels and values in two columns.
  static func lines(_ links: [ContactLink], _ strings: Strings) -> [String] {
    let labels = links.map { link in
      DisplayText.clean(strings.label(link.label, else: strings("field." + link.kind.rawValue)))
    }
    let widest = min(labelLimit, labels.map { TextWidth.columns(of: $0) }.max() ?? 0)
    return zip(links, labels).map { link, label in
      let gap = String(repeating: " ", count: max(0, widest - TextWidth.columns(of: label)) + 2)
      return label + gap + link.text
    }
  }

  private static let labelLimit = 14
}

extension Contact {
  /// Returns the values of certain kinds, in the order of the kinds.
  func links(_ kinds: [ContactLink.Kind]) -> [ContactLink] {
    kinds.flatMap { kind in
      values(of: kind).map { ContactLink(kind: kind, label: $0.label, value: $0.value) }
    }
  }

  private func values(of kind: ContactLink.Kind) -> [LabeledValue] {
    switch kind {
    case .url: urls
    case .email: emails
    case .phone: phones
    case .address:
      addresses.map { LabeledValue(label: $0.label, value: AddressText.lines(of: $0).joined(separator: "\n")) }
        .filter { !$0.value.isEmpty }
    case .note: NoteLinks.all(in: note).map { LabeledValue(value: $0) }
    case .name: displayName.isEmpty ? [] : [LabeledValue(value: displayName)]
    case .mailbox: emails.map { LabeledValue(label: $0.label, value: Mailbox.text(name: displayName, email: $0.value)) }
    }
  }
}

/// The web addresses in a note.
enum NoteLinks {
  /// The maximum number, for a list to choose from.
  private static let most = 50
  private static let opening: Set<Character> = ["<", "(", "[", "\"", "'", "“", "‘", "（", "《"]
  private static let closing: Set<Character> = [
    ".", ",", ";", ":", "!", "?", ">", ")", "]", "\"", "'", "”", "’", "。", "，", "；", "：", "！", "？", "）", "》",
  ]

  /// Returns the words that begin like a web address, without the punctuation around them, each once; of a long note,
  /// those in the part that the detail shows.
  static func all(in note: String) -> [String] {
    var found: [String] = []
    for word in note.utf8.prefix(DetailLines.noteLimit).split(whereSeparator: { $0 <= 0x20 }) {
      var word = String(decoding: word, as: UTF8.self)[...]
      while let first = word.first, opening.contains(first) { word.removeFirst() }
      while let last = word.last, closing.contains(last) { word.removeLast() }
      let start = word.lowercased()
      guard ["http://", "https://", "www."].contains(where: start.hasPrefix), !found.contains(String(word)) else {
        continue
      }
      found.append(String(word))
      if found.count == most { break }
    }
    return found
  }
}

/// A name with an email address, as in the header of an email.
enum Mailbox {
  /// Characters of a name that needs no quotation marks (RFC 5322, 3.2.3), besides letters and digits of any script.
  private static let plain = Set("!#$%&'*+-/=?^_`{|}~ ")

  /// Returns `Ann Lee <ann@example.com>`, with the name in quotation marks if it needs them; only the email if there is
  /// no name.
  static func text(name: String, email: String) -> String {
    let name = name.filter { !$0.isNewline }
    guard !name.isEmpty else { return email }
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || plain.contains($0) }
    let quoted = name.map { $0 == "\"" || $0 == "\\" ? "\\" + String($0) : String($0) }.joined()
    return (isPlain ? name : "\"" + quoted + "\"") + " <" + email + ">"
  }
}

/// The address for opening a value of a contact in another program: always `https://…`, `http://…`, `mailto:…` or
/// `tel:…`.
///
/// The contents of a contact are untrusted. So this program always writes one of these schemes itself, and the address
/// can never be taken for an option. It consists of ASCII without control characters or spaces.
struct LinkAddress: Equatable {
  /// Why a value is not opened.
  enum Refusal: Error, Equatable {
    /// A link with another scheme, with none, or without a host.
    case notWeb
    /// Control characters, an empty value, or one that exceeds the limit; also a value that is only copied.
    case malformed
    /// No `@` between two other characters, or white space.
    case notAnEmail
    /// A character that numbers do not have, such as a letter; no digits at all; or a code such as `*2767#` that a
    /// phone executes at once.
    case notANumber
  }

  /// A kind of address that can have a program of its own, as written in the configuration file.
  enum Kind: String, CaseIterable, Sendable {
    case web, mail, tel, map
  }

  /// The text passed to the other program.
  let text: String
  var kind = Kind.web

  /// The maximum length of a value in bytes.
  private static let longest = 8192

  /// Returns a web link: `http` or `https` with a host. A value that begins with `www.` gets `https`.
  static func web(_ value: String) throws(Refusal) -> LinkAddress {
    var value = try checked(value)
    if value.lowercased().hasPrefix("www.") { value = "https://" + value }
    guard let colon = value.firstIndex(of: ":"), ["http", "https"].contains(value[..<colon].lowercased()) else {
      throw .notWeb
    }
    let rest = value[colon...].dropFirst()
    guard rest.hasPrefix("//"), let first = rest.dropFirst(2).first, !"/?#".contains(first) else { throw .notWeb }
    // RFC 3986: valid characters are kept, including `%`; everything else is percent-encoded UTF-8 (RFC 3987, 3.1).
    let encoded = PercentEncoding.encode(rest.utf8, keeping: "-._~:/?#[]@!$&'()*+,;=%")
    return LinkAddress(text: value[..<colon].lowercased() + ":" + encoded)
  }

  /// Returns a search for a postal address on OpenStreetMap (https://wiki.openstreetmap.org/wiki/Browsing#Search).
  static func map(of value: String) throws(Refusal) -> LinkAddress {
    let value = try checked(value)
    return LinkAddress(
      text: "https://www.openstreetmap.org/search?query=" + PercentEncoding.encode(value.utf8, keeping: "-._~"),
      kind: .map)
  }

  /// Returns an email to one address (RFC 6068): everything that could add a second address, a header or a message body
  /// is encoded.
  static func email(_ value: String) throws(Refusal) -> LinkAddress {
    let value = try checked(value)
    guard let at = value.lastIndex(of: "@"), at != value.startIndex, value.index(after: at) != value.endIndex,
      !value.contains(where: \.isWhitespace)
    else { throw .notAnEmail }
    var user = PercentEncoding.encode(value[..<at].utf8, keeping: "-._~+")
    // A mail program may cut off the scheme; the rest must not look like an option.
    if user.hasPrefix("-") { user = "%2D" + user.dropFirst() }
    return LinkAddress(
      text: "mailto:" + user + "@" + PercentEncoding.encode(value[value.index(after: at)...].utf8, keeping: "-._~"),
      kind: .mail)
  }

  /// Returns an email to several addresses (RFC 6068, 2).
  static func emails(_ values: [String]) throws(Refusal) -> LinkAddress {
    var users: [Substring] = []
    for value in values { users.append(try email(value).text.dropFirst("mailto:".count)) }
    return LinkAddress(text: "mailto:" + users.joined(separator: ","), kind: .mail)
  }

  /// Returns a call (RFC 3966): digits, without the spaces and punctuation that people write. An extension follows as
  /// `;ext=`.
  ///
  /// Codes that begin with `*` or `#` can change settings of a phone or wipe it; they are refused. Elsewhere in a
  /// number, `*` is kept and `#` is percent-encoded. A number without `+` gets no `phone-context`, because the
  /// context is unknown, and programs for calls accept numbers without it.
  static func phone(_ value: String) throws(Refusal) -> LinkAddress {
    var value = try checked(value)
    if value.lowercased().hasPrefix("tel:") { value = String(value.dropFirst(4)) }
    var number = ""
    var rest = ascii(value)[...]
    while let character = rest.first {
      if let extra = extensionNumber(rest), number.count > 2 {
        number += ";ext=" + extra
        break
      }
      rest = rest.dropFirst()
      switch character {
      case "0"..."9": number.append(character)
      case "+" where number.isEmpty: number.append(character)
      case "*" where !number.isEmpty: number.append(character)
      case "#" where !number.isEmpty: number += "%23"
      case " ", "-", ".", "/", "(", ")": continue
      default: throw .notANumber
      }
    }
    guard number.contains(where: \.isNumber) else { throw .notANumber }
    return LinkAddress(text: "tel:" + number, kind: .tel)
  }

  /// Returns the digits after `ext`, `ext.`, `extension`, `x`, `;ext=` or `,`, if nothing else but spaces follows.
  private static func extensionNumber(_ text: Substring) -> String? {
    let lowered = text.lowercased()
    for mark in [";ext=", "extension", "ext.", "ext", "x", ","] where lowered.hasPrefix(mark) {
      let digits = lowered.dropFirst(mark.count).filter { $0 != " " }
      return !digits.isEmpty && digits.allSatisfy { ("0"..."9").contains($0) } ? digits : nil
    }
    return nil
  }

  /// Converts full-width digits and symbols, as typed on Chinese and Japanese keyboards, and the various spaces and
  /// dashes, to ASCII.
  private static func ascii(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar.value {
      case 0xFF01...0xFF5E: text.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
      case 0x2010...0x2015, 0x2212: text.append("-")
      // A number that is copied from a web page may contain direction marks.
      case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: continue
      default:
        if scalar.properties.isWhitespace { text.append(" ") } else { text.unicodeScalars.append(scalar) }
      }
    }
    return text
  }

  /// Returns the value without surrounding white space, unless it is malformed.
  private static func checked(_ value: String) throws(Refusal) -> String {
    let trimmed = value.trimmed
    guard !trimmed.isEmpty, trimmed.utf8.count <= longest,
      trimmed.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw .malformed }
    return trimmed
  }
}
