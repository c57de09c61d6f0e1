import Contacts

/// A contact as a text for an editor: a line for each field, in YAML, as khard has it.
///
/// ```
/// family: 曾
/// given: 小燕
/// phones:  # mobile, home, work, …
///   mobile: 138 0000 1111
///   work:
///     - 010 1
///     - 010 2
/// ```
///
/// An empty field is a hint. ``TemplateReader`` reads it.
public enum ContactTemplate {
  /// The line before each contact of a text with several.
  public static let separator = "---"

  /// Whether a file whose first line without `#` is this one has contacts as text.
  public static func begins(_ line: String) -> Bool {
    guard let colon = line.firstIndex(of: ":") else { return line.trimmed == separator }
    return line[line.index(after: colon)...].first ?? " " == " " && FieldPath(String(line[..<colon])) != nil
  }

  /// Appends the text of a contact.
  /// - Parameter hasID: whether the text begins with the contact's id, which only its book knows.
  public static func append(_ contact: Contact, hasID: Bool = false, to text: inout String) {
    if hasID { text += "id: \(contact.id)\n" }
    for field in ContactFields.standard.inFormOrder { append(field, of: contact, to: &text) }
    if !contact.uid.isEmpty { append("uid", contact.uid, to: &text) }
  }

  private static func append(_ field: ContactField, of contact: Contact, to text: inout String) {
    switch field {
    case .text(let field): append(field.jsonKey, contact[field], to: &text)
    case .values(let field) where !field.isOffered && contact[keyPath: field.property].isEmpty: break
    case .values(let field):
      append(contact[keyPath: field.property].map { ($0.label, $0.value) }, field.name, field.labels, to: &text) {
        $0 += " " + scalar($1, indent: $2) + "\n"
      }
    case .special(.kind): append("kind", contact.kind.name, to: &text)
    case .special(.addresses):
      append(contact.addresses.map { ($0.label, $0) }, "addresses", ["home", "work"], to: &text, append)
    case .special(.birthday): append("birthday", contact.birthday?.iso ?? "", to: &text)
    case .special(.groups):
      text += "groups:\n"
      for name in contact.groups { text += "  - " + scalar(name, indent: 4) + "\n" }
    case .special(.photo), .special(.cardLines): break
    }
  }

  private static func append(_ key: String, _ value: String, to text: inout String) {
    text += key + ":" + (value.isEmpty ? "" : " " + scalar(value, indent: 2)) + "\n"
  }

  /// Appends the values of a list by their labels.
  /// - Parameter append: appends a value and the end of its line, after its label or the sign of an item; with the
  ///   indentation of what is below it.
  private static func append<Value>(
    _ values: [(label: String, value: Value)], _ key: String, _ labels: [String], to text: inout String,
    _ append: (inout String, Value, Int) -> Void
  ) {
    text += key + ":  # " + labels.joined(separator: ", ") + "\n"
    var seen: Set<String> = []
    for label in values.map(\.label) where seen.insert(label).inserted {
      let same = values.filter { $0.label == label }
      text += "  " + (isPlain(label) && !label.contains(":") ? label : quoted(label)) + ":"
      if same.count == 1 {
        append(&text, same[0].value, 4)
      } else {
        text += "\n"
        for (_, value) in same {
          text += "    -"
          append(&text, value, 6)
        }
      }
    }
    if values.isEmpty { text += "  \(labels[0]):\n" }
  }

  /// Appends the parts of an address. Those of an item begin on its line.
  private static func append(_ text: inout String, _ address: PostalAddress, _ indent: Int) {
    let blanks = String(repeating: " ", count: indent)
    var begins = text.last == "-" ? " " : "\n" + blanks
    for part in AddressPart.allCases {
      text += begins + part.rawValue + ":"
      if !address[part].isEmpty { text += " " + scalar(address[part], indent: indent + 2) }
      begins = "\n" + blanks
    }
    text += "\n"
  }

  /// The text as a value. Below it, its lines are indented this far.
  private static func scalar(_ text: String, indent: Int) -> String {
    if isPlain(text) { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let isBlock =
      lines.count > 1 && lines.first?.first.map { !$0.isWhitespace } == true
      && lines.allSatisfy { !hasControls($0) && !$0.contains("\r\n") } && lines.contains { !$0.isEmpty }
    guard isBlock else { return quoted(text) }
    let ends = text.last == "\n"
    let blanks = String(repeating: " ", count: indent)
    return (ends ? "|+" : "|-")
      + (ends ? lines.dropLast() : lines[...]).map { $0.isEmpty ? "\n" : "\n" + blanks + $0 }.joined()
  }

  /// Whether a text means itself, for every reader of YAML.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace, last != ":",
      !hasControls(text[...]), !text.contains("\n"), !text.contains("\r\n")
    else { return false }
    if ",[]{}#&*!|>'\"%@`".contains(first) || text == "-" || "-?:".contains(first) && text.dropFirst().first == " " {
      return false
    }
    return !text.contains(": ") && !text.contains(" #")
  }

  private static func hasControls(_ text: Substring) -> Bool {
    text.unicodeScalars.contains {
      $0.value < 0x20 || $0.properties.generalCategory == .control || $0 == "\u{2028}" || $0 == "\u{2029}"
        || $0 == "\u{FEFF}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where hasControls(Substring(String(scalar))):
        let hexadecimal = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
