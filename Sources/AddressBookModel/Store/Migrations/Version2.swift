extension Migrations {
  /// Triggers that logged writes of parts. Version 3 replaces them.
  static let version2 = """
    CREATE TRIGGER part_inserted_phone AFTER INSERT ON phone
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER part_deleted_phone AFTER DELETE ON phone
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); END;
    CREATE TRIGGER part_updated_phone AFTER UPDATE ON phone
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER part_inserted_email AFTER INSERT ON email
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER part_deleted_email AFTER DELETE ON email
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); END;
    CREATE TRIGGER part_updated_email AFTER UPDATE ON email
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER part_inserted_url AFTER INSERT ON url
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER part_deleted_url AFTER DELETE ON url
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); END;
    CREATE TRIGGER part_updated_url AFTER UPDATE ON url
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER part_inserted_address AFTER INSERT ON address
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER part_deleted_address AFTER DELETE ON address
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); END;
    CREATE TRIGGER part_updated_address AFTER UPDATE ON address
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER part_inserted_avatar AFTER INSERT ON avatar
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER part_deleted_avatar AFTER DELETE ON avatar
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); END;
    CREATE TRIGGER part_updated_avatar AFTER UPDATE ON avatar
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER part_inserted_group_member AFTER INSERT ON group_member
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER part_deleted_group_member AFTER DELETE ON group_member
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); END;
    CREATE TRIGGER part_updated_group_member AFTER UPDATE ON group_member
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (OLD.contact_id, OLD.contact_id, 'part'); INSERT INTO results_log_contact(old_id, \
    new_id, old_content) VALUES (NEW.contact_id, NEW.contact_id, 'part'); END;
    CREATE TRIGGER group_renamed AFTER UPDATE OF name ON contact_group
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'bulk_write') BEGIN INSERT INTO results_log_contact(old_id, \
    new_id, old_content)
    SELECT contact_id, contact_id, 'part' FROM group_member WHERE group_id = NEW.id; END;
    """
}
