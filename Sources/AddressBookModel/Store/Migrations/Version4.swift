extension Migrations {
  /// The tables of the history, with what is needed to look up and undo each step, even after a restart. Entries do not
  /// refer to contacts by foreign keys: the history stays readable if another program removes rows. When a row of
  /// `contact` is removed for good, its entries are removed too, except ranges of added contacts.
  static let version4 = """
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
    CREATE INDEX edit_entry_contact ON edit_entry(contact_id, step_id);
    CREATE INDEX edit_entry_range ON edit_entry(last_id) WHERE last_id IS NOT NULL;
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
    CREATE TRIGGER contact_history_removed AFTER DELETE ON contact BEGIN
      DELETE FROM edit_entry WHERE contact_id = OLD.id AND last_id IS NULL;
    END;
    """
}
