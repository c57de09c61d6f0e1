extension Migrations {
  /// The cards of contacts and groups, as they were imported: all lines in one row instead of one row per line. The
  /// triggers are created after the lines are moved: moving them is not a change to a contact.
  static let version7 = """
    CREATE TABLE contact_card (
      contact_id INTEGER PRIMARY KEY REFERENCES contact(id) ON DELETE CASCADE,
      -- The unfolded lines as a JSON array of texts.
      lines TEXT NOT NULL
    ) STRICT;
    INSERT INTO contact_card
    SELECT contact_id, json_group_array(line) FROM
      (SELECT contact_id, line FROM card_line ORDER BY contact_id, position, id)
    GROUP BY contact_id;
    DROP TABLE card_line;
    CREATE TABLE group_card (
      group_id INTEGER PRIMARY KEY REFERENCES contact_group(id) ON DELETE CASCADE,
      lines TEXT NOT NULL,
      -- The references of members that are not in the book yet.
      waiting TEXT NOT NULL DEFAULT '[]'
    ) STRICT;
    CREATE TRIGGER part_inserted_contact_card AFTER INSERT ON contact_card
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_contact_card AFTER DELETE ON contact_card
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_contact_card AFTER UPDATE ON contact_card
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    """
}
