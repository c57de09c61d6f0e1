extension Migrations {
  /// When each contact was last written to, or wrote. It is not an edit: the version, the checksum and the history of
  /// the contact stay as they are, and only lists and caches learn of it, from the change log.
  static let version13 = """
    CREATE TABLE contacted (
      contact_id INTEGER PRIMARY KEY REFERENCES contact(id) ON DELETE CASCADE,
      at TEXT NOT NULL
    ) STRICT;
    CREATE TRIGGER contacted_inserted AFTER INSERT ON contacted BEGIN INSERT INTO results_log_contact(old_id, new_id, \
    old_content) VALUES (NEW.contact_id, NEW.contact_id, 'contacted'); END;
    CREATE TRIGGER contacted_updated AFTER UPDATE ON contacted BEGIN INSERT INTO results_log_contact(old_id, new_id, \
    old_content) VALUES (NEW.contact_id, NEW.contact_id, 'contacted'); END;
    CREATE TRIGGER contacted_deleted AFTER DELETE ON contacted BEGIN INSERT INTO results_log_contact(old_id, new_id, \
    old_content) VALUES (OLD.contact_id, OLD.contact_id, 'contacted'); END;
    """
}
