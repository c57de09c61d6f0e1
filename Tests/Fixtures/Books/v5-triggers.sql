CREATE TRIGGER checksum_inserted AFTER INSERT ON contact BEGIN DELETE FROM contact_checksum WHERE contact_id = NEW.id; END;
CREATE TRIGGER checksum_updated AFTER UPDATE ON contact BEGIN DELETE FROM contact_checksum WHERE contact_id IN (OLD.id, NEW.id); END;
CREATE TRIGGER checksum_deleted AFTER DELETE ON contact BEGIN DELETE FROM contact_checksum WHERE contact_id = OLD.id; END;
CREATE TRIGGER checksum_left AFTER DELETE ON group_member BEGIN DELETE FROM contact_checksum WHERE contact_id = OLD.contact_id; END;
CREATE TRIGGER checksum_renamed AFTER UPDATE OF name ON contact_group BEGIN DELETE FROM contact_checksum WHERE contact_id IN (SELECT contact_id FROM group_member WHERE group_id IN (OLD.id, NEW.id)); END;
