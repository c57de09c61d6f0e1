import Contacts

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
  var labels: [String] { values?.labels ?? ["home", "work", "school", "other"] }
}
