import Contacts
import VCard

/// A vCard converted for the address book.
public struct ImportedCard: Sendable {
  /// The kind of a card.
  public enum Kind: Hashable, Sendable {
    /// A person or an organization.
    case contact
    /// A group by name, whose members are other cards by UID, verbatim.
    case group(name: String, memberUIDs: [String])
  }

  /// Contact or group.
  public var kind = Kind.contact
  /// The contact, without an id in the book, a photo summary or times.
  public var contact = Contact()
  /// The first photo embedded in the card, unchecked: its type must be detected from its bytes. External photos
  /// (`http:`, `file:`) are never fetched.
  public var photo: CardBinary?
  /// The problems found, those of the reader first.
  public var diagnostics: [Diagnostic] = []
  /// The line of the input where the card begins.
  public var lineNumber = 0

  /// An empty card.
  public init() {}
}
