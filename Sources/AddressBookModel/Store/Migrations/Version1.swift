extension Migrations {
  /// The tables of contacts, their parts, groups and photos, the number of contacts in each section, and the log that
  /// tells lists about the writes of any connection or process. Ids are never reused (AUTOINCREMENT): an undo can
  /// restore a row under its own id.
  static let version1 = """
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
    -- With deleted_at in it SQLite reads the list from the index alone, though the condition says what it is.
    CREATE INDEX contact_order ON contact(section, sort_key, id, deleted_at) WHERE deleted_at IS NULL;
    CREATE INDEX contact_deleted ON contact(deleted_at) WHERE deleted_at IS NOT NULL;
    CREATE TABLE phone (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      label TEXT NOT NULL DEFAULT '',
      value TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX phone_contact ON phone(contact_id, position);
    CREATE TABLE email (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      label TEXT NOT NULL DEFAULT '',
      value TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX email_contact ON email(contact_id, position);
    CREATE TABLE url (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      label TEXT NOT NULL DEFAULT '',
      value TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX url_contact ON url(contact_id, position);
    CREATE TABLE contact_date (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      label TEXT NOT NULL DEFAULT '',
      value TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX contact_date_contact ON contact_date(contact_id, position);
    CREATE TABLE handle (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      label TEXT NOT NULL DEFAULT '',
      value TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX handle_contact ON handle(contact_id, position);
    CREATE TABLE related (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      label TEXT NOT NULL DEFAULT '',
      value TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX related_contact ON related(contact_id, position);
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
    CREATE INDEX address_contact ON address(contact_id, position);
    CREATE TABLE contact_group (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uid TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL UNIQUE,
      version INTEGER NOT NULL DEFAULT 1
    ) STRICT;
    CREATE TABLE group_member (
      group_id INTEGER NOT NULL REFERENCES contact_group(id) ON DELETE CASCADE,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      PRIMARY KEY (group_id, contact_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX group_member_contact ON group_member(contact_id);
    CREATE TABLE avatar (
      contact_id INTEGER PRIMARY KEY REFERENCES contact(id) ON DELETE CASCADE,
      media_type TEXT NOT NULL,
      byte_count INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      data BLOB NOT NULL
    ) STRICT;
    CREATE TABLE card_line (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      line TEXT NOT NULL
    ) STRICT;
    CREATE INDEX card_line_contact ON card_line(contact_id, position);
    CREATE TABLE store_info (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE section_count (section INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
    WITH RECURSIVE s(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM s WHERE n < 26)
      INSERT INTO section_count SELECT n, 0 FROM s;
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
    CREATE TABLE "results_log_contact"(
      seq INTEGER PRIMARY KEY AUTOINCREMENT, old_id INTEGER, new_id INTEGER, old_content);
    CREATE TRIGGER "results_inserted_contact" AFTER INSERT ON "contact" BEGIN INSERT INTO \
    "results_log_contact"(old_id, new_id, old_content) VALUES (NULL, NEW."id", NULL); END;
    CREATE TRIGGER "results_pruned_contact" AFTER INSERT ON "results_log_contact" WHEN NEW.seq % 256 = 0 BEGIN DELETE \
    FROM "results_log_contact" WHERE seq <= NEW.seq - 32768; END;
    CREATE TRIGGER "results_deleted_contact" AFTER DELETE ON "contact" BEGIN INSERT INTO \
    "results_log_contact"(old_id, new_id, old_content) VALUES (OLD."id", NULL, quote(OLD."version")); END;
    CREATE TRIGGER "results_updated_contact" AFTER UPDATE ON "contact" BEGIN INSERT INTO \
    "results_log_contact"(old_id, new_id, old_content) VALUES (OLD."id", NEW."id", quote(OLD."version")); END;
    CREATE TRIGGER "results_evicts_on_insert_contact" BEFORE INSERT ON "contact" BEGIN INSERT INTO \
    "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, quote("version") FROM "contact" WHERE "id" \
    = NEW."id"; INSERT INTO "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, quote("version") \
    FROM "contact" WHERE "uid" = NEW."uid" COLLATE "BINARY" AND "id" IS NOT NEW."id"; END;
    CREATE TRIGGER "results_evicts_id_on_update_contact" BEFORE UPDATE OF "id" ON "contact" WHEN OLD."id" IS NOT \
    NEW."id" BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, quote("version") \
    FROM "contact" WHERE "id" = NEW."id"; END;
    CREATE TRIGGER "results_evicts_key0_on_update_contact" BEFORE UPDATE ON "contact" WHEN OLD."uid" IS NOT NEW."uid" \
    COLLATE BINARY BEGIN INSERT INTO "results_log_contact"(old_id, new_id, old_content) SELECT "id", NULL, \
    quote("version") FROM "contact" WHERE "uid" = NEW."uid" COLLATE "BINARY" AND "id" IS NOT NEW."id"; END;
    """
}
