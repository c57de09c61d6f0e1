/// A field, or a whole contact, that both sides of a merge changed in different ways.
public struct MergeConflict: Hashable, Sendable {
  /// What it is about.
  public enum Subject: Hashable, Sendable {
    /// A field; of a list, one value of it.
    case field(ContactField)
    /// The whole contact, which one side deleted and the other changed.
    case contact
  }

  /// One state of it.
  public enum Value: Hashable, Sendable {
    /// Not there: no such value, no day, no photo.
    case none
    /// A text; an absent one is empty. Also the name of a kind.
    case text(String)
    /// Day of birth.
    case day(PartialDate)
    /// A labeled value of a list.
    case labeled(LabeledValue)
    /// A postal address.
    case address(PostalAddress)
    /// The photo.
    case photo(PhotoSummary)
    /// A contact that is there, as it was.
    case present
    /// A contact that is there, changed.
    case changed
    /// A contact that is deleted.
    case deleted
  }

  /// What the merge did about it.
  public enum Kept: String, Hashable, Sendable {
    /// It is open: each side keeps its own.
    case each
    /// Both sides get mine.
    case mine
    /// Both sides get theirs.
    case theirs
  }

  /// What it is about.
  public var subject: Subject
  /// As it was when both sides were the same.
  public var base: Value
  /// As this side has it.
  public var mine: Value
  /// As the other side has it.
  public var theirs: Value
  /// What the merge did about it.
  public var kept: Kept

  /// The key in JSON of the field, or `contact`.
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
