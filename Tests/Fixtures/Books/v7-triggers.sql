CREATE TRIGGER part_deleted_contact_card AFTER DELETE ON contact_card
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_inserted_contact_card AFTER INSERT ON contact_card
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_updated_contact_card AFTER UPDATE ON contact_card
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
