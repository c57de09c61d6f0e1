import AddressBookModel
import Contacts
import TerminalKit

/// One row of the form: what it edits, and the editor that holds what was typed.
struct FormRow {
  /// What a row edits. Values of many are told apart by a serial number that stays theirs while the form is open.
  enum Identity: Hashable {
    case kind
    /// The picture; choosing it opens the chooser.
    case photo
    case single(SingleField)
    case value(MultiField, serial: Int)
    case address(AddressPart, serial: Int)
    /// Not a value: choosing it adds one.
    case adder(MultiField)
    /// Not a value: choosing it shows the rare parts of the name.
    case moreNames
  }

  /// How the row is edited.
  enum Editor {
    case field(TextField)
    case area(TextArea)
    /// A choice among so many, and the one chosen.
    case choice(Int, of: Int)
    case button
  }

  let identity: Identity
  var editor: Editor
  /// The label of a value of many, as it is stored.
  var label = ""
  /// What the row began with where that reads otherwise than it is stored, and how it is stored.
  var kept: (text: String, stored: String)?
  /// What is wrong with it, in the person's language.
  var error: String?
  /// What looks wrong about it but may be saved, in the person's language.
  var warning: String?

  /// The text in the editor; empty for a choice or a button.
  var text: String {
    switch editor {
    case .field(let field): field.text
    case .area(let area): area.text
    case .choice, .button: ""
    }
  }

  /// True for free text of several lines.
  var isProse: Bool {
    if case .single(let field) = identity { field.isProse } else { false }
  }

  /// What stands below the editor.
  var remark: String? { error.map { "✗ " + $0 } ?? warning.map { "! " + $0 } }

  /// The kind of many that the row belongs to, adders included.
  var multiField: MultiField? {
    switch identity {
    case .value(let field, _), .adder(let field): field
    case .address: .address
    case .kind, .photo, .single, .moreNames: nil
    }
  }

  /// The serial number of the value of many that the row belongs to.
  var serial: Int? {
    switch identity {
    case .value(_, let serial), .address(_, let serial): serial
    case .kind, .photo, .single, .adder, .moreNames: nil
    }
  }

  /// True on the row that shows the label of its value: the only row of a phone, the first of an address.
  var showsLabel: Bool {
    switch identity {
    case .value, .address(.street, _): true
    default: false
    }
  }
}
