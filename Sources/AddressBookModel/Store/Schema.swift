/// The schema of a book: its constants, and the tables of version 1. Ids are never reused (AUTOINCREMENT): an undo can
/// restore a row under its own id. A shipped version is never edited: a change is a new migration in ``Migrations``.
enum Schema {
  /// `PRAGMA application_id` of every book: the letters `abk1`.
  static let applicationID: Int32 = 0x6162_6B31

  /// `PRAGMA user_version`: the number of migrations that a current book has seen.
  static let version: Int32 = 10

  /// The tables with a change log (``ChangeLogSchema``), which tells lists about writes by any connection.
  static let trackedTables = ["contact"]

  /// The sections of contacts: A to Z, then `#`.
  static let sections = 0...26

  /// Child tables with a label and a value.
  static let labeledTables = ["phone", "email", "url", "contact_date", "handle", "related"]

  /// Everything that version 1 creates except the change log.
  static var version1: String {
    ([contact] + labeledTables.map(labeled) + [address, group, avatar, cardLine, info, sectionCount])
      .joined(separator: "\n")
  }

  private static let contact = """
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
    """

  private static func labeled(_ table: String) -> String {
    """
    CREATE TABLE \(table) (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      label TEXT NOT NULL DEFAULT '',
      value TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX \(table)_contact ON \(table)(contact_id, position);
    """
  }

  private static let address = """
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
    """

  private static let group = """
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
    """

  private static let avatar = """
    CREATE TABLE avatar (
      contact_id INTEGER PRIMARY KEY REFERENCES contact(id) ON DELETE CASCADE,
      media_type TEXT NOT NULL,
      byte_count INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      data BLOB NOT NULL
    ) STRICT;
    """

  /// Until version 6; see ``CardSchema``.
  static let cardLine = """
    CREATE TABLE card_line (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      line TEXT NOT NULL
    ) STRICT;
    CREATE INDEX card_line_contact ON card_line(contact_id, position);
    """

  private static let info = """
    CREATE TABLE store_info (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    """

  /// The number of contacts in each section, maintained by triggers: the first frame need not wait until a million rows
  /// are counted.
  private static let sectionCount = """
    CREATE TABLE section_count (section INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
    WITH RECURSIVE s(n) AS (VALUES (\(sections.lowerBound)) UNION ALL SELECT n + 1 FROM s WHERE n < \(sections.upperBound))
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
    """
}
