/// The tables of the sync: which file belongs to which contact, and what both had after the last sync. The text is
/// frozen with version 8 of the schema.
///
/// This state is in the book and not in the folder, so that a new book has none and deletes nothing. A row does not
/// refer to its contact by a foreign key: a contact that was removed for good must still be known as deleted.
enum SyncSchema {
  static let statements = [
    """
    CREATE TABLE sync_folder (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- The real path.
      path TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL DEFAULT '',
      -- #RRGGBB; empty for none.
      color TEXT NOT NULL DEFAULT ''
    ) STRICT
    """,
    """
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
    ) STRICT
    """,
    "CREATE INDEX synced_card_contact ON synced_card(contact_id)",
  ]

  /// What a sync is about to write, the conflicts that it left open, the cards that were moved away, and the cards of
  /// groups. The text is frozen with version 10 of the schema.
  static let additions = [
    """
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
    ) STRICT
    """,
    """
    CREATE TABLE sync_conflict (
      id INTEGER PRIMARY KEY,
      folder_id INTEGER NOT NULL REFERENCES sync_folder(id) ON DELETE CASCADE,
      contact_id INTEGER NOT NULL,
      -- What each side had when the conflict was left open: its difference from the base, a ContactDelta.
      mine BLOB NOT NULL,
      theirs BLOB NOT NULL,
      UNIQUE (folder_id, contact_id)
    ) STRICT
    """,
    """
    CREATE TABLE sync_moved (
      id INTEGER PRIMARY KEY,
      folder_id INTEGER NOT NULL REFERENCES sync_folder(id) ON DELETE CASCADE,
      contact_id INTEGER NOT NULL,
      -- The UID of the card that was moved out of the folder, and what both had then: it may come back with an edit.
      uid TEXT NOT NULL,
      base BLOB NOT NULL,
      UNIQUE (folder_id, contact_id)
    ) STRICT
    """,
    """
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
    ) STRICT
    """,
  ]
}
