-- A book as version 11 of the schema left it: that of version 9, with the tables of a sync and one checksum a contact.
PRAGMA application_id = 1633839921;
PRAGMA user_version = 11;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE address (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
  position INTEGER NOT NULL DEFAULT 0,
  label TEXT NOT NULL DEFAULT '',
  po_box TEXT NOT NULL DEFAULT '',
  extended TEXT NOT NULL DEFAULT '',
  street TEXT NOT NULL DEFAULT '',
  city TEXT NOT NULL DEFAULT '',
  region TEXT NOT NULL DEFAULT '',
  postal_code TEXT NOT NULL DEFAULT '',
  country TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE avatar (
  contact_id INTEGER PRIMARY KEY REFERENCES contact(id) ON DELETE CASCADE,
  media_type TEXT NOT NULL,
  byte_count INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE TABLE contact (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  kind INTEGER NOT NULL DEFAULT 0 CHECK (kind IN (0, 1)),
  formatted_name TEXT NOT NULL DEFAULT '',
  prefix TEXT NOT NULL DEFAULT '',
  given TEXT NOT NULL DEFAULT '',
  middle TEXT NOT NULL DEFAULT '',
  family TEXT NOT NULL DEFAULT '',
  suffix TEXT NOT NULL DEFAULT '',
  phonetic_given TEXT NOT NULL DEFAULT '',
  phonetic_middle TEXT NOT NULL DEFAULT '',
  phonetic_family TEXT NOT NULL DEFAULT '',
  nickname TEXT NOT NULL DEFAULT '',
  organization TEXT NOT NULL DEFAULT '',
  department TEXT NOT NULL DEFAULT '',
  title TEXT NOT NULL DEFAULT '',
  birthday TEXT,
  note TEXT NOT NULL DEFAULT '',
  display_name TEXT NOT NULL,
  section INTEGER NOT NULL CHECK (section BETWEEN 0 AND 26),
  sort_key BLOB NOT NULL,
  list_phone TEXT NOT NULL DEFAULT '',
  list_email TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  deleted_at TEXT
) STRICT;
INSERT INTO "contact" VALUES(1,'urn:uuid:7d20b059-a35e-4772-b136-991c5665f7b3',0,'','','国藩','','曾','','','','','','','','','1811-11-26','','曾国藩',25,X'19011C4966FE13A256FD12C985E9','+8613812345678','zeng@example.com',2,'2026-11-21T14:07:56Z','2026-11-21T14:08:14Z',NULL);
INSERT INTO "contact" VALUES(2,'urn:uuid:c57bc22d-e372-4efd-8d1c-3f0de6b5dd25',0,'','','Åsa','','Lindström','','','','','Å','Acme','','',NULL,'','Åsa Lindström',0,X'00022A4E2A04403A44304E504C46420145923B960501DCC2DC0D','','',2,'2026-11-21T14:07:56Z','2026-11-23T02:01:43Z',NULL);
INSERT INTO "contact" VALUES(3,'urn:uuid:e62501f3-06e5-4174-877e-c5e344efe420',0,'','','小明','','王','','','','','','','','',NULL,'Hi','王小明',22,X'16011AEA738B1B435C0F16A2660E','','',2,'2026-11-21T14:07:56Z','2026-11-21T14:08:14Z','2026-11-21T14:08:14Z');
CREATE TABLE contact_card (
  contact_id INTEGER PRIMARY KEY REFERENCES contact(id) ON DELETE CASCADE,
  -- The unfolded lines as a JSON array of texts.
  lines TEXT NOT NULL
) STRICT;
INSERT INTO "contact_card" VALUES(1,'["VERSION:4.0","X-SEAT;LANGUAGE=zh:湘乡\\n\"荷叶\""]');
INSERT INTO "contact_card" VALUES(2,'["AGENT:BEGIN:VCARD\nFN:x\nEND:VCARD"]');
CREATE TABLE contact_checksum (
  contact_id INTEGER PRIMARY KEY, whole INTEGER NOT NULL) STRICT;
INSERT INTO "contact_checksum" VALUES(2,419336050582500826);
CREATE TABLE contact_date (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
  position INTEGER NOT NULL DEFAULT 0,
  label TEXT NOT NULL DEFAULT '',
  value TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE contact_group (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL DEFAULT 1
) STRICT;
INSERT INTO "contact_group" VALUES(1,'urn:uuid:8169754e-6644-4acb-837c-1e84cdec0c5e','Friends',1);
CREATE TABLE edit_entry (
  step_id INTEGER NOT NULL REFERENCES edit_step(id) ON DELETE CASCADE,
  contact_id INTEGER NOT NULL,
  -- The end of a range of contacts that one step added; null for a single contact.
  last_id INTEGER,
  was_there INTEGER NOT NULL,
  is_there INTEGER NOT NULL,
  version_before INTEGER NOT NULL,
  version INTEGER NOT NULL,
  -- The fields that differ, before and after: ContactDelta. Null where none does.
  changes BLOB,
  -- The bytes of the photo before, where the step replaced it.
  photo BLOB,
  PRIMARY KEY (step_id, contact_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "edit_entry" VALUES(1,2,NULL,1,1,1,2,X'0100000000000000010000000000000008000000000000006E69636B6E616D6500000000000000000200000000000000C38595E3DC3D9B99E7ED',NULL);
CREATE TABLE edit_group (
  step_id INTEGER NOT NULL REFERENCES edit_step(id) ON DELETE CASCADE,
  uid TEXT NOT NULL,
  -- Its name before and after; null where the group is not there.
  before TEXT,
  after TEXT,
  -- Of a deleted group: the ids of its members as a JSON array.
  members TEXT,
  PRIMARY KEY (step_id, uid)
) STRICT, WITHOUT ROWID;
CREATE TABLE edit_step (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- 0 a change, 1 an undo, 2 a redo.
  kind INTEGER NOT NULL CHECK (kind IN (0, 1, 2)),
  action TEXT NOT NULL,
  subject TEXT NOT NULL DEFAULT '',
  -- Contacts written.
  count INTEGER NOT NULL DEFAULT 0,
  made_at TEXT NOT NULL,
  -- Who: a user, a program, and one run of it.
  user TEXT NOT NULL DEFAULT '',
  program TEXT NOT NULL DEFAULT '',
  session TEXT NOT NULL DEFAULT '',
  -- The step that this one took back, and the one that took this one back.
  reverses INTEGER,
  reversed_by INTEGER,
  -- Bytes of all steps up to this one, the pruned ones included.
  total_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "edit_step" VALUES(1,0,'edit','Åsa Lindström',1,'2026-11-23T02:01:43Z','someone','command','645A731D-7011-482F-8B17-A4DCB3CC5796',NULL,NULL,266);
CREATE TABLE email (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
  position INTEGER NOT NULL DEFAULT 0,
  label TEXT NOT NULL DEFAULT '',
  value TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO "email" VALUES(1,1,0,'home','zeng@example.com');
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('v1');
INSERT INTO "grdb_migrations" VALUES('v2');
INSERT INTO "grdb_migrations" VALUES('v3');
INSERT INTO "grdb_migrations" VALUES('v4');
INSERT INTO "grdb_migrations" VALUES('v5');
INSERT INTO "grdb_migrations" VALUES('v6');
INSERT INTO "grdb_migrations" VALUES('v7');
INSERT INTO "grdb_migrations" VALUES('v8');
INSERT INTO "grdb_migrations" VALUES('v9');
INSERT INTO "grdb_migrations" VALUES('v10');
INSERT INTO "grdb_migrations" VALUES('v11');
CREATE TABLE group_card (
  group_id INTEGER PRIMARY KEY REFERENCES contact_group(id) ON DELETE CASCADE,
  lines TEXT NOT NULL,
  -- The references of members that are not in the book yet.
  waiting TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE TABLE group_member (
  group_id INTEGER NOT NULL REFERENCES contact_group(id) ON DELETE CASCADE,
  contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, contact_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "group_member" VALUES(1,1);
CREATE TABLE handle (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
  position INTEGER NOT NULL DEFAULT 0,
  label TEXT NOT NULL DEFAULT '',
  value TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE not_same (
  first INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
  second INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
  PRIMARY KEY (first, second),
  CHECK (first < second)
) STRICT, WITHOUT ROWID;
CREATE TABLE phone (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
  position INTEGER NOT NULL DEFAULT 0,
  label TEXT NOT NULL DEFAULT '',
  value TEXT NOT NULL DEFAULT ''
) STRICT;
INSERT INTO "phone" VALUES(1,1,0,'mobile','+8613812345678');
CREATE TABLE related (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
  position INTEGER NOT NULL DEFAULT 0,
  label TEXT NOT NULL DEFAULT '',
  value TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE "results_log_contact"(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, old_id INTEGER, new_id INTEGER, old_content);
INSERT INTO "results_log_contact" VALUES(1,NULL,1,NULL);
INSERT INTO "results_log_contact" VALUES(2,1,1,'part');
INSERT INTO "results_log_contact" VALUES(3,1,1,'part');
INSERT INTO "results_log_contact" VALUES(4,NULL,2,NULL);
INSERT INTO "results_log_contact" VALUES(5,NULL,3,NULL);
INSERT INTO "results_log_contact" VALUES(6,1,1,'part');
INSERT INTO "results_log_contact" VALUES(7,1,1,'1');
INSERT INTO "results_log_contact" VALUES(8,3,3,'1');
INSERT INTO "results_log_contact" VALUES(9,2,2,'1');
CREATE TABLE section_count (section INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
INSERT INTO "section_count" VALUES(0,1);
INSERT INTO "section_count" VALUES(1,0);
INSERT INTO "section_count" VALUES(2,0);
INSERT INTO "section_count" VALUES(3,0);
INSERT INTO "section_count" VALUES(4,0);
INSERT INTO "section_count" VALUES(5,0);
INSERT INTO "section_count" VALUES(6,0);
INSERT INTO "section_count" VALUES(7,0);
INSERT INTO "section_count" VALUES(8,0);
INSERT INTO "section_count" VALUES(9,0);
INSERT INTO "section_count" VALUES(10,0);
INSERT INTO "section_count" VALUES(11,0);
INSERT INTO "section_count" VALUES(12,0);
INSERT INTO "section_count" VALUES(13,0);
INSERT INTO "section_count" VALUES(14,0);
INSERT INTO "section_count" VALUES(15,0);
INSERT INTO "section_count" VALUES(16,0);
INSERT INTO "section_count" VALUES(17,0);
INSERT INTO "section_count" VALUES(18,0);
INSERT INTO "section_count" VALUES(19,0);
INSERT INTO "section_count" VALUES(20,0);
INSERT INTO "section_count" VALUES(21,0);
INSERT INTO "section_count" VALUES(22,0);
INSERT INTO "section_count" VALUES(23,0);
INSERT INTO "section_count" VALUES(24,0);
INSERT INTO "section_count" VALUES(25,1);
INSERT INTO "section_count" VALUES(26,0);
CREATE TABLE smart_group (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  -- 0: the text of a search; 1: a condition on contacts.
  kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
  rule TEXT NOT NULL
) STRICT;
CREATE TABLE store_info (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "store_info" VALUES('collation','pinyin-25d0ca1149531b0f/icu-72.1/key-2 names-4');
CREATE TABLE sync_conflict (
  id INTEGER PRIMARY KEY,
  folder_id INTEGER NOT NULL REFERENCES sync_folder(id) ON DELETE CASCADE,
  contact_id INTEGER NOT NULL,
  -- What each side had when the conflict was left open: its difference from the base, a ContactDelta.
  mine BLOB NOT NULL,
  theirs BLOB NOT NULL,
  UNIQUE (folder_id, contact_id)
) STRICT;
CREATE TABLE sync_folder (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The real path.
  path TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL DEFAULT '',
  -- #RRGGBB; empty for none.
  color TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE sync_intent (
  id INTEGER PRIMARY KEY,
  folder_id INTEGER NOT NULL REFERENCES sync_folder(id) ON DELETE CASCADE,
  contact_id INTEGER NOT NULL,
  -- The name and the UID of the file, and a checksum of its bytes. Null if the file is to be removed.
  file TEXT NOT NULL,
  uid TEXT NOT NULL,
  digest INTEGER,
  -- What both have once the file is written, as in synced_card.
  base BLOB,
  UNIQUE (folder_id, contact_id)
) STRICT;
CREATE TABLE sync_moved (
  id INTEGER PRIMARY KEY,
  folder_id INTEGER NOT NULL REFERENCES sync_folder(id) ON DELETE CASCADE,
  contact_id INTEGER NOT NULL,
  -- The UID of the card that was moved out of the folder, and what both had then: it may come back with an edit.
  uid TEXT NOT NULL,
  base BLOB NOT NULL,
  UNIQUE (folder_id, contact_id)
) STRICT;
CREATE TABLE synced_card (
  id INTEGER PRIMARY KEY,
  folder_id INTEGER NOT NULL REFERENCES sync_folder(id) ON DELETE CASCADE,
  contact_id INTEGER NOT NULL,
  -- The name of the file in the folder; empty if it has none yet.
  file TEXT NOT NULL,
  -- The UID as the file has it; empty if it has none.
  uid TEXT NOT NULL DEFAULT '',
  -- A checksum of the bytes of the file.
  digest INTEGER NOT NULL DEFAULT 0,
  -- The version of the contact when both were last compared.
  version INTEGER NOT NULL DEFAULT 0,
  -- 1 if a conflict was left open.
  is_open INTEGER NOT NULL DEFAULT 0,
  -- 1 if the contact was moved to another folder, and the file is to be removed.
  is_leaving INTEGER NOT NULL DEFAULT 0,
  -- What both had when they were last the same: ContactDelta. Null if there is nothing, because the contact
  -- is deleted on both sides, or the folder does not have it yet.
  base BLOB,
  UNIQUE (folder_id, contact_id)
) STRICT;
CREATE TABLE synced_group (
  id INTEGER PRIMARY KEY,
  folder_id INTEGER NOT NULL REFERENCES sync_folder(id) ON DELETE CASCADE,
  group_id INTEGER NOT NULL,
  -- 1 for what a sync is about to write.
  is_intended INTEGER NOT NULL DEFAULT 0,
  -- The name and the UID of the file of the group's card, and a checksum of its bytes. Null if it is to be removed.
  file TEXT NOT NULL,
  uid TEXT NOT NULL,
  digest INTEGER,
  -- What both had when they were last the same: the lines of the card, JSON.
  lines TEXT NOT NULL,
  UNIQUE (folder_id, group_id, is_intended)
) STRICT;
CREATE TABLE url (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
  position INTEGER NOT NULL DEFAULT 0,
  label TEXT NOT NULL DEFAULT '',
  value TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX contact_order ON contact(section, sort_key, id, deleted_at) WHERE deleted_at IS NULL;
CREATE INDEX contact_deleted ON contact(deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX phone_contact ON phone(contact_id, position);
CREATE INDEX email_contact ON email(contact_id, position);
CREATE INDEX url_contact ON url(contact_id, position);
CREATE INDEX contact_date_contact ON contact_date(contact_id, position);
CREATE INDEX handle_contact ON handle(contact_id, position);
CREATE INDEX related_contact ON related(contact_id, position);
CREATE INDEX address_contact ON address(contact_id, position);
CREATE INDEX group_member_contact ON group_member(contact_id);
CREATE TRIGGER section_count_insert AFTER INSERT ON contact WHEN NEW.deleted_at IS NULL BEGIN
  UPDATE section_count SET count = count + 1 WHERE section = NEW.section;
END;
CREATE TRIGGER section_count_delete AFTER DELETE ON contact WHEN OLD.deleted_at IS NULL BEGIN
  UPDATE section_count SET count = count - 1 WHERE section = OLD.section;
END;
CREATE TRIGGER section_count_update AFTER UPDATE OF section, deleted_at ON contact
WHEN OLD.section IS NOT NEW.section OR (OLD.deleted_at IS NULL) IS NOT (NEW.deleted_at IS NULL) BEGIN
  UPDATE section_count SET count = count - 1 WHERE section = OLD.section AND OLD.deleted_at IS NULL;
  UPDATE section_count SET count = count + 1 WHERE section = NEW.section AND NEW.deleted_at IS NULL;
END;
CREATE TRIGGER "results_inserted_contact" AFTER INSERT ON "contact" BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) VALUES (NULL, NEW."id", NULL); END;
CREATE TRIGGER "results_pruned_contact" AFTER INSERT ON "results_log_contact" WHEN NEW.seq % 256 = 0 BEGIN DELETE FROM "results_log_contact" WHERE seq <= NEW.seq - 32768; END;
CREATE TRIGGER "results_deleted_contact" AFTER DELETE ON "contact" BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) VALUES (OLD."id", NULL, quote(OLD."version")); END;
CREATE TRIGGER "results_updated_contact" AFTER UPDATE ON "contact" BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) VALUES (OLD."id", NEW."id", quote(OLD."version")); END;
CREATE TRIGGER "results_evicts_on_insert_contact" BEFORE INSERT ON "contact" BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, quote("version") FROM "contact" WHERE "id" = NEW."id"; INSERT INTO "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, quote("version") FROM "contact" WHERE "uid" = NEW."uid" COLLATE "BINARY" AND "id" IS NOT NEW."id"; END;
CREATE TRIGGER "results_evicts_id_on_update_contact" BEFORE UPDATE OF "id" ON "contact" WHEN OLD."id" IS NOT NEW."id" BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, quote("version") FROM "contact" WHERE "id" = NEW."id"; END;
CREATE TRIGGER "results_evicts_key0_on_update_contact" BEFORE UPDATE ON "contact" WHEN OLD."uid" IS NOT NEW."uid" COLLATE BINARY BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, quote("version") FROM "contact" WHERE "uid" = NEW."uid" COLLATE "BINARY" AND "id" IS NOT NEW."id"; END;
CREATE TRIGGER contact_version AFTER UPDATE ON contact
WHEN NEW.version IS OLD.version AND NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.id; END;
CREATE TRIGGER group_version AFTER UPDATE ON contact_group
WHEN NEW.version IS OLD.version AND NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact_group SET version = version + 1 WHERE id = NEW.id; END;
CREATE TRIGGER group_renamed AFTER UPDATE OF name ON contact_group WHEN NEW.name IS NOT OLD.name BEGIN
UPDATE contact SET version = version + 1 WHERE id IN (SELECT contact_id FROM group_member WHERE group_id = NEW.id); END;
CREATE TRIGGER part_inserted_phone AFTER INSERT ON phone
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_deleted_phone AFTER DELETE ON phone
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_updated_phone AFTER UPDATE ON phone
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_inserted_email AFTER INSERT ON email
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_deleted_email AFTER DELETE ON email
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_updated_email AFTER UPDATE ON email
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_inserted_url AFTER INSERT ON url
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_deleted_url AFTER DELETE ON url
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_updated_url AFTER UPDATE ON url
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_inserted_contact_date AFTER INSERT ON contact_date
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_deleted_contact_date AFTER DELETE ON contact_date
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_updated_contact_date AFTER UPDATE ON contact_date
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_inserted_handle AFTER INSERT ON handle
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_deleted_handle AFTER DELETE ON handle
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_updated_handle AFTER UPDATE ON handle
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_inserted_related AFTER INSERT ON related
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_deleted_related AFTER DELETE ON related
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_updated_related AFTER UPDATE ON related
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_inserted_address AFTER INSERT ON address
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_deleted_address AFTER DELETE ON address
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_updated_address AFTER UPDATE ON address
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_inserted_avatar AFTER INSERT ON avatar
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_deleted_avatar AFTER DELETE ON avatar
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_updated_avatar AFTER UPDATE ON avatar
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE TRIGGER part_inserted_group_member AFTER INSERT ON group_member
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_deleted_group_member AFTER DELETE ON group_member
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_updated_group_member AFTER UPDATE ON group_member
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE INDEX edit_entry_contact ON edit_entry(contact_id, step_id);
CREATE INDEX edit_entry_range ON edit_entry(last_id) WHERE last_id IS NOT NULL;
CREATE TRIGGER contact_history_removed AFTER DELETE ON contact BEGIN
  DELETE FROM edit_entry WHERE contact_id = OLD.id AND last_id IS NULL;
END;
CREATE TRIGGER checksum_inserted AFTER INSERT ON contact BEGIN DELETE FROM contact_checksum WHERE contact_id = NEW.id; END;
CREATE TRIGGER checksum_updated AFTER UPDATE ON contact BEGIN DELETE FROM contact_checksum WHERE contact_id IN (OLD.id, NEW.id); END;
CREATE TRIGGER checksum_deleted AFTER DELETE ON contact BEGIN DELETE FROM contact_checksum WHERE contact_id = OLD.id; END;
CREATE TRIGGER checksum_left AFTER DELETE ON group_member BEGIN DELETE FROM contact_checksum WHERE contact_id = OLD.contact_id; END;
CREATE TRIGGER checksum_renamed AFTER UPDATE OF name ON contact_group BEGIN DELETE FROM contact_checksum WHERE contact_id IN (SELECT contact_id FROM group_member WHERE group_id IN (OLD.id, NEW.id)); END;
CREATE INDEX not_same_second ON not_same(second);
CREATE TRIGGER part_inserted_contact_card AFTER INSERT ON contact_card
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = NEW.contact_id; END;
CREATE TRIGGER part_deleted_contact_card AFTER DELETE ON contact_card
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id = OLD.contact_id; END;
CREATE TRIGGER part_updated_contact_card AFTER UPDATE ON contact_card
WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
CREATE INDEX synced_card_contact ON synced_card(contact_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('results_log_contact',9);
INSERT INTO "sqlite_sequence" VALUES('contact',3);
INSERT INTO "sqlite_sequence" VALUES('phone',1);
INSERT INTO "sqlite_sequence" VALUES('email',1);
INSERT INTO "sqlite_sequence" VALUES('contact_group',1);
INSERT INTO "sqlite_sequence" VALUES('edit_step',1);
COMMIT;
