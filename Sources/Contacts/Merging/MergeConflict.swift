/// A field, or a whole contact, that both sides of a merge changed in different ways.
public struct MergeConflict: Hashable, Sendable {
  /// What both sides changed.
  public enum Subject: Hashable, Sendable {
    /// A field, or one value of a list.
    case field(ContactField)
    /// The whole contact, which one side deleted and the other changed.
    case contact
  }

  /// The subject as one side has it.
  public enum Value: Hashable, Sendable {
    /// Absent: no such value, no date, no photo.
    case none
    /// A text, empty if it is absent; also the name of a kind.
    case text(String)
    /// A birthday.
    case day(PartialDate)
    /// A labeled value of a list.
    case labeled(LabeledValue)
    /// A postal address.
    case address(PostalAddress)
    /// The photo.
    case photo(PhotoSummary)
    /// A contact that exists, unchanged.
    case present
    /// A contact that exists, changed.
    case changed
    /// A contact that is deleted.
    case deleted
  }

  /// How the merge resolved the conflict.
  public enum Kept: String, Hashable, Sendable {
    /// Unresolved: each side keeps its own.
    case each
    /// Both sides get mine.
    case mine
    /// Both sides get theirs.
    case theirs
  }

  /// What both sides changed.
  public var subject: Subject
  /// The value when both sides were last the same.
  public var base: Value
  /// The value on this side.
  public var mine: Value
  /// The value on the other side.
  public var theirs: Value
  /// How the merge resolved the conflict.
  public var kept: Kept

  /// The JSON key of the field, or `contact`.
  public var fieldName: String {
    switch subject {
    case .field(let field): field.jsonKey
    case .contact: "contact"
    }
  }
}

extension Contact.Kind {
  /// `person` or `organization`: its name in JSON.
  public var name: String { self == .person ? "person" : "organization" }
}
