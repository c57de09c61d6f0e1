import Contacts
import Foundation
import GRDB
import ObjectGraph
import Pinyin

/// The columns of `contact` that are derived from a contact's other values: display name, section, sort key, and the
/// first phone number and email address.
///
/// They are computed here. With SQL functions of ours in the schema, no other program could write to the book.
package struct DerivedColumns: Hashable, Sendable {
  package let displayName: String
  package let section: Int
  package let sortKey: [UInt8]
  let listPhone: String
  let listEmail: String

  /// The names of the columns, in the order of ``values``.
  package static let columns = ["display_name", "section", "sort_key", "list_phone", "list_email"]
}

extension DerivedColumns {
  /// - Parameter column: the first of the columns in the row.
  init(_ row: StatementRow, from column: Int) {
    self.init(
      displayName: row.text(column), section: row.number(column + 1), sortKey: row.bytes(column + 2),
      listPhone: row.text(column + 3), listEmail: row.text(column + 4))
  }

  package init(_ contact: Contact) {
    listPhone = contact.phones.first { !$0.value.isEmpty }?.value ?? ""
    listEmail = contact.emails.first { !$0.value.isEmpty }?.value ?? ""
    displayName = contact.displayName
    var name = contact.sortableName(displayedAs: displayName)
    (name.email, name.phone) = (listEmail, listPhone)
    sortKey = NameCollation().sortKey(of: name)
    // A key begins with its section.
    section = Int(sortKey.first ?? Section.other.rawValue)
  }

  package var values: [DatabaseValue] {
    [
      displayName.databaseValue, section.databaseValue, Data(sortKey).databaseValue, listPhone.databaseValue,
      listEmail.databaseValue,
    ]
  }

  // MARK: - Keeping up with the program

  private static let versionKey = "collation"
  /// The version of the rules for the columns: those of the collation, and those for display and sort names.
  private static let version = NameCollation.version + " names-5"

  /// Returns true if the columns were computed with the current version of the rules.
  static func isCurrent(_ db: Database) throws -> Bool { try StoreInfo.value(versionKey, db) == version }

  /// Recomputes the columns of all contacts if another version computed them.
  ///
  /// Each chunk is a separate transaction: other processes need not wait for a million rows. The last transaction
  /// writes the version, so an interrupted rebuild starts again.
  static func rebuildIfNeeded(_ database: any DatabaseWriter, chunk: Int = 2000) throws {
    guard try !database.read({ try isCurrent($0) }) else { return }
    var pages = ContactIDPages(size: chunk)
    var done = false
    while !done {
      try database.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          let ids = try pages.next(db)
          try rebuild(ids, db)
          done = ids.isEmpty
          if done { try markCurrent(db) }
          return .commit
        }
      }
    }
  }

  private static func rebuild(_ ids: [Int64], _ db: Database) throws {
    guard !ids.isEmpty else { return }
    let rows = BatchWriter(db, try BookModel.tables())
    for stored in try ContactLoader(db, parts: .names).loadStored(ids) where !stored.isDerived {
      try rows.update("Person", [stored.contact.id], DerivedColumns(stored.contact).attributes)
    }
  }

  /// Records that all columns were computed with the current version of the rules.
  package static func markCurrent(_ db: Database) throws { try StoreInfo.set(versionKey, to: version, db) }
}

extension Contact {
  /// Returns what decides the position of the contact, but for an email or phone in place of a name.
  func sortableName(displayedAs displayName: String) -> SortableName {
    SortableName(
      kind: kind == .organization ? .organization : .person, displayName: displayName, family: family, given: given,
      phoneticFamily: phoneticFamily, phoneticGiven: phoneticGiven, organization: organization, nickname: nickname)
  }
}
