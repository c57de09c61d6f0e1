import GRDB

/// Triggers that increment `contact.version` for every update of a contact and every write of one of its parts, by
/// anyone: a phone number changed in the `sqlite3` shell is a conflict for a form that has the contact open, and it
/// reaches lists and indexes, because the update of the version adds a line to the change log.
///
/// A writer that increments versions itself announces this for its transaction (``beginOwnVersions(_:)``). It then uses
/// one version and one line of the log per contact, however many parts it writes.
///
/// The text is frozen with version 3 of the schema. Except for the names, and for groups, it is that of
/// ``ChangeLog/VersionTriggers``; a test compares the two.
enum VersionSchema {
  /// Tables of parts, each with a `contact_id`, in version 3.
  static let partTables = Schema.labeledTables + ["address", "avatar", "group_member", "card_line"]
  private static let key = "versions_raised"

  static var statements: [String] {
    PartLogSchema.names.map { "DROP TRIGGER \($0)" }
      + [
        trigger("contact_version", "AFTER UPDATE ON contact", when: "NEW.version IS OLD.version", raise("= NEW.id")),
        trigger(
          "group_version", "AFTER UPDATE ON contact_group", when: "NEW.version IS OLD.version",
          "UPDATE contact_group SET version = version + 1 WHERE id = NEW.id;"),
        // Unlike the others, it also runs after `beginOwnVersions`: a writer that renames a group does not write its
        // members.
        """
        CREATE TRIGGER group_renamed AFTER UPDATE OF name ON contact_group WHEN NEW.name IS NOT OLD.name BEGIN
        \(raise("IN (SELECT contact_id FROM group_member WHERE group_id = NEW.id)")) END
        """,
      ]
      + partTables.flatMap { table in
        [
          trigger("part_inserted_\(table)", "AFTER INSERT ON \(table)", raise("= NEW.contact_id")),
          trigger("part_deleted_\(table)", "AFTER DELETE ON \(table)", raise("= OLD.contact_id")),
          trigger(
            "part_updated_\(table)", "AFTER UPDATE ON \(table)", raise("IN (OLD.contact_id, NEW.contact_id)")),
        ]
      }
  }

  /// Tells the triggers that, for the rest of the transaction, the writer itself increments the version of every
  /// contact that is written, or whose parts are.
  static func beginOwnVersions(_ db: Database) throws {
    try db.execute(sql: "INSERT OR REPLACE INTO store_info(key, value) VALUES (?, '')", arguments: [key])
  }

  /// Undoes ``beginOwnVersions(_:)``. Call it before the commit, or other connections see the setting.
  static func endOwnVersions(_ db: Database) throws {
    try db.execute(sql: "DELETE FROM store_info WHERE key = ?", arguments: [key])
  }

  private static func raise(_ ids: String) -> String {
    "UPDATE contact SET version = version + 1 WHERE id \(ids);"
  }

  private static func trigger(
    _ name: String, _ event: String, when condition: String? = nil, _ body: String
  ) -> String {
    let condition = condition.map { $0 + " AND " } ?? ""
    return """
      CREATE TRIGGER \(name) \(event)
      WHEN \(condition)NOT EXISTS (SELECT 1 FROM store_info WHERE key = '\(key)') BEGIN \(body) END
      """
  }
}
