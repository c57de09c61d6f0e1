import AddressBookModel
import Contacts
import TerminalKit

/// The form's rows and their input, independent of any screen: it takes a contact and produces a changed one.
struct FormModel {
  private(set) var rows: [FormRow] = []
  /// The focused row.
  private(set) var focus = 0
  /// The contact that the form started with; it keeps values that the form does not show.
  let original: Contact
  /// The change of the photo.
  var photo = PhotoChange.keep
  private var nextSerial = 0
  private let dates: DateEntry
  /// Parts of the name that are empty and hidden.
  private var hiddenNames: [ContactField.Text] = []

  /// A form for a contact; an empty one for a new contact.
  /// - Parameters:
  ///   - original: the contact to compare with, if the form already starts with changes.
  ///   - dates: parses dates.
  init(_ contact: Contact, original: Contact? = nil, dates: DateEntry = DateEntry()) {
    self.original = original ?? contact
    self.dates = dates
    for field in ContactFields.standard.inFormOrder { append(field, of: contact) }
    let first = contact.kind == .person ? "family" : "organization"
    focus = rows.firstIndex { if case .single(let field) = $0.identity { field.isText(first) } else { false } } ?? 0
  }

  // MARK: Result

  /// The contact with the present input. Empty values are left out.
  var contact: Contact {
    var contact = original
    for field in ContactFields.standard.values { contact[keyPath: field.property] = [] }
    var addresses: [(serial: Int, address: PostalAddress)] = []
    for row in rows {
      switch row.identity {
      case .kind:
        if case .choice(let chosen, _) = row.editor { contact.kind = Contact.Kind(rawValue: chosen) ?? .person }
      case .single(.birthday): contact.birthday = day(in: row)
      case .single(.groups): contact.groups = Self.groups(in: row.text)
      case .single(.text(let field)): contact[field] = field.role == .prose ? row.text : row.text.trimmed
      case .value(let field, _):
        let text = row.text.trimmed
        if let values = field.values, !text.isEmpty {
          contact[keyPath: values.property].append(LabelledValue(label: row.label, value: stored(row, text)))
        }
      case .address(let part, let serial):
        if addresses.last?.serial != serial { addresses.append((serial, PostalAddress(label: row.label))) }
        addresses[addresses.count - 1].address[part] = row.text.trimmed
      case .adder, .photo, .moreNames: break
      }
    }
    contact.addresses = addresses.map(\.address).filter { !$0.isEmpty }
    // A custom full name is dropped when a part changes, unless it was changed too.
    if contact.formattedName == original.formattedName,
      ContactFields.standard.texts.contains(where: { $0.role == .namePart && contact[$0] != original[$0] })
    {
      contact.formattedName = ""
    }
    return contact
  }

  /// True if saving would change something.
  var isChanged: Bool { contact != original || photo != .keep || hasUnreadableBirthday }

  /// True if the contact will have a photo.
  var hasPhoto: Bool {
    switch photo {
    case .keep: original.photo != nil
    case .remove: false
    case .set: true
    }
  }

  /// True if the birthday is not a valid date.
  var hasUnreadableBirthday: Bool {
    rows.contains { row in
      row.identity == .single(.birthday) && !row.text.trimmed.isEmpty && day(in: row) == nil
    }
  }

  /// The stored form of a row with one of several values.
  private func stored(_ row: FormRow, _ text: String) -> String {
    if let kept = row.kept, kept.text == row.text { return kept.stored }
    return day(in: row)?.iso ?? text
  }

  /// The date in a row for dates; nil for any other row, and if the text is not a date.
  func day(in row: FormRow) -> PartialDate? {
    switch row.identity {
    case .single(.birthday): dates.day(row.text.trimmed)
    case .value(let field, _) where field.isDate: dates.day(row.text.trimmed)
    default: nil
    }
  }

  /// Names separated by commas, half or full width, without duplicates.
  private static func groups(in text: String) -> [String] {
    var seen: Set<String> = []
    return text.split(whereSeparator: { $0 == "," || $0 == "，" || $0 == "、" })
      .map { String($0).trimmed }
      .filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  // MARK: Editing

  /// Moves the focus by that many rows, not past the ends.
  mutating func moveFocus(by offset: Int) {
    focus = min(max(0, focus + offset), rows.count - 1)
  }

  /// Moves the focus to a row.
  mutating func setFocus(_ row: Int) { focus = min(max(0, row), rows.count - 1) }

  /// Passes a key to the focused editor; false if the editor does not handle it.
  mutating func handle(_ key: Key, columns: Int) -> Bool {
    let consumed: Bool
    switch rows[focus].editor {
    case .field(var field):
      consumed = field.handle(key)
      rows[focus].editor = .field(field)
    case .area(var area):
      area.columns = columns
      consumed = area.handle(key)
      rows[focus].editor = .area(area)
    case .choice(let chosen, let count):
      switch key.code {
      case .character(" "), .right: rows[focus].editor = .choice((chosen + 1) % count, of: count)
      case .left: rows[focus].editor = .choice((chosen + count - 1) % count, of: count)
      default: return false
      }
      consumed = true
    case .button: return false
    }
    if consumed { rows[focus].error = nil }
    return consumed
  }

  /// Moves the cursor of the focused editor, which has that size, to a cell.
  mutating func moveCursor(toRow row: Int, column: Int, in size: Size) {
    switch rows[focus].editor {
    case .field(var field):
      field.moveCursor(toColumn: column, columns: size.columns)
      rows[focus].editor = .field(field)
    case .area(var area):
      area.moveCursor(toRow: row, column: column, in: size)
      rows[focus].editor = .area(area)
    case .choice, .button: break
    }
  }

  /// Selects one of the focused row's choices.
  mutating func choose(_ index: Int) {
    guard case .choice(_, let count) = rows[focus].editor, (0..<count).contains(index) else { return }
    rows[focus].editor = .choice(index, of: count)
  }

  /// Inserts pasted text at the cursor.
  mutating func paste(_ text: String) {
    switch rows[focus].editor {
    case .field(var field):
      field.insert(text)
      rows[focus].editor = .field(field)
    case .area(var area):
      area.insert(text)
      rows[focus].editor = .area(area)
    case .choice, .button: break
    }
  }

  /// Shows the hidden parts of the name, and moves the focus to the first of them.
  mutating func showAllNames() {
    guard let button = rows.firstIndex(where: { $0.identity == .moreNames }) else { return }
    rows.remove(at: button)
    for field in hiddenNames {
      // Insert before the first row whose field comes later; the nickname always does.
      let place = rows.firstIndex { row in
        guard case .single(let other) = row.identity else { return false }
        return other.rank > field.form.rank
      }
      rows.insert(FormRow(identity: .single(.text(field)), editor: .field(TextField(""))), at: place ?? button)
    }
    focus = rows.firstIndex { $0.identity == hiddenNames.first.map { .single(.text($0)) } } ?? focus
    hiddenNames = []
  }

  /// Adds a value after the last one of its kind, and moves the focus to it.
  mutating func add(_ field: MultiField) {
    guard let adder = rows.firstIndex(where: { $0.identity == .adder(field) }) else { return }
    let used = rows.filter { $0.multiField == field && $0.showsLabel }.map(\.label)
    let label = field.labels.first { !used.contains($0) } ?? field.labels[0]
    let added =
      field == .address
      ? addressRows(PostalAddress(label: label)) : [valueRow(field, LabelledValue(label: label, value: ""))]
    rows.insert(contentsOf: added, at: adder)
    focus = adder
  }

  /// Removes the focused value; false if there is none.
  mutating func removeFocused() -> Bool {
    if rows[focus].identity == .photo {
      guard hasPhoto else { return false }
      photo = original.photo == nil ? .keep : .remove
      return true
    }
    guard let serial = rows[focus].serial, let first = rows.firstIndex(where: { $0.serial == serial }) else {
      return false
    }
    rows.removeAll { $0.serial == serial }
    focus = min(first, rows.count - 1)
    return true
  }

  /// Moves the focused value past its neighbor of the same kind; false if there is none on that side.
  /// - Parameter direction: -1 for up, 1 for down.
  mutating func moveFocused(_ direction: Int) -> Bool {
    guard let serial = rows[focus].serial, let field = rows[focus].multiField,
      let neighbour = neighbour(of: serial, field, direction)
    else { return false }
    let moved = rows.indices.filter { rows[$0].serial == serial }
    let other = rows.indices.filter { rows[$0].serial == neighbour }
    guard let start = (moved + other).min() else { return false }
    let block = moved.map { rows[$0] }
    let otherBlock = other.map { rows[$0] }
    let place = focus - (moved.first ?? focus)
    rows.replaceSubrange(
      start..<start + block.count + otherBlock.count, with: direction < 0 ? block + otherBlock : otherBlock + block)
    focus = start + place + (direction < 0 ? 0 : otherBlock.count)
    return true
  }

  /// True if the focused value has others of its kind.
  var canMoveFocused: Bool {
    guard let serial = rows[focus].serial, let field = rows[focus].multiField else { return false }
    return neighbour(of: serial, field, -1) != nil || neighbour(of: serial, field, 1) != nil
  }

  /// The serial number of the value above or below, of the same kind.
  private func neighbour(of serial: Int, _ field: MultiField, _ direction: Int) -> Int? {
    var serials: [Int] = []
    for row in rows where row.multiField == field {
      if let serial = row.serial, serials.last != serial { serials.append(serial) }
    }
    guard let place = serials.firstIndex(of: serial), serials.indices.contains(place + direction) else { return nil }
    return serials[place + direction]
  }

  /// Sets the label of the focused value.
  mutating func setLabel(_ label: String) {
    guard let serial = rows[focus].serial else { return }
    for index in rows.indices where rows[index].serial == serial { rows[index].label = label }
  }

  /// Shows errors at their rows, replacing older ones, and moves the focus to the first.
  ///
  /// - Parameter errors: messages by key path as used in validation: `given`, `phones[1]`, `addresses[0].city`.
  ///   The index counts the values that are not empty.
  mutating func show(errors: [String: String]) {
    let places = placesOfValues
    for index in rows.indices {
      rows[index].error = keyPaths(of: rows[index], places).lazy.compactMap { errors[$0] }.first
    }
    if let first = rows.firstIndex(where: { $0.error != nil }) { focus = first }
  }

  /// Shows warnings at their rows, replacing older ones, except at the row being typed in.
  mutating func show(warnings: [String: String]) {
    let places = placesOfValues
    for index in rows.indices {
      rows[index].warning =
        index == focus ? nil : keyPaths(of: rows[index], places).lazy.compactMap { warnings[$0] }.first
    }
  }

  /// The index of each value among those of its kind that are not empty, by serial number.
  private var placesOfValues: [Int: Int] {
    var counters: [MultiField: Int] = [:]
    var places: [Int: Int] = [:]
    for row in rows {
      guard let serial = row.serial, let field = row.multiField, places[serial] == nil, isFilled(serial) else {
        continue
      }
      places[serial] = counters[field, default: 0]
      counters[field, default: 0] += 1
    }
    return places
  }

  private func isFilled(_ serial: Int) -> Bool {
    rows.contains { $0.serial == serial && !$0.text.trimmed.isEmpty }
  }

  private func keyPaths(of row: FormRow, _ places: [Int: Int]) -> [String] {
    switch row.identity {
    case .kind: return ["kind"]
    case .single(let field): return field.isText("family") ? [field.name, "name", ""] : [field.name]
    case .value(let field, let serial):
      guard let index = places[serial] else { return [] }
      let base = "\(field.collectionName)[\(index)]"
      return [base + ".value", base, base + ".label"]
    case .address(let part, let serial):
      guard let index = places[serial] else { return [] }
      let base = "addresses[\(index)]"
      return part == .street ? [base + "." + part.rawValue, base, base + ".label"] : [base + "." + part.rawValue]
    case .adder, .photo, .moreNames: return []
    }
  }

  // MARK: Rows

  private mutating func append(_ field: ContactField, of contact: Contact) {
    switch field {
    case .text(let text): append(text, of: contact)
    case .values(let values):
      for value in contact[keyPath: values.property] { rows.append(valueRow(.values(values), value)) }
      rows.append(FormRow(identity: .adder(.values(values)), editor: .button))
    case .special(.kind):
      rows.append(FormRow(identity: .kind, editor: .choice(contact.kind.rawValue, of: Contact.Kind.allCases.count)))
    case .special(.photo): rows.append(FormRow(identity: .photo, editor: .button))
    case .special(.addresses):
      for address in contact.addresses { rows += addressRows(address) }
      rows.append(FormRow(identity: .adder(.address), editor: .button))
    case .special(.birthday): rows.append(single(.birthday, contact.birthday.map(dates.text(of:)) ?? ""))
    case .special(.groups): rows.append(single(.groups, contact.groups.joined(separator: ", ")))
    case .special(.cardLines): break
    }
  }

  private mutating func append(_ field: ContactField.Text, of contact: Contact) {
    if field.form.isRare, contact[field].isEmpty { return hiddenNames.append(field) }
    // After the names, a button for the hidden ones.
    let isName = [.namePart, .wholeName, .phonetic].contains(field.role)
    if !isName, !hiddenNames.isEmpty, !rows.contains(where: { $0.identity == .moreNames }) {
      rows.append(FormRow(identity: .moreNames, editor: .button))
    }
    rows.append(single(.text(field), contact[field]))
  }

  private func single(_ field: SingleField, _ text: String) -> FormRow {
    FormRow(identity: .single(field), editor: field.isProse ? .area(TextArea(text)) : .field(TextField(text)))
  }

  private mutating func valueRow(_ field: MultiField, _ value: LabelledValue) -> FormRow {
    defer { nextSerial += 1 }
    let text = field.isDate ? PartialDate(value.value).map(dates.text(of:)) ?? value.value : value.value
    return FormRow(
      identity: .value(field, serial: nextSerial), editor: .field(TextField(text)), label: value.label,
      kept: (text, value.value))
  }

  private mutating func addressRows(_ address: PostalAddress) -> [FormRow] {
    defer { nextSerial += 1 }
    return AddressPart.allCases.map { part in
      let text = address[part]
      return FormRow(
        identity: .address(part, serial: nextSerial),
        editor: part == .street ? .area(TextArea(text)) : .field(TextField(text)), label: address.label)
    }
  }
}

extension String {
  /// The string without leading and trailing blanks and line ends.
  fileprivate var trimmed: String {
    var text = self[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
