import AddressBookModel
import Contacts
import TerminalKit

/// What the detail pane says of a contact, line by line, before it is laid out for a width.
struct DetailLine: Equatable {
  /// How a line is drawn.
  enum Role: Equatable {
    /// The name at the top.
    case name
    /// Below the name: how it is said, position and organization, groups.
    case subtitle
    /// A labelled value.
    case value
    /// Empty, between kinds of values.
    case space
  }

  var role: Role
  /// Left of the value; empty on continued lines.
  var label = ""
  /// The text; several lines where the value has them.
  var text = ""
  /// The same over several lines, for a pane in which the text is too long for one.
  var narrowText: String?
  /// What the text leads to where the terminal knows links.
  var link: TerminalLink?
  /// True for free text and other things that are not to be wrapped in the middle of a word.
  var isProse = false
}

/// Makes the lines of the detail pane from a contact.
struct DetailLines {
  let strings: Strings
  /// The day that ages and the days to go are counted from.
  let today: CalendarDay

  /// All that the contact holds, in the order that people look for it.
  func lines(for contact: Contact) -> [DetailLine] {
    var lines = [DetailLine(role: .name, text: name(of: contact))]
    for subtitle in subtitles(of: contact) where !subtitle.isEmpty {
      lines.append(DetailLine(role: .subtitle, text: subtitle))
    }
    let blocks: [[DetailLine]] = [
      links(.phone, of: contact), links(.email, of: contact), links(.url, of: contact),
      contact.addresses.map {
        value(label($0.label, else: "address"), AddressText.lines(of: $0).joined(separator: "\n"))
      },
      days(of: contact),
      contact.handles.map { value(label($0.label, else: "handle"), $0.value) },
      contact.related.map { value(label($0.label, else: "related"), $0.value) },
      other(of: contact),
      contact.note.isEmpty ? [] : note(contact.note),
    ]
    for block in blocks where !block.isEmpty {
      lines.append(DetailLine(role: .space))
      lines += block
    }
    return lines
  }

  /// Bytes of a note that are shown: many screens full, and laid out in a few milliseconds.
  static let noteLimit = 64 << 10

  private func note(_ text: String) -> [DetailLine] {
    let end = text.utf8.index(text.startIndex, offsetBy: Self.noteLimit, limitedBy: text.endIndex) ?? text.endIndex
    // Rounded down to a code point, which a note of many bytes may be cut in.
    let line = DetailLine(role: .value, label: strings("field.note"), text: String(text[..<end]), isProse: true)
    return end == text.endIndex ? [line] : [line, DetailLine(role: .subtitle, text: strings("detail.noteGoesOn"))]
  }

  private func name(of contact: Contact) -> String {
    let name = contact.displayName
    return TextWidth.columns(of: DisplayText.clean(name)) == 0 ? strings("contact.nameless") : name
  }

  private func subtitles(of contact: Contact) -> [String] {
    let belongs = [contact.department, contact.organization].filter { !$0.isEmpty && $0 != contact.displayName }
    return [
      contact.transcription,
      ([contact.title] + belongs).filter { !$0.isEmpty }.joined(separator: strings("list.separator")),
      contact.groups.joined(separator: strings("list.separator")),
    ]
  }

  private func links(_ kind: ContactLink.Kind, of contact: Contact) -> [DetailLine] {
    contact.links([kind]).map { link in
      DetailLine(
        role: .value, label: label(link.label, else: kind.rawValue), text: link.text, link: link.clickable)
    }
  }

  private func days(of contact: Contact) -> [DetailLine] {
    var days: [DetailLine] = []
    if let birthday = contact.birthday {
      days.append(day(strings("field.birthday"), birthday, .birthday))
    }
    for date in contact.dates {
      let name = label(date.label, else: "date")
      days.append(PartialDate(date.value).map { day(name, $0, .event) } ?? value(name, date.value))
    }
    return days
  }

  private func day(_ label: String, _ date: PartialDate, _ occasion: DateText.Occasion) -> DetailLine {
    let text = DateText(strings: strings)
    let day = text.text(of: date)
    let distance = text.distance(of: date, occasion, from: today)
    return DetailLine(
      role: .value, label: label, text: day + strings("list.separator") + distance, narrowText: day + "\n" + distance)
  }

  private func other(of contact: Contact) -> [DetailLine] {
    var lines: [DetailLine] = []
    for field in ContactFields.standard.texts where field.role == .detail && !contact[field].isEmpty {
      lines.append(value(strings.name(of: field), contact[field]))
    }
    let phonetic = contact.phoneticName
    if !phonetic.isEmpty { lines.append(value(strings("field.phonetic"), phonetic)) }
    return lines
  }

  private func value(_ label: String, _ text: String) -> DetailLine {
    DetailLine(role: .value, label: label, text: text)
  }

  /// The label in the person's language; one without a label is named after its field.
  private func label(_ label: String, else field: String) -> String {
    LabelText(strings: strings).text(of: label, else: field)
  }
}

/// Labels as a person reads them.
struct LabelText {
  let strings: Strings

  /// A standard label's word, the person's own label, or the name of the field where there is none.
  func text(of label: String, else field: String) -> String {
    label.isEmpty ? strings("field." + field) : strings.localization.label(label)
  }
}
