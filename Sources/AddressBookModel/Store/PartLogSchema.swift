/// The triggers of version 2 of the schema, which logged writes of parts. Version 3 replaces them: see
/// ``VersionSchema``.
enum PartLogSchema {
  private static let tables = ["phone", "email", "url", "address", "avatar", "group_member"]

  static var names: [String] {
    tables.flatMap { ["part_inserted_\($0)", "part_deleted_\($0)", "part_updated_\($0)"] } + ["group_renamed"]
  }

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

  private static func trigger(_ name: String, _ event: String, _ body: String) -> String {
    """
    CREATE TRIGGER \(name) \(event)
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN \(body) END
    """
  }

  private static func line(_ id: String) -> String {
    "INSERT INTO results_log_contact(old_id, new_id, old_content) VALUES (\(id), \(id), 'part');"
  }
}
