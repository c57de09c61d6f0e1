extension Migrations {
  /// Fields of the user's own: properties of vCards that the settings name.
  static let version14 = """
    CREATE TABLE custom_field (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      label TEXT NOT NULL DEFAULT '',
      value TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX custom_field_contact ON custom_field(contact_id, position);
    CREATE TRIGGER part_inserted_custom_field AFTER INSERT ON custom_field
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_custom_field AFTER DELETE ON custom_field
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_custom_field AFTER UPDATE ON custom_field
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    """
}
