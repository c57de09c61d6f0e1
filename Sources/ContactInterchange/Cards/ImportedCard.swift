import Contacts
import VCard

/// A vCard as the address book understands it.
public struct ImportedCard: Sendable {
  /// What a card stands for.
  public enum Kind: Hashable, Sendable {
    /// A person or an organization.
    case contact
    /// A group by name, whose members are other cards by UID, to the letter.
    case group(name: String, memberUIDs: [String])
  }

  /// Contact or group.
  public var kind = Kind.contact
  /// The entry; it holds no identity in the book, no photo summary and no times.
  public var contact = Contact()
  /// The first picture that stands in the card, unchecked: what it is, its bytes say and not the card. Pictures elsewhere
  /// (`http:`, `file:`) are never fetched.
  public var photo: CardBinary?
  /// What was wrong, the findings of the reader first.
  public var diagnostics: [Diagnostic] = []
  /// Line of the input where the card begins.
  public var lineNumber = 0

  /// An empty entry.
  public init() {}
}
