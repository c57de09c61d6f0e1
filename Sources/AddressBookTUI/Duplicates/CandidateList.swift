import AddressBookModel
import Contacts
import TerminalKit

/// Draws the list of candidates: the names, and on the right the reason.
struct CandidateList {
  let theme: Theme
  let strings: Strings
  /// The maximum number of names shown for a candidate.
  static let namedContacts = 3

  /// Draws the visible candidates; `names` returns the name of a contact, nil if unknown.
  func draw(_ state: DuplicatesState, names: (Int64) -> String?, on canvas: inout Canvas) {
    state.selection.draw(on: &canvas, style: theme.widgets) { index, line, canvas in
      draw(state.shown[index], names, isSelected: index == state.selection.selected, on: &canvas, in: line)
    }
  }

  private func draw(
    _ candidate: DuplicatesState.Candidate, _ names: (Int64) -> String?, isSelected: Bool, on canvas: inout Canvas,
    in line: Rect
  ) {
    let style = isSelected ? theme.selection : theme.text
    canvas.fill(line, style: style)
    if isSelected { canvas.put("▸", at: Point(row: line.row, column: line.column), limit: 1, style: style) }
    let reason = MergeText(strings: strings).reason(of: candidate)
    let titleColumns = TextWidth.columns(of: title(of: candidate, names, columns: line.columns))
    let reasonColumns = min(
      TextWidth.columns(of: reason), max(line.columns * 11 / 20, line.columns - titleColumns - 5))
    let reasonStart = line.endColumn - reasonColumns - 1
    let room = max(0, reasonStart - line.column - 4)
    canvas.put(
      title(of: candidate, names, columns: room), at: Point(row: line.row, column: line.column + 2), limit: room,
      style: style)
    canvas.put(
      reason, at: Point(row: line.row, column: reasonStart), limit: reasonColumns,
      style: isSelected ? style : theme.quiet)
  }

  /// Returns the different names of the first few contacts, and the number of all: `Bo Ek (2)`. If the names are too
  /// long, they are cut to make room for the number.
  private func title(
    of candidate: DuplicatesState.Candidate, _ names: (Int64) -> String?, columns: Int
  ) -> String {
    var shown: [String] = []
    for name in candidate.ids.prefix(Self.namedContacts).compactMap(names) where !shown.contains(name) {
      shown.append(name)
    }
    let text = DisplayText.clean(strings.list(shown))
    let count = strings.noted("", strings.number(candidate.ids.count))
    let room = max(0, columns - TextWidth.columns(of: count))
    if TextWidth.columns(of: text) <= room { return text + count }
    return TextWidth.prefix(of: text, columns: max(0, room - 1)).0 + TextWidth.ellipsis + count
  }
}

/// The positions of the list of candidates and of the comparison in a window.
struct DuplicatesLayout: Equatable {
  let list: Rect
  /// The line between the list and the comparison: one column or one row; empty if only one of them is shown.
  let rule: Rect
  /// The comparison; empty in a small window that shows the list.
  let comparison: Rect

  /// The height of the list above a comparison.
  private static let listRows = 6

  /// - Parameter isOpen: whether the comparison has the window to itself.
  init(body: Rect, isOpen: Bool) {
    let nothing = Rect(row: body.row, column: body.column, rows: 0, columns: 0)
    if isOpen {
      (list, rule, comparison) = (nothing, nothing, body)
    } else if body.columns >= BrowserLayout.splitColumns {
      let columns = body.columns * 3 / 10
      list = Rect(row: body.row, column: body.column, rows: body.rows, columns: columns)
      rule = Rect(row: body.row, column: list.endColumn, rows: body.rows, columns: 1)
      comparison = body.inset(left: columns + 2)
    } else if body.rows >= 3 * Self.listRows {
      list = Rect(row: body.row, column: body.column, rows: Self.listRows, columns: body.columns)
      rule = body.line(Self.listRows)
      comparison = body.inset(top: Self.listRows + 1)
    } else {
      (list, rule, comparison) = (body, nothing, nothing)
    }
  }
}

/// The values of contacts as text, for comparing them.
struct MergeText {
  let strings: Strings

  /// Returns the lines of a contact's value, none if it is empty. The first field of a part stands for the whole part.
  func lines(of field: ContactField, _ contact: Contact) -> [String] {
    switch DuplicateMerge.Part(field) {
    case .kind: return [strings("form.kind." + contact.kind.name)]
    case .name:
      let name = contact.formattedName.isEmpty ? contact.composedName : contact.formattedName
      return [name, contact.phoneticName].filter { !$0.isEmpty }
    case .employment: return texts(.employment).map { contact[$0] }.filter { !$0.isEmpty }
    case .birthday: return contact.birthday.map { [day($0)] } ?? []
    case .text(let text): return contact[text].isEmpty ? [] : [contact[text]]
    case nil: break
    }
    switch field {
    case .text(let text): return contact[text].isEmpty ? [] : ConflictText.lines(of: contact[text])
    case .values(let values): return contact[keyPath: values.property].map { line(of: $0, in: values) }
    case .special(.addresses): return contact.addresses.flatMap(lines)
    case .special(.groups):
      let groups = Favorites.shown(contact.groups, as: strings("groups.favorites"))
      return groups.isEmpty ? [] : [strings.list(groups)]
    case .special(.photo): return contact.photo.map { [ConflictText(strings: strings).size(of: $0)] } ?? []
    case .special: return []
    }
  }

  /// Returns the name of a row; for the employment, the name of its first field that any contact has.
  func name(of field: ContactField, _ contacts: [Contact]) -> String {
    switch field {
    case .text where DuplicateMerge.Part(field) == .name: return strings("search.field.name")
    case .text(let text) where text.role == .employment:
      let filled = texts(.employment).first { text in contacts.contains { !$0[text].isEmpty } }
      return strings.name(of: .text(filled ?? text))
    default: return strings.name(of: field)
    }
  }

  /// Returns why contacts are probably the same: `certain: name, phone`; empty for contacts that the user chose.
  func reason(of candidate: DuplicatesState.Candidate) -> String {
    guard !candidate.pairs.isEmpty else { return "" }
    if candidate.isOnlyNamesakes { return strings("duplicates.namesakes") }
    let reasons = candidate.reasons
    let ordered = reasons.filter { $0 == .name } + reasons.filter { $0 != .name }
    let words = ordered.map { reason in
      switch reason {
      case .name: strings("search.field.name")
      case .link: strings("field.url")
      default: strings("field." + reason.rawValue)
      }
    }
    return strings(
      candidate.isCertain ? "duplicates.certain" : "duplicates.likely", strings.list(words))
  }

  // MARK: Parts

  private func texts(_ role: ContactField.Text.Role) -> [ContactField.Text] {
    ContactFields.standard.texts.filter { $0.role == role }
  }

  private func line(of item: LabeledValue, in values: ContactField.Values) -> String {
    let date = values.rule == .date ? PartialDate(item.value).map(day) : nil
    return labeled(date ?? (values.rule == .phone ? PhoneText.grouped(item.value) : item.value), item.label)
  }

  private func lines(of address: PostalAddress) -> [String] {
    var lines = AddressText.lines(of: address)
    if let last = lines.popLast() { lines.append(labeled(last, address.label)) }
    return lines
  }

  private func labeled(_ text: String, _ label: String) -> String {
    label.isEmpty ? text : text + strings("list.separator") + strings.localization.label(label)
  }

  private func day(_ date: PartialDate) -> String { DateText(strings: strings).text(of: date) }
}
