/// One field of a contact: a row of ``ContactFields``. Whoever stores, reads, checks, merges, finds or shows contacts goes
/// through the rows and names no fields, so that a new field is a new row.
public enum ContactField: Hashable, Sendable {
  /// One text.
  case text(Text)
  /// Any number of values, each with a label.
  case values(Values)
  /// What is like no other field: each part of the program treats it by itself.
  case special(Special)

  /// The fields that are neither one text nor a list of labelled values.
  public enum Special: String, Hashable, Sendable, CaseIterable {
    /// Person or organization.
    case kind
    /// Postal addresses; their parts are the cases of ``AddressPart``.
    case addresses
    /// Day of birth.
    case birthday
    /// Names of groups: a set of texts that belong to the book, not to the contact.
    case groups
    /// The picture, which a contact only summarizes.
    case photo
    /// vCard lines that are kept to the letter; no form shows them.
    case cardLines
  }

  /// Name in key paths of issues, in merges and in the object graph: `given`, `phones`, `birthday`.
  public var name: String {
    switch self {
    case .text(let text): text.name
    case .values(let values): values.name
    case .special(let special): special.rawValue
    }
  }

  /// Key in the JSON of a contact; `--set` takes those of texts too.
  public var jsonKey: String {
    switch self {
    case .text(let text): text.jsonKey
    case .special(.cardLines): "vcardLines"
    default: name
    }
  }

  /// Place among the fields of a form, lower ones first; nil for what a form does not show.
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

  /// Place among the properties of a vCard, lower ones first; nil for what is not written in a place of its own.
  public var cardRank: Int? {
    switch self {
    case .text(let text): text.card.rank
    case .values(let values): values.card.rank
    case .special(.kind): 0
    case .special(.addresses): 120
    case .special(.birthday): 140
    case .special(.groups): 180
    case .special(.photo): 200
    case .special(.cardLines): nil
    }
  }
}
