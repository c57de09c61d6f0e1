extension Migrations {
  /// The sync: which file belongs to which contact, and what both had after the last sync. This state is in the book
  /// and not in the folder, so that a new book has none and deletes nothing. A row does not refer to its contact by a
  /// foreign key: a contact that was removed for good must still be known as deleted.
  static let version8 = """
    CREATE TABLE sync_folder (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- The real path.
      path TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL DEFAULT '',
      -- #RRGGBB; empty for none.
      color TEXT NOT NULL DEFAULT ''
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
    CREATE INDEX synced_card_contact ON synced_card(contact_id);
    """
}
