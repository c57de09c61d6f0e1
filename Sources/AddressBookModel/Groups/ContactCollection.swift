import Contacts
import GRDB
import SystemCalls

/// Contacts that belong together without being members of a group: found by the time when they were written, by their
/// birthday, or by a rule.
public enum ContactCollection: Hashable, Sendable {
  /// Contacts added in the last `days` days.
  case recentlyAdded(days: Int)
  /// Contacts changed in the last `days` days, after the day on which they were added.
  case recentlyChanged(days: Int)
  /// Contacts with a birthday on a day or in the `days` days after it.
  case birthdays(from: CalendarDay, days: Int)
  /// The contacts of a smart group.
  case found(by: SmartGroup.Rule)
}

extension AddressBook {
  /// Returns those of the given contacts that are members of a group.
  public func members(ofGroup name: String, among ids: [Int64]) throws(StoreError) -> Set<Int64> {
    try store.read { db in
      try Set(
        Int64.fetchAll(
          db.cachedStatement(
            sql: """
              SELECT contact_id FROM group_member WHERE group_id = (SELECT id FROM contact_group WHERE name = ?)
                AND contact_id IN (SELECT value FROM json_each(?))
              """), arguments: [name, ContactLoader.json(ids)]))
    }
  }

  /// Returns the ids of the contacts of a collection, in no particular order. This can read the whole table: call it on
  /// a background thread.
  /// - Parameter search: finds contacts by the text of a search.
  package func ids(
    in collection: ContactCollection, search: (String) throws(StoreError) -> [Int64]
  ) throws(StoreError) -> [Int64] {
    if case .found(let rule) = collection {
      switch rule {
      case .search(let text): return try search(text)
      case .condition(let text): return try contactIDs(where: text)
      }
    }
    // The + keeps SQLite from reading the table in the order of the list's index.
    return try store.read { db in
      switch collection {
      case .found: return []
      case .recentlyAdded(let days):
        return try Int64.fetchAll(
          db, sql: "SELECT id FROM contact WHERE +deleted_at IS NULL AND created_at >= ?",
          arguments: [Timestamp.daysAgo(days)])
      case .recentlyChanged(let days):
        return try Int64.fetchAll(
          db,
          sql: """
            SELECT id FROM contact
            WHERE +deleted_at IS NULL AND modified_at >= ? AND substr(modified_at, 1, 10) > substr(created_at, 1, 10)
            """, arguments: [Timestamp.daysAgo(days)])
      case .birthdays(let first, let days):
        let rows = try Row.fetchCursor(
          db, sql: "SELECT id, birthday FROM contact WHERE birthday <> '' AND +deleted_at IS NULL")
        var found: [Int64] = []
        while let row = try rows.next() {
          guard let birthday = PartialDate(row.text(1)) else { continue }
          if Anniversary(of: birthday, on: first).daysUntilNext <= days { found.append(row.integer(0)) }
        }
        return found
      }
    }
  }

  /// Returns the ids of the contacts that match a saved condition; none if this version of the program does not
  /// understand the condition.
  private func contactIDs(where text: String) throws(StoreError) -> [Int64] {
    let condition: ContactCondition
    do {
      condition = try ContactCondition(text)
    } catch {
      return []
    }
    return try contactIDs(where: condition)
  }
}

/// A folder of vCards that a book is synced with: some of its contacts, with a name and a color.
public struct ContactFolder: Hashable, Sendable, Identifiable {
  /// Its id in the book.
  public let id: Int64
  /// Its real path.
  public let path: String
  /// Its name, as last read from its file `displayname`; if there was none, the last part of its path.
  public let name: String
  /// `#RRGGBB`, as last read from its file `color`; empty if there was none.
  public let color: String
  /// The number of its contacts.
  public let count: Int

  /// Returns true for `#RRGGBB`.
  public static func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.hasPrefix("#") && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// Returns the names of all folders, keyed by id. The name is empty for the folder that stands for contacts kept only
  /// in the book.
  static func names(_ db: Database) throws -> [Int64: String] {
    let rows = try Row.fetchAll(db, sql: "SELECT path, name, id FROM sync_folder")
    return Dictionary(
      rows.map { ($0.integer(2), $0.text(0).isEmpty ? "" : name($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the name of a folder: the name in its file `displayname` or, if there is none, the last part of its path.
  fileprivate static func name(_ row: Row) -> String {
    row.text(1).isEmpty ? Folder.split(row.text(0)).name : row.text(1)
  }
}

extension AddressBook {
  /// Returns the folders that the book was synced with, sorted by the name in `displayname`; those without one come
  /// first.
  public func folders() throws(StoreError) -> [ContactFolder] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT f.path, f.name, f.color, f.id,
            (SELECT count(*) FROM synced_card s JOIN contact c ON c.id = s.contact_id AND c.deleted_at IS NULL
             WHERE s.folder_id = f.id AND s.is_leaving = 0)
          FROM sync_folder f WHERE f.path <> '' ORDER BY f.name, f.id
          """
      ).map { row in
        ContactFolder(
          id: row.integer(3), path: row.text(0), name: ContactFolder.name(row), color: row.text(2), count: row.number(4)
        )
      }
    }
  }

  /// Returns whether the book still has a folder under this name and with this color.
  public func isCurrent(_ folder: ContactFolder) throws(StoreError) -> Bool {
    try store.read { db in
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT path, name, color FROM sync_folder WHERE id = ?"), arguments: [folder.id]
      ).map { ContactFolder.name($0) == folder.name && $0.text(2) == folder.color } ?? false
    }
  }

  /// Returns the ids of the contacts in a folder, in section order.
  public func memberIDs(ofFolder id: Int64) throws(StoreError) -> [Int64] {
    try store.values(
      """
      SELECT c.id FROM synced_card s JOIN contact c ON c.id = s.contact_id AND c.deleted_at IS NULL
      WHERE s.folder_id = ? AND s.is_leaving = 0 ORDER BY c.section, c.sort_key, c.id
      """, [id])
  }

  /// Returns the names of the folders that a contact is in.
  public func folderNames(ofContact id: Int64) throws(StoreError) -> [String] {
    try store.read { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT f.path, f.name FROM synced_card s JOIN sync_folder f ON f.id = s.folder_id
            WHERE s.contact_id = ? AND s.is_leaving = 0 AND f.path <> '' ORDER BY f.name, f.id
            """), arguments: [id]
      ).map(ContactFolder.name)
    }
  }
}
