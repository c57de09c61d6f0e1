import Contacts
import Foundation
import GRDB

/// A contact as a managed object, person or organisation: what is edited, undone and saved.
public final class Person: ManagedObject {
  /// Id of the row; 0 before the first save.
  public var id: Int64 { objectID.row ?? 0 }
  /// The identity in every book (vCard UID).
  public var uid: String {
    get { text("uid") }
    set { setText(newValue, of: "uid") }
  }
  /// Person or organisation.
  public var kind: Contact.Kind {
    get { Int.fromDatabaseValue(value("kind")).flatMap { Contact.Kind(rawValue: $0) } ?? .person }
    set { setValue(newValue.rawValue.databaseValue, of: "kind") }
  }
  /// The whole name where it differs from what the parts make.
  public var formattedName: String {
    get { text("formattedName") }
    set { setText(newValue, of: "formattedName") }
  }
  /// Honorific before the name.
  public var prefix: String {
    get { text("prefix") }
    set { setName(newValue, "prefix") }
  }
  /// Given name. Changing a part of the name clears ``formattedName``, which no longer holds.
  public var given: String {
    get { text("given") }
    set { setName(newValue, "given") }
  }
  /// Middle or additional names.
  public var middle: String {
    get { text("middle") }
    set { setName(newValue, "middle") }
  }
  /// Family name.
  public var family: String {
    get { text("family") }
    set { setName(newValue, "family") }
  }
  /// After the name.
  public var suffix: String {
    get { text("suffix") }
    set { setName(newValue, "suffix") }
  }
  /// How the given name is said.
  public var phoneticGiven: String {
    get { text("phoneticGiven") }
    set { setText(newValue, of: "phoneticGiven") }
  }
  /// How the middle name is said.
  public var phoneticMiddle: String {
    get { text("phoneticMiddle") }
    set { setText(newValue, of: "phoneticMiddle") }
  }
  /// How the family name is said.
  public var phoneticFamily: String {
    get { text("phoneticFamily") }
    set { setText(newValue, of: "phoneticFamily") }
  }
  /// What friends say.
  public var nickname: String {
    get { text("nickname") }
    set { setText(newValue, of: "nickname") }
  }
  /// Company or other body.
  public var organization: String {
    get { text("organization") }
    set { setText(newValue, of: "organization") }
  }
  /// Part of the organisation.
  public var department: String {
    get { text("department") }
    set { setText(newValue, of: "department") }
  }
  /// Position in the organisation.
  public var title: String {
    get { text("title") }
    set { setText(newValue, of: "title") }
  }
  /// Day of birth.
  public var birthday: PartialDate? {
    get { String.fromDatabaseValue(value("birthday")).flatMap { PartialDate($0) } }
    set { setValue(newValue?.iso.databaseValue ?? .null, of: "birthday") }
  }
  /// Free text.
  public var note: String {
    get { text("note") }
    set { setText(newValue, of: "note") }
  }

  /// The groups that it belongs to.
  public func groups() throws(StoreError) -> [Group] { try objects("groups").compactMap { $0 as? Group } }

  /// A new person has a uid and the kind of a human being.
  public override func awakeFromInsert() {
    setInitial(UniqueID.make().databaseValue, of: "uid")
  }

  /// Name shown, section, order and what a list shows beside it.
  public override func derivedColumns() throws(StoreError) -> [(column: String, value: DatabaseValue)] {
    Array(zip(DerivedColumns.columns, DerivedColumns(try contact).values)).map { (column: $0.0, value: $0.1) }
  }

  /// The rules of ``ContactRules``.
  public override func issues() throws(StoreError) -> [ValidationIssue] { ContactRules.issues(in: try contact) }

  private func setName(_ text: String, _ attribute: String) {
    guard self.text(attribute) != text else { return }
    setText(text, of: attribute)
    formattedName = ""
  }
}

/// A group of contacts.
public final class Group: ManagedObject {
  /// Id of the row; 0 before the first save.
  public var id: Int64 { objectID.row ?? 0 }
  /// Its name; no two groups have the same.
  public var name: String {
    get { text("name") }
    set { setText(newValue, of: "name") }
  }
  /// Ids of the contacts in it, deleted ones left out.
  public func memberIDs() throws(StoreError) -> [ObjectID] { try ids("members") }

  /// A new group has a uid.
  public override func awakeFromInsert() {
    setInitial(UniqueID.make().databaseValue, of: "uid")
  }

  /// A group needs a name.
  public override func issues() throws(StoreError) -> [ValidationIssue] {
    name.isEmpty ? [ValidationIssue(entity: "Group", property: "name", rule: "missing")] : []
  }
}
