CREATE TRIGGER contact_version AFTER UPDATE ON contact
WHEN NEW.version IS OLD.version AND NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.id; END;
CREATE TRIGGER group_renamed AFTER UPDATE OF name ON contact_group WHEN NEW.name IS NOT OLD.name BEGIN
UPDATE contact SET version = version + 1 WHERE id IN (SELECT contact_id FROM group_member WHERE group_id = NEW.id); END;
CREATE TRIGGER group_version AFTER UPDATE ON contact_group
WHEN NEW.version IS OLD.version AND NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact_group SET version = version + 1 WHERE id = NEW.id; END;
CREATE TRIGGER part_deleted_address AFTER DELETE ON address
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_deleted_avatar AFTER DELETE ON avatar
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_deleted_card_line AFTER DELETE ON card_line
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_deleted_contact_date AFTER DELETE ON contact_date
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_deleted_email AFTER DELETE ON email
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_deleted_group_member AFTER DELETE ON group_member
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_deleted_handle AFTER DELETE ON handle
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_deleted_phone AFTER DELETE ON phone
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_deleted_related AFTER DELETE ON related
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_deleted_url AFTER DELETE ON url
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_inserted_address AFTER INSERT ON address
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_inserted_avatar AFTER INSERT ON avatar
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_inserted_card_line AFTER INSERT ON card_line
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_inserted_contact_date AFTER INSERT ON contact_date
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_inserted_email AFTER INSERT ON email
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_inserted_group_member AFTER INSERT ON group_member
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_inserted_handle AFTER INSERT ON handle
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_inserted_phone AFTER INSERT ON phone
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_inserted_related AFTER INSERT ON related
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_inserted_url AFTER INSERT ON url
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_updated_address AFTER UPDATE ON address
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_updated_avatar AFTER UPDATE ON avatar
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_updated_card_line AFTER UPDATE ON card_line
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_updated_contact_date AFTER UPDATE ON contact_date
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_updated_email AFTER UPDATE ON email
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_updated_group_member AFTER UPDATE ON group_member
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_updated_handle AFTER UPDATE ON handle
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_updated_phone AFTER UPDATE ON phone
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_updated_related AFTER UPDATE ON related
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_updated_url AFTER UPDATE ON url
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER "results_deleted_contact" AFTER DELETE ON "contact" BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) VALUES (OLD."id", NULL, quote(OLD."version")); END;
CREATE TRIGGER "results_evicts_id_on_update_contact" BEFORE UPDATE OF "id" ON "contact" WHEN OLD."id" IS NOT NEW."id" BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, quote("version") FROM "contact" WHERE "id" = NEW."id"; END;
CREATE TRIGGER "results_evicts_key0_on_update_contact" BEFORE UPDATE ON "contact" WHEN OLD."uid" IS NOT NEW."uid" COLLATE BINARY BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, quote("version") FROM "contact" WHERE "uid" = NEW."uid" COLLATE "BINARY" AND "id" IS NOT NEW."id"; END;
CREATE TRIGGER "results_evicts_on_insert_contact" BEFORE INSERT ON "contact" BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, quote("version") FROM "contact" WHERE "id" = NEW."id"; INSERT INTO "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, quote("version") FROM "contact" WHERE "uid" = NEW."uid" COLLATE "BINARY" AND "id" IS NOT NEW."id"; END;
CREATE TRIGGER "results_inserted_contact" AFTER INSERT ON "contact" BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) VALUES (NULL, NEW."id", NULL); END;
CREATE TRIGGER "results_pruned_contact" AFTER INSERT ON "results_log_contact" WHEN NEW.seq % 256 = 0 BEGIN DELETE FROM "results_log_contact" WHERE seq <= NEW.seq - 32768; END;
CREATE TRIGGER "results_updated_contact" AFTER UPDATE ON "contact" BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) VALUES (OLD."id", NEW."id", quote(OLD."version")); END;
CREATE TRIGGER section_count_delete AFTER DELETE ON contact WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE section_count SET count = count - 1 WHERE section = OLD.section;
END;
CREATE TRIGGER section_count_insert AFTER INSERT ON contact WHEN NEW.deleted_at IS NULL BEGIN
  UPDATE section_count SET count = count + 1 WHERE section = NEW.section;
END;
CREATE TRIGGER section_count_update AFTER UPDATE OF section, deleted_at ON contact
WHEN OLD.section IS NOT NEW.section OR (OLD.deleted_at IS NULL) IS NOT (NEW.deleted_at IS NULL) BEGIN
  UPDATE section_count SET count = count - 1 WHERE section = OLD.section AND OLD.deleted_at IS NULL;
  UPDATE section_count SET count = count + 1 WHERE section = NEW.section AND NEW.deleted_at IS NULL;
END;
