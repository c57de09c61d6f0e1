import Contacts

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
