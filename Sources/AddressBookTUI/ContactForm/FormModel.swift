import AddressBookModel
import Contacts
import TerminalKit

/// The form's rows and their input, independent of any screen: it takes a contact and produces a changed one.
struct FormModel {
  private(set) var rows: [FormRow] = []
  /// The index of the focused row.
  private(set) var focus = 0
  /// The contact without the changes of the form; values that the form does not show are taken from it.
  let original: Contact
  /// The change to the photo.
  var photo = PhotoChange.keep
  let dates: DateEntry
  /// The names of the book's groups, which complete what is typed; nil until they are needed.
  var knownGroups: [String]?
  /// The name of the favorites on the screen.
  let favorites: String
  /// The initial text of the groups, and their names.
  let initialGroups: (text: String, names: [String])
  private var builder: FormRowBuilder
  /// Parts of the name that are empty and hidden.
  private(set) var hiddenNames: [ContactField.Text] = []

  /// A form for a contact; an empty one for a new contact.
  /// - Parameter original: the contact to compare with, if the form already starts with changes.
  init(
    _ contact: Contact, original: Contact? = nil, dates: DateEntry = DateEntry(), favorites: String = Favorites.group
  ) {
    self.original = original ?? contact
    self.dates = dates
    self.favorites = favorites
    builder = FormRowBuilder(dates: dates, favorites: favorites)
    (rows, hiddenNames) = builder.rows(of: contact)
    let groups = GroupNames.text(of: Favorites.shown(contact.groups, as: favorites))
    initialGroups = (TextField(groups).text, contact.groups)
    let first = contact.kind == .person ? "family" : "organization"
    focus = rows.firstIndex { if case .single(let field) = $0.identity { field.isText(first) } else { false } } ?? 0
  }

  /// True if the input or the photo differs from the original contact, or a typed birthday is not a valid date.
  var isChanged: Bool { contact != original || photo != .keep || hasUnreadableBirthday }

  /// True if the contact will have a photo.
  var hasPhoto: Bool {
    switch photo {
    case .keep: original.photo != nil
    case .remove: false
    case .set: true
    }
  }

  /// Moves the focus down by a number of rows (up if negative), at most to the last or first one.
  mutating func moveFocus(by offset: Int) {
    focus = min(max(0, focus + offset), rows.count - 1)
  }

  mutating func setFocus(_ row: Int) { focus = min(max(0, row), rows.count - 1) }

  /// Passes a key to the focused editor; false if the editor does not handle it.
  mutating func handle(_ key: Key, columns: Int) -> Bool {
    guard rows[focus].editor.handle(key, columns: columns) else { return false }
    rows[focus].error = nil
    return true
  }

  /// Moves the cursor of the focused editor to a cell.
  /// - Parameter size: the size that the editor is drawn in.
  mutating func moveCursor(toRow row: Int, column: Int, in size: Size) {
    rows[focus].editor.moveCursor(toRow: row, column: column, in: size)
  }

  /// Replaces the editor of the focused row.
  mutating func setEditor(_ editor: FormEditor) {
    rows[focus].editor = editor
    rows[focus].error = nil
  }

  /// Selects one of the focused row's choices.
  mutating func choose(_ index: Int) { rows[focus].editor.choose(index) }

  /// Inserts pasted text at the cursor.
  mutating func paste(_ text: String) { rows[focus].editor.insert(text) }

  /// Shows the hidden parts of the name, and moves the focus to the first of them.
  mutating func showAllNames() {
    guard let button = rows.firstIndex(where: { $0.identity == .moreNames }) else { return }
    rows.remove(at: button)
    for field in hiddenNames {
      // Insert before the first row whose field comes later; there is always one, the nickname.
      let index = rows.firstIndex { row in
        guard case .single(let other) = row.identity else { return false }
        return other.rank > field.form.rank
      }
      rows.insert(FormRow(identity: .single(.text(field)), editor: .field(TextField(""))), at: index ?? button)
    }
    focus = rows.firstIndex { $0.identity == hiddenNames.first.map { .single(.text($0)) } } ?? focus
    hiddenNames = []
  }

  /// Adds a value after the last one of its kind, and moves the focus to it.
  mutating func add(_ field: MultiField) {
    guard let adder = rows.firstIndex(where: { $0.identity == .adder(field) }) else { return }
    let used = rows.filter { $0.multiField == field && $0.showsLabel }.map(\.label)
    let label = field.choosesLabelFirst ? "" : field.labels.first { !used.contains($0) } ?? field.labels[0]
    var added =
      field == .address
      ? builder.rows(of: PostalAddress(label: label))
      : [builder.row(of: LabeledValue(label: label, value: ""), in: field)]
    for index in added.indices { added[index].initial = nil }
    rows.insert(contentsOf: added, at: adder)
    focus = adder
  }

  /// Removes the focused value or photo, or the group at the cursor; false if there is none.
  mutating func removeFocused() -> Bool {
    if rows[focus].identity == .photo {
      guard hasPhoto else { return false }
      photo = original.photo == nil ? .keep : .remove
      return true
    }
    if isInGroups { return removeGroup() }
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
      let neighbor = neighbor(of: serial, field, direction)
    else { return false }
    let moved = rows.indices.filter { rows[$0].serial == serial }
    let other = rows.indices.filter { rows[$0].serial == neighbor }
    guard let start = (moved + other).min() else { return false }
    let block = moved.map { rows[$0] }
    let otherBlock = other.map { rows[$0] }
    let offset = focus - (moved.first ?? focus)
    rows.replaceSubrange(
      start..<start + block.count + otherBlock.count, with: direction < 0 ? block + otherBlock : otherBlock + block)
    focus = start + offset + (direction < 0 ? 0 : otherBlock.count)
    return true
  }

  /// True if the focused value has others of its kind.
  var canMoveFocused: Bool {
    guard let serial = rows[focus].serial, let field = rows[focus].multiField else { return false }
    return neighbor(of: serial, field, -1) != nil || neighbor(of: serial, field, 1) != nil
  }

  /// The serial number of the value above or below, of the same kind.
  private func neighbor(of serial: Int, _ field: MultiField, _ direction: Int) -> Int? {
    var serials: [Int] = []
    for row in rows where row.multiField == field {
      if let serial = row.serial, serials.last != serial { serials.append(serial) }
    }
    guard let index = serials.firstIndex(of: serial), serials.indices.contains(index + direction) else { return nil }
    return serials[index + direction]
  }

  /// Replaces the focused address, or adds one if the button for that is focused.
  mutating func fill(_ address: PostalAddress) {
    if rows[focus].identity == .adder(.address) { add(.address) }
    guard let serial = rows[focus].serial else { return }
    for index in rows.indices where rows[index].serial == serial {
      guard case .address(let part, _) = rows[index].identity else { continue }
      let text = address[part]
      rows[index].editor = part == .street ? .area(TextArea(text)) : .field(TextField(text))
      rows[index].label = address.label
      rows[index].error = nil
    }
  }

  mutating func setLabel(_ label: String) {
    guard let serial = rows[focus].serial else { return }
    for index in rows.indices where rows[index].serial == serial { rows[index].label = label }
  }

  /// Shows errors at their rows, replacing older ones, and moves the focus to the first.
  ///
  /// - Parameter errors: messages by key path as used in validation: `given`, `phones[1]`, `addresses[0].city`.
  ///   The index counts the values that are stored.
  mutating func show(errors: [String: String]) {
    let indexes = valueIndexes
    for index in rows.indices {
      rows[index].error = keyPaths(of: rows[index], indexes).lazy.compactMap { errors[$0] }.first
    }
    if let first = rows.firstIndex(where: { $0.error != nil }) { focus = first }
  }

  /// Shows warnings at their rows, replacing older ones; the row being typed in shows none.
  mutating func show(warnings: [String: String]) {
    let indexes = valueIndexes
    for index in rows.indices {
      rows[index].warning =
        index == focus ? nil : keyPaths(of: rows[index], indexes).lazy.compactMap { warnings[$0] }.first
    }
  }
}
