import ChangeLog
import Contacts
import GRDB
import Glibc
import SystemCalls

/// The schema of a book that ``Migrations`` has made current: its number, and its tables.
package enum Schema {
  /// `PRAGMA application_id` of every book: the letters `abk1`.
  package static let applicationID: Int32 = 0x6162_6B31

  /// `PRAGMA user_version`: the number of migrations that a current book has seen.
  package static let version = Int32(Migrations.all.count)

  /// The sections of contacts: A to Z, then `#`.
  package static let sections = 0...26

  /// Child tables with a label and a value.
  package static let labeledTables = ContactFields.standard.values.map(\.table)

  /// Tables of parts of a contact, each with a `contact_id`.
  package static let partTables = labeledTables + ["address", "avatar", "group_member", "contact_card"]
}

/// A copy of a book made before its schema is migrated: `book.db.v1` next to `book.db`. The older program can still
/// open it.
package enum SchemaBackup {
  static func path(of book: String, version: Int32) -> String { "\(book).v\(version)" }

  /// Returns the copies of a book that exist.
  package static func existing(of book: String) -> [String] {
    (1..<Schema.version).map { path(of: book, version: $0) }.filter { FileBytes.count(of: $0) > 0 }
  }

  /// Makes the copy, unless there is one already. It gets its name once it is complete and on disk.
  /// - Throws: `StoreError` or the database's error; the book is then unchanged, and no part of a copy remains.
  static func make(_ db: Database, of book: String, version: Int32) throws {
    let path = path(of: book, version: version)
    guard stat(of: path, followsLinks: false)?.isFolder != false else { return }
    do {
      let file = try FileReplacement(path: path)
      // `VACUUM INTO` accepts an empty file, and keeps its mode.
      try file.fill { try db.execute(sql: "VACUUM INTO ?", arguments: [$0]) }
      try file.commit()
    } catch let failure as FileFailure {
      let reason: StoreError.Reason =
        switch failure.code {
        case ENOSPC, EDQUOT, EFBIG: .diskFull
        case EACCES, EPERM, EROFS: .readOnly
        default: .inputOutput
        }
      throw StoreError(reason, path: failure.path, detail: failure.message)
    }
  }
}

/// Values of the whole book, in the table `store_info`.
enum StoreInfo {
  /// Returns the value of a key; nil if it has none.
  static func value(_ key: String, _ db: Database) throws -> String? {
    try String.fetchOne(db.makeStatement(sql: "SELECT value FROM store_info WHERE key = ?"), arguments: [key])
  }

  /// Gives a key a value.
  static func set(_ key: String, to value: String, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO store_info(key, value) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value
        """, arguments: [key, value])
  }
}

/// The versions of contacts, which triggers increment for every update of a contact and every write of one of its parts,
/// by anyone. A writer that increments versions itself announces this for its transaction. It then uses one version and
/// one line of the change log per contact, however many parts it writes.
package enum OwnVersions {
  private static let key = "versions_raised"

  /// Tells the triggers that, for the rest of the transaction, the writer itself increments the version of every
  /// contact that is written, or whose parts are.
  package static func begin(_ db: Database) throws {
    try db.execute(sql: "INSERT OR REPLACE INTO store_info(key, value) VALUES (?, '')", arguments: [key])
  }

  /// Undoes ``begin(_:)``. Call it before the commit, or other connections see the setting.
  package static func end(_ db: Database) throws {
    try db.execute(sql: "DELETE FROM store_info WHERE key = ?", arguments: [key])
  }
}

extension ChangeTracking {
  /// The tracking that tells lists and caches which contacts were written: each save of a contact increments its
  /// version, and so does a change to its phones, groups or photo.
  public static let contacts = ChangeTracking(table: "contact", content: .columns(["version"]))
}
