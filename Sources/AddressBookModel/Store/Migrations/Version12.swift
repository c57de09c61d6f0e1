extension Migrations {
  /// Pronouns, the grammatical gender and languages (RFC 9554; RFC 6350, 6.4.4).
  static let version12 = """
    ALTER TABLE contact ADD COLUMN pronouns TEXT NOT NULL DEFAULT '';
    ALTER TABLE contact ADD COLUMN grammatical_gender TEXT NOT NULL DEFAULT '';
    CREATE TABLE language (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      label TEXT NOT NULL DEFAULT '',
      value TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX language_contact ON language(contact_id, position);
    CREATE TRIGGER part_inserted_language AFTER INSERT ON language
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_language AFTER DELETE ON language
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_language AFTER UPDATE ON language
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    """
}
