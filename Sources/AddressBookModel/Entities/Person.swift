import Contacts
import Foundation
import ObjectGraph

/// A contact as a managed object, a person or an organization, for editing, undo and saving. `BookModel` adds the
/// attributes and lists of the table of fields.
public final class Person: Object {
  /// The identity across books (vCard UID).
  @Attribute(.length(...Limits.uid)) public var uid = ""
  /// Person or organization.
  @Attribute public var kind = Contact.Kind.person
  /// Time of the first save, ISO 8601 in UTC; empty before it.
  @Attribute public private(set) var created = ""
  /// Time of the last save, ISO 8601 in UTC; empty before the first one.
  @Attribute public private(set) var modified = ""

  /// Birthday.
  public var birthday: PartialDate? {
    get { PartialDate(text("birthday")) }
    set { assign(newValue.map { .string($0.iso) } ?? .null, to: "birthday") }
  }

  /// Returns its groups.
  public func groups() throws(StoreError) -> [Group] { try members("groups").compactMap { $0 as? Group } }

  /// Gives a new contact a UID; its kind is person by default.
  public override func awakeFromInsert() { uid = UniqueID.make() }

  /// Validates the contact as it will be saved, after changes by others are merged, and sets the derived values:
  /// display name, section, sort key, the other columns of the list, and the times.
  public override func willSave() throws {
    let contact = try contact
    let errors = ContactRules.issues(in: contact).filter { $0.severity == .error }
    guard errors.isEmpty else { throw EditError.invalid(errors) }
    for (name, value) in DerivedColumns(contact).attributes { try set(name, to: value) }
    let moment = Timestamp.now()
    if created.isEmpty { created = moment }
    modified = moment
  }
}

/// A group of contacts.
public final class Group: Object {
  @Attribute(.length(...Limits.uid)) var uid = ""
  /// Its unique name.
  @Attribute(.length(...Limits.name)) public var name = ""

  /// Gives a new group a UID.
  public override func awakeFromInsert() { uid = UniqueID.make() }

  /// The rules that the group breaks: it needs a name.
  var issues: [ContactIssue] {
    name.isEmpty ? [ContactIssue(entity: "Group", property: "name", rule: "missing")] : []
  }

  /// Refuses a group without a name.
  public override func willSave() throws {
    guard issues.isEmpty else { throw EditError.invalid(issues) }
  }
}

extension Contact.Kind: AttributeValue {
  /// `string`.
  public static var attributeType: AttributeType { .string }
  /// The name of the kind.
  public var attributeValue: Value { .string(name) }
  /// Creates the kind of a name; a person for a name that only a newer program knows.
  public init?(attributeValue: Value) {
    guard case .string(let text) = attributeValue else { return nil }
    self = text == Self.organization.name ? .organization : .person
  }
}

/// Common properties of contacts, their parts and groups.
extension ManagedObject {
  /// Id of the row; 0 before the first save.
  public var id: Int64 { objectID.number ?? 0 }

  /// False once the object is deleted, whether the deletion was saved or not.
  public var isLive: Bool { !isDeleted }

  /// The book's context that the object belongs to.
  var book: BookContext {
    get throws(StoreError) {
      guard let book = context?.owner as? BookContext else { throw StoreError(.closed, path: "") }
      return book
    }
  }

  /// Returns the string value of an attribute; empty if it has none, or can no longer be read.
  func text(_ name: String) -> String {
    do throws(ObjectGraphError) {
      guard case .string(let text) = try value(name) else { return "" }
      return text
    } catch {
      return ""
    }
  }

  /// Sets an attribute. Deleted objects are not changed, and neither is an attribute whose new value no store can keep
  /// (``Person/apply(_:)`` reports that).
  func assign(_ value: Value, to name: String) {
    do throws(ObjectGraphError) {
      try set(name, to: value)
    } catch {
      return
    }
  }

  /// Returns the objects of a to-many relationship.
  func members(_ name: String) throws(StoreError) -> [ManagedObject] {
    try book.reading { _ throws(ObjectGraphError) in try objects(name) }
  }
}
