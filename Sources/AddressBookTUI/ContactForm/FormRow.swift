import Contacts
import TerminalKit

/// A field that a contact has once, and that is typed as text.
enum SingleField: Hashable {
  case text(ContactField.Text)
  case birthday, groups

  /// All of them in the order of the form.
  static let allCases: [SingleField] = ContactFields.standard.inFormOrder.compactMap { field in
    switch field {
    case .text(let text): .text(text)
    case .special(.birthday): .birthday
    case .special(.groups): .groups
    default: nil
    }
  }

  /// Its row in the table of fields.
  var field: ContactField {
    switch self {
    case .text(let text): .text(text)
    case .birthday: .special(.birthday)
    case .groups: .special(.groups)
    }
  }

  /// Its name in drafts and in the key paths of validation issues.
  var name: String { field.name }

  /// Position in the form, lower ones first.
  var rank: Int { field.formRank ?? 0 }

  /// True for free text of several lines.
  var isProse: Bool {
    if case .text(let text) = self { text.role == .prose } else { false }
  }

  /// True for the text field with this name.
  func isText(_ name: String) -> Bool {
    if case .text(let text) = self { text.name == name } else { false }
  }
}

/// A field with any number of values, each with a label.
enum MultiField: Hashable {
  case values(ContactField.Values)
  case address

  /// All of them in the order of the form.
  static let allCases: [MultiField] = ContactFields.standard.inFormOrder.compactMap { field in
    switch field {
    case .values(let values): .values(values)
    case .special(.addresses): .address
    default: nil
    }
  }

  /// The field in ``ContactFields/values``; nil for addresses, which have parts.
  var values: ContactField.Values? {
    if case .values(let values) = self { values } else { nil }
  }

  /// Its row in the table of fields.
  var field: ContactField { values.map { .values($0) } ?? .special(.addresses) }

  var isDate: Bool { values?.rule == .date }

  /// The name of one value in drafts and string keys.
  var name: String { values?.singular ?? "address" }

  /// The name of the values in a contact's JSON and in the key paths of validation issues.
  var collectionName: String { field.name }

  /// True if the user chooses the label first, because no label suits most new values: the label of a social account is
  /// its service.
  var choosesLabelFirst: Bool { values?.sameness == .handle }

  /// The labels in the chooser. A new value starts with the first unused one, unless ``choosesLabelFirst``.
  var labels: [String] { values?.labels ?? PostalAddress.labels }
}

/// A row of the form: its field, and the editor with the input.
struct FormRow {
  /// The field of a row. List values are identified by a serial number that does not change while the form is open.
  enum Identity: Hashable {
    case kind
    /// The photo; activating it opens the chooser.
    case photo
    case single(SingleField)
    case value(MultiField, serial: Int)
    case address(AddressPart, serial: Int)
    /// A button that adds a value.
    case adder(MultiField)
    /// A button that shows the rare parts of the name.
    case moreNames
  }

  let identity: Identity
  var editor: FormEditor
  /// The label of a list value, as stored.
  var label = ""
  /// The initial text in the editor, and the stored text that it shows; nil for a row that was added in the form, a
  /// choice or a button.
  var initial: (text: String, stored: String)?
  /// The error, in the user's language.
  var error: String?
  /// The warning, in the user's language.
  var warning: String?

  /// The text in the editor; empty for a choice or a button.
  var text: String { editor.text }

  /// True if the text is not the initial one, or if there is none.
  var isEdited: Bool { initial?.text != text }

  /// True for free text of several lines.
  var isProse: Bool {
    if case .single(let field) = identity { field.isProse } else { false }
  }

  /// The error or else the warning, as shown below the editor; nil if there is none.
  var remark: String? { error.map { "✗ " + $0 } ?? warning.map { "! " + $0 } }

  /// The list field of the row, or of the button that adds a value to it.
  var multiField: MultiField? {
    switch identity {
    case .value(let field, _), .adder(let field): field
    case .address: .address
    case .kind, .photo, .single, .moreNames: nil
    }
  }

  /// The serial number of the list value of the row.
  var serial: Int? {
    switch identity {
    case .value(_, let serial), .address(_, let serial): serial
    case .kind, .photo, .single, .adder, .moreNames: nil
    }
  }

  /// True for the row that shows the label of its value: the only row of a labeled value, the first row of an address.
  var showsLabel: Bool {
    switch identity {
    case .value, .address(.street, _): true
    default: false
    }
  }
}

/// Builds the rows of the contact form, with serial numbers for labeled values and addresses.
struct FormRowBuilder {
  private let dates: DateEntry
  /// The displayed name of the favorites.
  private let favorites: String
  private var nextSerial = 0

  init(dates: DateEntry, favorites: String) {
    self.dates = dates
    self.favorites = favorites
  }

  /// The rows of a contact, and the parts of the name that are empty and hidden.
  mutating func rows(of contact: Contact) -> (rows: [FormRow], hiddenNames: [ContactField.Text]) {
    var rows: [FormRow] = []
    var hidden: [ContactField.Text] = []
    for field in ContactFields.standard.inFormOrder {
      switch field {
      case .text(let text) where text.form.isRare && contact[text].isEmpty: hidden.append(text)
      case .text(let text):
        // After the names, a button that shows the hidden ones.
        let isName = [.namePart, .fullName, .phonetic].contains(text.role)
        if !isName, !hidden.isEmpty, !rows.contains(where: { $0.identity == .moreNames }) {
          rows.append(FormRow(identity: .moreNames, editor: .button))
        }
        rows.append(row(of: contact[text], in: .text(text)))
      case .values(let values):
        let present = contact[keyPath: values.property]
        guard values.isOffered || !present.isEmpty else { continue }
        for value in present { rows.append(row(of: value, in: .values(values))) }
        for label in values.shownLabels where !present.contains(where: { $0.label == label }) {
          var row = row(of: LabeledValue(label: label, value: ""), in: .values(values))
          row.initial = nil
          rows.append(row)
        }
        rows.append(FormRow(identity: .adder(.values(values)), editor: .button))
      case .special(.kind):
        rows.append(FormRow(identity: .kind, editor: .choice(contact.kind.rawValue, of: Contact.Kind.allCases.count)))
      case .special(.photo): rows.append(FormRow(identity: .photo, editor: .button))
      case .special(.addresses):
        for address in contact.addresses { rows += self.rows(of: address) }
        rows.append(FormRow(identity: .adder(.address), editor: .button))
      case .special(.birthday): rows.append(row(of: contact.birthday.map(dates.text(of:)) ?? "", in: .birthday))
      case .special(.groups):
        rows.append(row(of: GroupNames.text(of: Favorites.shown(contact.groups, as: favorites)), in: .groups))
      case .special(.cardLines): break
      }
    }
    return (rows, hidden)
  }

  func row(of text: String, in field: SingleField) -> FormRow {
    row(.single(field), field.isProse ? .area(TextArea(text)) : .field(TextField(text)), stored: text)
  }

  mutating func row(of value: LabeledValue, in field: MultiField) -> FormRow {
    defer { nextSerial += 1 }
    let text = field.isDate ? PartialDate(value.value).map(dates.text(of:)) ?? value.value : value.value
    return row(
      .value(field, serial: nextSerial), .field(TextField(text)), label: value.label, stored: value.value)
  }

  /// The rows of an address, one for each part, all with the same serial number.
  mutating func rows(of address: PostalAddress) -> [FormRow] {
    defer { nextSerial += 1 }
    return AddressPart.allCases.map { part in
      let text = address[part]
      return row(
        .address(part, serial: nextSerial), part == .street ? .area(TextArea(text)) : .field(TextField(text)),
        label: address.label, stored: text)
    }
  }

  private func row(_ identity: FormRow.Identity, _ editor: FormEditor, label: String = "", stored: String) -> FormRow {
    FormRow(identity: identity, editor: editor, label: label, initial: (editor.text, stored))
  }
}

/// The editor of a row of the form.
enum FormEditor {
  case field(TextField)
  case area(TextArea)
  /// The index of the selected choice, and the number of choices.
  case choice(Int, of: Int)
  case button

  /// The text in the editor; empty for a choice or a button.
  var text: String {
    switch self {
    case .field(let field): field.text
    case .area(let area): area.text
    case .choice, .button: ""
    }
  }

  /// Handles a key; false if the editor does not support it.
  /// - Parameter columns: the width of a text area.
  mutating func handle(_ key: Key, columns: Int) -> Bool {
    switch self {
    case .field(var field):
      defer { self = .field(field) }
      return field.handle(key)
    case .area(var area):
      area.columns = columns
      defer { self = .area(area) }
      return area.handle(key)
    case .choice(let chosen, let count):
      switch key.code {
      case .character(" "), .right: self = .choice((chosen + 1) % count, of: count)
      case .left: self = .choice((chosen + count - 1) % count, of: count)
      default: return false
      }
      return true
    case .button: return false
    }
  }

  /// Moves the cursor to a cell of an editor of that size.
  mutating func moveCursor(toRow row: Int, column: Int, in size: Size) {
    switch self {
    case .field(var field):
      field.moveCursor(toColumn: column, columns: size.columns)
      self = .field(field)
    case .area(var area):
      area.moveCursor(toRow: row, column: column, in: size)
      self = .area(area)
    case .choice, .button: break
    }
  }

  /// Selects one of the choices.
  mutating func choose(_ index: Int) {
    guard case .choice(_, let count) = self, (0..<count).contains(index) else { return }
    self = .choice(index, of: count)
  }

  /// Inserts text at the cursor.
  mutating func insert(_ text: String) {
    switch self {
    case .field(var field):
      field.insert(text)
      self = .field(field)
    case .area(var area):
      area.insert(text)
      self = .area(area)
    case .choice, .button: break
    }
  }

  /// Draws a text that is being edited.
  func draw(on canvas: inout Canvas, in rect: Rect, style: Style, focused: Bool = true) {
    switch self {
    case .field(let field): field.draw(on: &canvas, in: rect, style: style, focused: focused)
    case .area(let area): area.draw(on: &canvas, in: rect, style: style, focused: focused)
    case .choice, .button: break
    }
  }
}
