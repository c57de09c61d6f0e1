import AddressBookModel
import BookInterchange
import BookSearching
import Contacts
import TerminalKit

/// A line of the detail pane, before it is laid out for a width.
struct DetailLine: Equatable {
  /// How a line is drawn.
  enum Role: Equatable {
    /// The name at the top.
    case name
    /// Below the name: its pronunciation, the job title, department and organization, the groups. Also a remark, such
    /// as that the note is longer than shown.
    case subtitle
    /// A labeled value.
    case value
    /// A blank line between kinds of values.
    case space
  }

  var role: Role
  /// To the left of a value; otherwise empty.
  var label = ""
  /// The text, of one or more lines.
  var text = ""
  /// The same text on several lines, for a pane in which it is too long for one line.
  var narrowText: String?
  /// The address that the text links to, in terminals that support links.
  var link: TerminalLink?
}

/// Makes the lines of the detail pane from a contact.
struct DetailLines {
  let strings: Strings
  /// The day for which ages and remaining days are computed.
  let today: CalendarDay
  /// How names are displayed.
  var names = NameStyle()

  /// Returns the lines for the values of the contact, in display order.
  /// - Parameters:
  ///   - folders: the names of the folders that the contact is in.
  ///   - namedBy: the contacts that name it as related.
  ///   - isDamaged: true when the contact does not match its checksum.
  func lines(
    for contact: Contact, folders: [String] = [], namedBy: [RelatedContact] = [], isDamaged: Bool = false
  ) -> [DetailLine] {
    var lines = [DetailLine(role: .name, text: name(of: contact))]
    if isDamaged { lines.append(DetailLine(role: .subtitle, text: strings("detail.damaged"))) }
    for subtitle in subtitles(of: contact) where !subtitle.isEmpty {
      lines.append(DetailLine(role: .subtitle, text: subtitle))
    }
    var blocks: [[DetailLine]] = [
      links(.phone, of: contact), links(.email, of: contact), links(.url, of: contact),
      contact.addresses.map {
        value(label($0.label, of: .special(.addresses)), AddressText.lines(of: $0).joined(separator: "\n"))
      },
      days(of: contact),
    ]
    for list in ContactFields.standard.values where list.rule != .date && link(list) == nil {
      var lines = list.read(contact).map { value(label($0.label, of: .values(list)), $0.value) }
      if list.card.form == .related {
        lines += namedBy.map { value("← " + label($0.label, of: .values(list)), $0.name) }
      }
      blocks.append(lines)
    }
    blocks += [
      other(of: contact), contact.note.isEmpty ? [] : note(contact.note),
      folders.map { value(strings("field.folder"), $0) },
    ]
    for block in blocks where !block.isEmpty {
      lines.append(DetailLine(role: .space))
      lines += block
    }
    return lines
  }

  /// The maximum length of the displayed part of a note, in bytes: many screens, but laid out in a few milliseconds.
  static let noteLimit = 64 << 10

  private func note(_ text: String) -> [DetailLine] {
    let end = text.utf8.index(text.startIndex, offsetBy: Self.noteLimit, limitedBy: text.endIndex) ?? text.endIndex
    // The end is rounded down to a code point, because the limit may be inside one.
    let line = DetailLine(role: .value, label: strings("field.note"), text: String(text[..<end]))
    return end == text.endIndex ? [line] : [line, DetailLine(role: .subtitle, text: strings("detail.noteGoesOn"))]
  }

  private func name(of contact: Contact) -> String {
    let name = names.name(of: contact)
    return TextWidth.columns(of: DisplayText.clean(name)) == 0 ? strings("contact.nameless") : name
  }

  private func subtitles(of contact: Contact) -> [String] {
    let employment = ContactFields.standard.texts.filter { $0.role == .employment }.reversed().map { contact[$0] }
    return [
      contact.transcription,
      employment.filter { !$0.isEmpty && $0 != contact.displayName }.joined(separator: strings("list.separator")),
      contact.groups.map { Favorites.name(of: $0, strings) }.joined(separator: strings("list.separator")),
    ]
  }

  /// Returns what the values of a list are opened as; nil for a list that is only shown.
  private func link(_ list: ContactField.Values) -> ContactLink.Kind? { ContactLink.Kind(rawValue: list.singular) }

  private func links(_ kind: ContactLink.Kind, of contact: Contact) -> [DetailLine] {
    contact.links([kind]).map { link in
      let label = strings.label(link.label, else: strings("field." + kind.rawValue))
      return DetailLine(role: .value, label: label, text: link.text, link: link.clickable)
    }
  }

  private func days(of contact: Contact) -> [DetailLine] {
    var days: [DetailLine] = []
    if let birthday = contact.birthday {
      days.append(day(strings("field.birthday"), birthday, .birthday))
    }
    for list in ContactFields.standard.values where list.rule == .date {
      for date in list.read(contact) {
        let name = label(date.label, of: .values(list))
        days.append(PartialDate(date.value).map { day(name, $0, .event) } ?? value(name, date.value))
      }
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
      lines.append(value(strings.name(of: .text(field)), contact[field]))
    }
    for (field, text) in contact.furtherTexts { lines.append(value(strings.name(of: .text(field)), text)) }
    if !contact.contacted.isEmpty {
      lines.append(value(strings("field.contacted"), ContactColumn.contacted.localText(of: contact)))
    }
    let phonetic = contact.phoneticName
    if !phonetic.isEmpty { lines.append(value(strings("field.phonetic"), phonetic)) }
    return lines
  }

  private func value(_ label: String, _ text: String) -> DetailLine {
    DetailLine(role: .value, label: label, text: text)
  }

  private func label(_ label: String, of field: ContactField) -> String {
    strings.label(label, else: strings.name(of: field))
  }
}
