/// The tables for the cards of contacts and groups, as they were imported: all lines in one row instead of one row per
/// line. The text is frozen with version 7 of the schema.
///
/// The triggers are those that ``VersionSchema`` has for other parts. They are created after the lines are moved:
/// moving them is not a change to a contact.
enum CardSchema {
  /// The tables of parts in the current schema, each with a `contact_id`.
  static let partTables = VersionSchema.partTables.filter { $0 != "card_line" } + ["contact_card"]

  static let statements = [
    """
    CREATE TABLE contact_card (
      contact_id INTEGER PRIMARY KEY REFERENCES contact(id) ON DELETE CASCADE,
      -- The unfolded lines as a JSON array of texts.
      lines TEXT NOT NULL
    ) STRICT
    """,
    """
    INSERT INTO contact_card
    SELECT contact_id, json_group_array(line) FROM
      (SELECT contact_id, line FROM card_line ORDER BY contact_id, position, id)
    GROUP BY contact_id
    """,
    "DROP TABLE card_line",
    """
    CREATE TABLE group_card (
      group_id INTEGER PRIMARY KEY REFERENCES contact_group(id) ON DELETE CASCADE,
      lines TEXT NOT NULL,
      -- The references of members that are not in the book yet.
      waiting TEXT NOT NULL DEFAULT '[]'
    ) STRICT
    """,
    trigger("inserted", "INSERT", "= NEW.contact_id"),
    trigger("deleted", "DELETE", "= OLD.contact_id"),
    trigger("updated", "UPDATE", "IN (OLD.contact_id, NEW.contact_id)"),
  ]

  private static func trigger(_ name: String, _ event: String, _ ids: String) -> String {
    """
    CREATE TRIGGER part_\(name)_contact_card AFTER \(event) ON contact_card
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN \
    UPDATE contact SET version = version + 1 WHERE id \(ids); END
    """
  }
}
