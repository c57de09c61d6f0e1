extension Migrations {
  /// What a sync is about to write, the conflicts that it left open, the cards that were moved away,
  /// and the cards of groups.
  static let version10 = """
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
    CREATE TABLE sync_conflict (
      id INTEGER PRIMARY KEY,
      folder_id INTEGER NOT NULL REFERENCES sync_folder(id) ON DELETE CASCADE,
      contact_id INTEGER NOT NULL,
      -- What each side had when the conflict was left open: its difference from the base, a ContactDelta.
      mine BLOB NOT NULL,
      theirs BLOB NOT NULL,
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
    """
}
