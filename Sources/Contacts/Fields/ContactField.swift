/// A field of a contact: a row of ``ContactFields``. Code that stores, reads, checks, merges, searches or displays
/// contacts iterates over the rows, and needs no change for a new text field or list of labeled values.
public enum ContactField: Hashable, Sendable {
  /// A single text.
  case text(Text)
  /// Any number of labeled values.
  case values(Values)
  /// A field with special treatment in each part of the program.
  case special(Special)

  /// The fields that are neither a single text nor a list of labeled values.
  public enum Special: String, Hashable, Sendable, CaseIterable {
    /// Person or organization.
    case kind
    /// Postal addresses; their parts are the cases of ``AddressPart``.
    case addresses
    /// Day of birth.
    case birthday
    /// The names of the contact's groups; the groups themselves belong to the book.
    case groups
    /// The photo; a contact has only its summary.
    case photo
    /// The lines of the contact's vCard; no form shows them.
    case cardLines
  }

  /// Name in key paths of issues, in the object graph, in the history and in drafts: `given`, `phones`, `birthday`. It
  /// is stored, so it must not change.
  public var name: String {
    switch self {
    case .text(let text): text.name
    case .values(let values): values.name
    case .special(let special): special.rawValue
    }
  }

  /// Key in the JSON of a contact. `--set` accepts it too, for all fields that it can set.
  public var jsonKey: String {
    switch self {
    case .text(let text): text.jsonKey
    case .special(.cardLines): "vcardLines"
    default: name
    }
  }

  /// Position among the fields of a form, lower ones first; nil if a form does not show it.
  public var formRank: Int? {
    switch self {
    case .text(let text): text.form.rank
    case .values(let values): values.formRank
    case .special(.kind): 0
    case .special(.photo): 10
    case .special(.addresses): 220
    case .special(.birthday): 260
    case .special(.groups): 280
    case .special(.cardLines): nil
    }
  }

  /// The vCard property of a text or a list.
  public var card: CardProperty? {
    switch self {
    case .text(let text): text.card
    case .values(let values): values.card
    case .special: nil
    }
  }

  /// Position among the properties of a vCard, lower ones first; fields that share a property share its position. Nil
  /// for the kept lines.
  public var cardRank: Int? {
    switch self {
    case .text, .values: card?.rank
    case .special(.kind): 0
    case .special(.addresses): 120
    case .special(.birthday): 140
    case .special(.groups): 180
    case .special(.photo): 200
    case .special(.cardLines): nil
    }
  }
}
