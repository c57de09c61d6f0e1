import Contacts
import Foundation
import ObjectGraph

/// A contact as a managed object, a person or an organization, for editing, undo and saving.
public final class Person: ManagedObject {
  /// The identity across books (vCard UID).
  public var uid: String {
    get { text("uid") }
    set { assign(.string(newValue), to: "uid") }
  }
  /// Person or organization.
  public var kind: Contact.Kind {
    get { text("kind") == Contact.Kind.organization.name ? .organization : .person }
    set { assign(.string(newValue.name), to: "kind") }
  }
  /// Birthday.
  public var birthday: PartialDate? {
    get { PartialDate(text("birthday")) }
    set { assign(newValue.map { .string($0.iso) } ?? .null, to: "birthday") }
  }

  /// Time of the first save, ISO 8601 in UTC; empty before it.
  public var created: String { text("created") }
  /// Time of the last save, ISO 8601 in UTC; empty before the first one.
  public var modified: String { text("modified") }

  /// Returns its groups.
  public func groups() throws(StoreError) -> [Group] { try members("groups").compactMap { $0 as? Group } }

  /// Gives a new contact a UID; its kind is person by default.
  public override func awakeFromInsert() { assign(.string(UniqueID.make()), to: "uid") }

  /// Validates the contact as it will be saved, after changes by others are merged, and sets the derived values:
  /// display name, section, sort key, the other columns of the list, and the times.
  public override func willSave() throws {
    let contact = try contact
    let errors = ContactRules.issues(in: contact).filter { $0.severity == .error }
    guard errors.isEmpty else { throw EditError.invalid(errors) }
    for (name, value) in DerivedColumns(contact).attributes { try set(name, to: value) }
    let moment = Timestamp.now()
    if contact.created.isEmpty { try set("created", to: .string(moment)) }
    try set("modified", to: .string(moment))
  }
}

/// A group of contacts.
public final class Group: ManagedObject {
  /// Its unique name.
  public var name: String {
    get { text("name") }
    set { assign(.string(newValue), to: "name") }
  }

  /// Gives a new group a UID.
  public override func awakeFromInsert() { assign(.string(UniqueID.make()), to: "uid") }

  /// The rules that the group breaks: it needs a name.
  var issues: [ContactIssue] {
    name.isEmpty ? [ContactIssue(entity: "Group", property: "name", rule: "missing")] : []
  }

  /// Refuses a group without a name.
  public override func willSave() throws {
    guard issues.isEmpty else { throw EditError.invalid(issues) }
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
