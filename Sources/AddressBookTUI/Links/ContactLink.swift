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
