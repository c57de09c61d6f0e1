import ChangeLog

/// The log of a table's writes and the triggers that fill it, in version 1 of the schema: frozen, like everything in a
/// shipped migration. A book has them from the start, so writes are logged even if no process shows a list.
///
/// Their text is that of `ChangeTracking`; a test compares the two.
struct ChangeLogSchema {
  /// The tracked table, with an `id` and a `version`, and a unique `uid`.
  let table: String
  /// The minimum number of lines that the log keeps.
  private let capacity = 32_768

  init(table: String) { self.table = table }

  private var log: String { "\"results_log_\(table)\"" }

  var statements: [String] {
    [
      """
      CREATE TABLE \(log)(
        seq INTEGER PRIMARY KEY AUTOINCREMENT, old_id INTEGER, new_id INTEGER, old_content)
      """,
      trigger(
        "inserted", "AFTER INSERT ON \"\(table)\"",
        "INSERT INTO \(log)(old_id, new_id, old_content) VALUES (NULL, NEW.\"id\", NULL);"),
      trigger(
        "pruned", "AFTER INSERT ON \(log) WHEN NEW.seq % 256 = 0",
        "DELETE FROM \(log) WHERE seq <= NEW.seq - \(capacity);"),
      trigger(
        "deleted", "AFTER DELETE ON \"\(table)\"",
        "INSERT INTO \(log)(old_id, new_id, old_content) VALUES (OLD.\"id\", NULL, quote(OLD.\"version\"));"),
      trigger(
        "updated", "AFTER UPDATE ON \"\(table)\"",
        "INSERT INTO \(log)(old_id, new_id, old_content) VALUES (OLD.\"id\", NEW.\"id\", quote(OLD.\"version\"));"),
      trigger("evicts_on_insert", "BEFORE INSERT ON \"\(table)\"", "\(evictedByID) \(evictedByUID)"),
      trigger(
        "evicts_id_on_update", "BEFORE UPDATE OF \"id\" ON \"\(table)\" WHEN OLD.\"id\" IS NOT NEW.\"id\"", evictedByID),
      trigger(
        "evicts_key0_on_update",
        "BEFORE UPDATE ON \"\(table)\" WHEN OLD.\"uid\" IS NOT NEW.\"uid\" COLLATE BINARY", evictedByUID),
    ]
  }

  private func trigger(_ name: String, _ event: String, _ body: String) -> String {
    "CREATE TRIGGER \"results_\(name)_\(table)\" \(event) BEGIN \(body) END"
  }

  /// Logs the row that a REPLACE evicts because it has the new row's id.
  private var evictedByID: String { evicted(where: "\"id\" = NEW.\"id\"") }

  /// Logs the row that a REPLACE evicts because it has the new row's UID.
  private var evictedByUID: String {
    evicted(where: "\"uid\" = NEW.\"uid\" COLLATE \"BINARY\" AND \"id\" IS NOT NEW.\"id\"")
  }

  private func evicted(where condition: String) -> String {
    "INSERT INTO \(log)(old_id, new_id, old_content) "
      + "SELECT \"id\", NULL, quote(\"version\") FROM \"\(table)\" WHERE \(condition);"
  }
}

extension ChangeTracking {
  /// The tracking that tells lists and caches which contacts were written: each save of a contact increments its
  /// version, and so does a change to its phones, groups or photo.
  public static let contacts = ChangeTracking(table: "contact", content: .columns(["version"]))
}
