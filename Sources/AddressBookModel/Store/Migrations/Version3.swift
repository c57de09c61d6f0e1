extension Migrations {
  /// Triggers that increment `contact.version` for every update of a contact and every write of one of its parts, by
  /// anyone: a phone number changed in the `sqlite3` shell is a conflict for a form that has the contact open, and it
  /// reaches lists and indexes, because the update of the version adds a line to the change log. A writer that
  /// increments versions itself says so for its transaction (``OwnVersions``).
  static let version3 = """
    DROP TRIGGER part_inserted_phone;
    DROP TRIGGER part_deleted_phone;
    DROP TRIGGER part_updated_phone;
    DROP TRIGGER part_inserted_email;
    DROP TRIGGER part_deleted_email;
    DROP TRIGGER part_updated_email;
    DROP TRIGGER part_inserted_url;
    DROP TRIGGER part_deleted_url;
    DROP TRIGGER part_updated_url;
    DROP TRIGGER part_inserted_address;
    DROP TRIGGER part_deleted_address;
    DROP TRIGGER part_updated_address;
    DROP TRIGGER part_inserted_avatar;
    DROP TRIGGER part_deleted_avatar;
    DROP TRIGGER part_updated_avatar;
    DROP TRIGGER part_inserted_group_member;
    DROP TRIGGER part_deleted_group_member;
    DROP TRIGGER part_updated_group_member;
    DROP TRIGGER group_renamed;
    CREATE TRIGGER contact_version AFTER UPDATE ON contact
    WHEN NEW.version IS OLD.version AND NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN \
    UPDATE contact SET version = version + 1 WHERE id = NEW.id; END;
    CREATE TRIGGER group_version AFTER UPDATE ON contact_group
    WHEN NEW.version IS OLD.version AND NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN \
    UPDATE contact_group SET version = version + 1 WHERE id = NEW.id; END;
    CREATE TRIGGER group_renamed AFTER UPDATE OF name ON contact_group WHEN NEW.name IS NOT OLD.name BEGIN
    UPDATE contact SET version = version + 1 WHERE id IN (SELECT contact_id FROM group_member WHERE group_id = \
    NEW.id); END;
    CREATE TRIGGER part_inserted_phone AFTER INSERT ON phone
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_phone AFTER DELETE ON phone
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_phone AFTER UPDATE ON phone
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    CREATE TRIGGER part_inserted_email AFTER INSERT ON email
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_email AFTER DELETE ON email
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_email AFTER UPDATE ON email
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    CREATE TRIGGER part_inserted_url AFTER INSERT ON url
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_url AFTER DELETE ON url
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_url AFTER UPDATE ON url
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    CREATE TRIGGER part_inserted_contact_date AFTER INSERT ON contact_date
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_contact_date AFTER DELETE ON contact_date
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_contact_date AFTER UPDATE ON contact_date
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    CREATE TRIGGER part_inserted_handle AFTER INSERT ON handle
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_handle AFTER DELETE ON handle
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_handle AFTER UPDATE ON handle
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    CREATE TRIGGER part_inserted_related AFTER INSERT ON related
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_related AFTER DELETE ON related
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_related AFTER UPDATE ON related
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    CREATE TRIGGER part_inserted_address AFTER INSERT ON address
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_address AFTER DELETE ON address
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_address AFTER UPDATE ON address
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    CREATE TRIGGER part_inserted_avatar AFTER INSERT ON avatar
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_avatar AFTER DELETE ON avatar
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_avatar AFTER UPDATE ON avatar
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    CREATE TRIGGER part_inserted_group_member AFTER INSERT ON group_member
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_group_member AFTER DELETE ON group_member
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_group_member AFTER UPDATE ON group_member
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    CREATE TRIGGER part_inserted_card_line AFTER INSERT ON card_line
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_card_line AFTER DELETE ON card_line
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_card_line AFTER UPDATE ON card_line
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    """
}
