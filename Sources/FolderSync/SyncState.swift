import AddressBookModel
import Foundation
import GRDB

/// A row about a contact and its file in a folder, as of the last sync.
struct SyncedCard {
  let contact: Int64
  /// The name of the file; empty if it has none yet.
  let file: String
  /// The UID as the file has it; empty if it has none.
  let uid: String
  let digest: Int64
  /// The version of the contact when both were last compared.
  let version: Int
  let isOpen: Bool
  let isLeaving: Bool
  /// False if there is no common version to merge from.
  let hasBase: Bool

  /// False if the last sync wrote the file and then not the book.
  var isWhole: Bool { version > 0 }
  /// True for a contact that the folder had after the last sync and should still have.
  var isKnown: Bool { hasBase && !isLeaving }
}

/// What the book knows at the beginning of a sync.
struct SyncState {
  /// A contact that is in the book.
  struct BookContact {
    let id: Int64
    let uid: String
    let version: Int
  }

  /// The id of the folder; nil before its first sync.
  let folder: Int64?
  /// Contacts that were removed for good come last: a contact that has come back from its file has a newer row.
  let rows: [SyncedCard]
  /// The contacts of the rows that are in the book, keyed by id.
  let living: [Int64: BookContact]
  /// The contacts that belong to no folder; none if they are not added to this one.
  let free: [BookContact]
  /// The contacts of the rows that are also in another folder.
  let shared: Set<Int64>
  let keepsMetadata: Bool
  /// The names of the groups that have a card in the folder, or in no folder yet.
  let groupsWithCard: Set<String>
  /// The stored name and color of the folder; empty before its first sync.
  let name: String
  let color: String

  /// - Parameters:
  ///   - path: the real path of the folder.
  ///   - adoptsFreeContacts: whether contacts that are in no folder are added to this one.
  init(_ db: Database, path: String, adoptsFreeContacts: Bool) throws {
    let known = try Row.fetchOne(db, sql: "SELECT id, name, color FROM sync_folder WHERE path = ?", arguments: [path])
    let folder = known?.integer(0)
    self.folder = folder
    name = known?.text(1) ?? ""
    color = known?.text(2) ?? ""
    rows = try Row.fetchAll(
      db,
      sql: """
        SELECT contact_id, file, s.uid, digest, s.version, is_open, is_leaving, base IS NOT NULL
        FROM synced_card s LEFT JOIN contact c ON c.id = contact_id
        WHERE folder_id = ? ORDER BY c.id IS NULL, s.id
        """, arguments: [folder]
    ).map { row in
      SyncedCard(
        contact: row.integer(0), file: row.text(1), uid: row.text(2), digest: row.integer(3), version: row.number(4),
        isOpen: row.number(5) != 0, isLeaving: row.number(6) != 0, hasBase: row.number(7) != 0)
    }
    living = try Dictionary(
      Row.fetchAll(
        db,
        sql: """
          SELECT c.id, c.uid, c.version FROM synced_card s JOIN contact c ON c.id = s.contact_id
          WHERE s.folder_id = ? AND c.deleted_at IS NULL
          """, arguments: [folder]
      ).map { ($0.integer(0), Self.contact($0)) }, uniquingKeysWith: { first, _ in first })
    free =
      try !adoptsFreeContacts
      ? []
      : Row.fetchAll(
        db,
        sql: """
          SELECT id, uid, version FROM contact c WHERE deleted_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM synced_card s WHERE s.contact_id = c.id) ORDER BY id
          """
      ).map(Self.contact)
    shared = try Set(
      Int64.fetchAll(
        db,
        sql: """
          SELECT contact_id FROM synced_card WHERE folder_id = ?1 AND contact_id IN
            (SELECT contact_id FROM synced_card WHERE folder_id <> ?1 AND base IS NOT NULL AND is_leaving = 0)
          """, arguments: [folder]))
    keepsMetadata = try PhotoMetadataChoice.isKept(db)
    groupsWithCard = try Set(
      String.fetchAll(
        db,
        sql: """
          SELECT name FROM contact_group g
          WHERE EXISTS (SELECT 1 FROM synced_group WHERE group_id = g.id AND folder_id = ?)
            OR (EXISTS (SELECT 1 FROM group_card WHERE group_id = g.id)
              AND NOT EXISTS (SELECT 1 FROM synced_group WHERE group_id = g.id))
          """, arguments: [folder]))
  }

  private static func contact(_ row: Row) -> BookContact {
    BookContact(id: row.integer(0), uid: row.text(1), version: row.number(2))
  }
}
