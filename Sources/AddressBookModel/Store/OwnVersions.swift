import ChangeLog
import GRDB

/// The versions of contacts, which triggers increment for every update of a contact and every write of one of its parts,
/// by anyone. A writer that increments versions itself announces this for its transaction. It then uses one version and
/// one line of the change log per contact, however many parts it writes.
enum OwnVersions {
  private static let key = "versions_raised"

  /// Tells the triggers that, for the rest of the transaction, the writer itself increments the version of every
  /// contact that is written, or whose parts are.
  static func begin(_ db: Database) throws {
    try db.execute(sql: "INSERT OR REPLACE INTO store_info(key, value) VALUES (?, '')", arguments: [key])
  }

  /// Undoes ``begin(_:)``. Call it before the commit, or other connections see the setting.
  static func end(_ db: Database) throws {
    try db.execute(sql: "DELETE FROM store_info WHERE key = ?", arguments: [key])
  }
}

extension ChangeTracking {
  /// The tracking that tells lists and caches which contacts were written: each save of a contact increments its
  /// version, and so does a change to its phones, groups or photo.
  public static let contacts = ChangeTracking(table: "contact", content: .columns(["version"]))
}
