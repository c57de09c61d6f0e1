import AddressBookModel
import Contacts
import Foundation
import GRDB

struct SyncStateStore {
  private let db: Database
  let folder: Int64

  /// - Parameter path: the real path of the folder; it is added if the book does not have it yet.
  init(_ db: Database, path: String) throws {
    self.db = db
    try db.execute(sql: "INSERT INTO sync_folder (path) VALUES (?) ON CONFLICT DO NOTHING", arguments: [path])
    guard let id = try Int64.fetchOne(db, sql: "SELECT id FROM sync_folder WHERE path = ?", arguments: [path]) else {
      throw StoreError(.other, path: path)
    }
    folder = id
  }

  /// Returns the contact as both sides last had it; nil if there is no such state.
  static func base(_ db: Database, folder: Int64, contact: Int64) throws -> Contact? {
    let data = try Data.fetchOne(
      db.cachedStatement(sql: "SELECT base FROM synced_card WHERE folder_id = ? AND contact_id = ?"),
      arguments: [folder, contact])
    return try data.map { try ContactDelta($0).after(in: Contact()) }
  }

  /// Returns what a contact and its cards in other folders last had in common, and those that were moved out of any
  /// folder, the oldest version first.
  static func basesElsewhere(_ db: Database, folder: Int64, contact: Int64) throws -> [Contact] {
    // By way of the folders: there is no index that begins with the contact.
    try Data.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT base FROM (
            SELECT 0 AS is_there, id, base FROM sync_moved
            WHERE folder_id IN (SELECT id FROM sync_folder) AND contact_id = ?2
            UNION ALL SELECT 1, id, base FROM synced_card WHERE contact_id = ?2 AND folder_id <> ?1 AND base IS NOT NULL
          ) ORDER BY is_there, id
          """), arguments: [folder, contact]
    ).map { try ContactDelta($0).after(in: Contact()) }
  }

  func name(_ name: String, color: String) throws {
    try db.execute(
      sql: "UPDATE sync_folder SET name = ?1, color = ?2 WHERE id = ?3 AND (name <> ?1 OR color <> ?2)",
      arguments: [name, color, folder])
  }

  /// Puts a contact back into this folder, which its card is to leave again.
  func putBack(_ id: Int64) throws -> SyncedCard {
    try db.execute(
      sql: "INSERT INTO synced_card (folder_id, contact_id, file, is_leaving) VALUES (?, ?, '', 1)",
      arguments: [folder, id])
    return SyncedCard(
      contact: id, file: "", uid: "", digest: 0, version: 0, isOpen: false, isLeaving: true, hasBase: false)
  }

  // MARK: - Intents

  /// Stores what the file of a pair is about to become, before it is written: what the sync itself wrote must not look
  /// like an edit, whatever happens to the contact or to the program in between.
  /// - Returns: false if the contact was moved into or out of this folder after the comparison.
  func intend(_ outcome: SyncOutcome) throws -> Bool {
    guard let id = outcome.pair.id else { return true }
    let (file, uid, digest, base): (String, String, Int64?, Data?)
    switch (outcome.file, outcome.state) {
    case (.write(_, let name, _), .synced(_, let newUID, let newDigest, let next, _)):
      (file, uid, digest, base) = (name, newUID, newDigest, Self.data(of: outcome.baseWithoutBook ?? next))
    case (.remove(let name, _), _): (file, uid, digest, base) = (name, "", nil, nil)
    default: return true
    }
    guard try isPlaced(id, outcome.pair) else { return false }
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO sync_intent (folder_id, contact_id, file, uid, digest, base) VALUES (?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [folder, id, file, uid, digest, base])
    return true
  }

  /// Puts the contact of a pair into the folder if it is new there. A contact that belonged to no folder must still
  /// belong to none.
  private func isPlaced(_ id: Int64, _ pair: SyncPairing.Pair) throws -> Bool {
    if let row = pair.row { return try isLeaving(id) == row.isLeaving }
    try db.cachedStatement(
      sql: """
        INSERT INTO synced_card (folder_id, contact_id, file)
        SELECT ?1, ?2, '' WHERE ?3 OR NOT EXISTS (SELECT 1 FROM synced_card WHERE contact_id = ?2) ON CONFLICT DO NOTHING
        """
    ).execute(arguments: [folder, id, pair.entry != nil])
    return pair.entry != nil || db.changesCount > 0
  }

  /// Returns whether a contact is to leave this folder; nil if it is not in it.
  private func isLeaving(_ id: Int64) throws -> Bool? {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT is_leaving FROM synced_card WHERE folder_id = ? AND contact_id = ?"),
      arguments: [folder, id])
  }

  /// Compares each intent with its file. Where the file is as intended, the intent is the state of the last sync; the
  /// others are removed.
  func applyIntents(_ files: CardFolder) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT id, contact_id, file, digest FROM sync_intent WHERE folder_id = ?", arguments: [folder])
    for row in rows {
      let digest: Int64? = row[3]
      guard files.has(row.text(2), digest) else { continue }
      if digest == nil {
        let isLeaving = try isLeaving(row.integer(1)) == true
        try save(isLeaving ? .left : .deleted, of: row.integer(1), version: 0)
      } else {
        // A pair without a version is compared again.
        try db.execute(
          sql: """
            UPDATE synced_card SET version = 0, (file, uid, digest, base) =
              (SELECT file, uid, digest, base FROM sync_intent WHERE id = ?)
            WHERE folder_id = ? AND contact_id = ?
            """, arguments: [row.integer(0), folder, row.integer(1)])
      }
    }
    try db.execute(sql: "DELETE FROM sync_intent WHERE folder_id = ?", arguments: [folder])
    let groups = try Row.fetchAll(
      db, sql: "SELECT id, group_id, file, digest FROM synced_group WHERE folder_id = ? AND is_intended = 1",
      arguments: [folder])
    for row in groups where files.has(row.text(2), row[3]) {
      try forget(group: row.integer(1))
      try db.execute(
        sql: "UPDATE synced_group SET is_intended = 0 WHERE id = ? AND digest IS NOT NULL", arguments: [row.integer(0)])
    }
    try db.execute(sql: "DELETE FROM synced_group WHERE folder_id = ? AND is_intended = 1", arguments: [folder])
  }

  /// Returns whether a sync of this folder ended before it had told the book what it wrote.
  static func hasIntents(_ db: Database, path: String) throws -> Bool {
    try exists(
      db,
      """
      SELECT 1 FROM sync_folder f WHERE f.path = ? AND (EXISTS (SELECT 1 FROM sync_intent WHERE folder_id = f.id)
        OR EXISTS (SELECT 1 FROM synced_group WHERE folder_id = f.id AND is_intended = 1))
      """, path)
  }

  /// Stores the card of a group.
  /// - Parameter isIntended: true before the file is written; `lines` are what both have once it is.
  func save(_ card: GroupPlan.SyncedGroup, isIntended: Bool = false) throws {
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO synced_group (folder_id, group_id, is_intended, file, uid, digest, lines)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        folder, card.id, isIntended, card.file, card.uid, card.digest, StoredLines.text(card.lines),
      ])
  }

  /// Forgets the card of a group.
  func forget(group: Int64) throws {
    try db.execute(
      sql: "DELETE FROM synced_group WHERE folder_id = ? AND group_id = ? AND is_intended = 0",
      arguments: [folder, group])
  }

  private static func data(of base: Contact) -> Data { ContactDelta(from: Contact(), to: base.withoutIdentity).data }

  // MARK: - Results

  /// Stores the result of a pair, which replaces its intent.
  /// - Parameters:
  ///   - id: the contact.
  ///   - version: its version after the sync.
  func save(_ change: SyncOutcome.StateChange, of id: Int64, version: Int) throws {
    if case .none = change {
    } else {
      try db.cachedStatement(sql: "DELETE FROM sync_intent WHERE folder_id = ? AND contact_id = ?")
        .execute(arguments: [folder, id])
    }
    switch change {
    case .none: break
    case .synced(let file, let uid, let digest, let base, let open):
      try db.cachedStatement(
        sql: """
          INSERT INTO synced_card (folder_id, contact_id, file, uid, digest, version, is_open, base)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET file = excluded.file, uid = excluded.uid, digest = excluded.digest,
            version = excluded.version, is_open = excluded.is_open, base = excluded.base
          """
      ).execute(arguments: [
        folder, id, file, uid, digest, version, open != nil, Self.data(of: base),
      ])
      try save(open, of: id, base: base)
    case .deleted:
      try db.execute(
        sql: "UPDATE synced_card SET base = NULL, is_open = 0 WHERE folder_id = ? AND contact_id = ?",
        arguments: [folder, id])
    case .left:
      try keepMoved(id, where: "is_leaving = 1")
      try db.execute(
        sql: "DELETE FROM synced_card WHERE folder_id = ? AND contact_id = ?", arguments: [folder, id])
    }
  }

  /// Remembers the state of a card that leaves this folder.
  /// - Parameter condition: a condition on its row.
  func keepMoved(_ id: Int64, where condition: String = "TRUE") throws {
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO sync_moved (folder_id, contact_id, uid, base) SELECT folder_id, contact_id, uid, base
        FROM synced_card WHERE folder_id = ? AND contact_id = ? AND base IS NOT NULL AND uid <> '' AND \(condition)
        """, arguments: [folder, id])
  }

  private func save(_ open: OpenConflict?, of id: Int64, base: Contact) throws {
    try db.cachedStatement(sql: "DELETE FROM sync_conflict WHERE folder_id = ? AND contact_id = ?")
      .execute(arguments: [folder, id])
    guard let open else { return }
    func data(_ side: Contact) -> Data {
      ContactDelta(from: base.withoutIdentity, to: side.withoutIdentity).data
    }
    try db.execute(
      sql: "INSERT INTO sync_conflict (folder_id, contact_id, mine, theirs) VALUES (?, ?, ?, ?)",
      arguments: [folder, id, data(open.mine), data(open.theirs)])
  }

  /// Returns what both sides had when the last sync left a conflict open; nil if it is not known.
  static func conflict(_ db: Database, folder: Int64, contact: Int64, base: Contact) throws -> OpenConflict? {
    try Row.fetchOne(
      db, sql: "SELECT mine, theirs FROM sync_conflict WHERE folder_id = ? AND contact_id = ?",
      arguments: [folder, contact]
    ).map { row in
      OpenConflict(
        mine: try ContactDelta(row.data(0)).after(in: base), theirs: try ContactDelta(row.data(1)).after(in: base))
    }
  }

  /// Forgets the other folders that a contact was deleted from: it came back from this one, and stays here.
  func deleteFromOthers(_ id: Int64) throws {
    try db.execute(
      sql: "DELETE FROM synced_card WHERE contact_id = ? AND folder_id <> ? AND base IS NULL", arguments: [id, folder])
    try db.execute(
      sql: "UPDATE synced_card SET is_leaving = 0 WHERE contact_id = ? AND folder_id = ?", arguments: [id, folder])
  }

  /// Deletes the rows of contacts that are deleted on both sides and were removed for good.
  func deleteRemoved() throws {
    try db.execute(
      sql: """
        DELETE FROM synced_card WHERE folder_id = ? AND base IS NULL
          AND NOT EXISTS (SELECT 1 FROM contact WHERE id = contact_id)
        """, arguments: [folder])
    try db.execute(
      sql: "DELETE FROM sync_moved WHERE folder_id = ? AND NOT EXISTS (SELECT 1 FROM contact WHERE id = contact_id)",
      arguments: [folder])
  }

  // MARK: - What is left to do

  /// Returns whether the book has changes that the folder lacks: contacts that were added, edited, deleted or moved since
  /// its last sync.
  static func isPending(_ db: Database, path: String) throws -> Bool {
    try exists(
      db,
      """
      SELECT 1 FROM synced_card s JOIN sync_folder f ON f.id = folder_id AND f.path = ?
      LEFT JOIN contact c ON c.id = contact_id AND c.deleted_at IS NULL
      WHERE is_leaving = 1
        OR CASE WHEN c.id IS NULL THEN base IS NOT NULL ELSE base IS NULL OR s.version <> c.version END
      """, path)
  }

  private static func exists(_ db: Database, _ sql: String, _ path: String) throws -> Bool {
    try Bool.fetchOne(db, sql: "SELECT EXISTS (\(sql))", arguments: [path]) ?? false
  }
}
