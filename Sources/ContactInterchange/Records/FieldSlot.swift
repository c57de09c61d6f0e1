import Contacts

/// The part of a contact that takes a value from a column, an attribute or a key of another format.
public enum FieldSlot: Hashable, Sendable {
  /// A single text.
  case text(ContactField.Text)
  /// A full name whose parts are not known.
  case name
  /// A labeled value, added to the others.
  case value(ContactField.Values, label: String)
  /// A part of the address with this label.
  case address(AddressPart, label: String)
  /// The birthday.
  case birthday
  /// The names of groups.
  case groups
  /// Person or organization.
  case kind
  /// The UID.
  case uid

  /// Whether several values are stored separately, rather than rejected or joined.
  var isMultiValued: Bool {
    switch self {
    case .value, .groups: true
    case .text, .name, .address, .birthday, .kind, .uid: false
    }
  }
}
