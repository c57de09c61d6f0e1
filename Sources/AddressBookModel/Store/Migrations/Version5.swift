extension Migrations {
  /// The checksums of contacts, and the triggers that delete them. They are in a separate table, so that setting one is
  /// not a write of a contact. Any write of a contact deletes its checksums, whatever program it is from, and so does a
  /// write of a part, which increments the contact's version. This program sets them again for what it saves, and later
  /// for what other programs wrote. So a contact without checksums has not been checked yet, and one that differs from
  /// them is damaged.
  static let version5 = """
    CREATE TABLE contact_checksum (
      contact_id INTEGER PRIMARY KEY, whole INTEGER NOT NULL, list INTEGER NOT NULL
    ) STRICT;
    CREATE TRIGGER checksum_inserted AFTER INSERT ON contact BEGIN DELETE FROM contact_checksum WHERE contact_id = \
    NEW.id; END;
    CREATE TRIGGER checksum_updated AFTER UPDATE ON contact BEGIN DELETE FROM contact_checksum WHERE contact_id IN \
    (OLD.id, NEW.id); END;
    CREATE TRIGGER checksum_deleted AFTER DELETE ON contact BEGIN DELETE FROM contact_checksum WHERE contact_id = \
    OLD.id; END;
    CREATE TRIGGER checksum_left AFTER DELETE ON group_member BEGIN DELETE FROM contact_checksum WHERE contact_id = \
    OLD.contact_id; END;
    CREATE TRIGGER checksum_renamed AFTER UPDATE OF name ON contact_group BEGIN DELETE FROM contact_checksum WHERE \
    contact_id IN (SELECT contact_id FROM group_member WHERE group_id IN (OLD.id, NEW.id)); END;
    """
}
