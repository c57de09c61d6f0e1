import GRDB

/// Triggers by which the change log of contacts also hears of parts that were written alone: a telephone number changed in
/// the `sqlite3` shell, a group renamed. What is found by the part would otherwise be looked for in vain in an index that
/// was kept.
///
/// This program's saves raise the contact's version themselves. A bulk write says so (``beginBulkWrite(_:)``), and is
/// spared a line of the log for each part.
enum PartLogSchema {
  /// Tables of parts that a search looks at, each with a `contact_id`.
  private static let tables = ["phone", "email", "url", "address", "avatar", "group_member"]
  private static let bulkKey = "bulk_write"

  static var statements: [String] {
    tables.flatMap { table in
      [
        trigger("part_inserted_\(table)", "AFTER INSERT ON \(table)", line("NEW.contact_id")),
        trigger("part_deleted_\(table)", "AFTER DELETE ON \(table)", line("OLD.contact_id")),
        trigger(
          "part_updated_\(table)", "AFTER UPDATE ON \(table)",
          line("OLD.contact_id") + " " + line("NEW.contact_id")),
      ]
    } + [
      trigger(
        "group_renamed", "AFTER UPDATE OF name ON contact_group",
        """
        INSERT INTO results_log_contact(old_id, new_id, old_content)
        SELECT contact_id, contact_id, 'part' FROM group_member WHERE group_id = NEW.id;
        """)
    ]
  }

  /// Tells the triggers, for the rest of the transaction, that every contact whose parts are written is written too.
  static func beginBulkWrite(_ db: Database) throws {
    try db.execute(sql: "INSERT OR REPLACE INTO store_info VALUES (?, '')", arguments: [bulkKey])
  }

  /// Ends it before the commit, so that nobody else ever sees it.
  static func endBulkWrite(_ db: Database) throws {
    try db.execute(sql: "DELETE FROM store_info WHERE key = ?", arguments: [bulkKey])
  }

  private static func trigger(_ name: String, _ event: String, _ body: String) -> String {
    """
    CREATE TRIGGER \(name) \(event)
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = '\(bulkKey)') BEGIN \(body) END
    """
  }

  /// A line of the log for a contact. What it was before is no content that a contact can have, so that it counts as
  /// changed.
  private static func line(_ id: String) -> String {
    "INSERT INTO results_log_contact(old_id, new_id, old_content) VALUES (\(id), \(id), 'part');"
  }
}
