extension Migrations {
  /// The saved searches and conditions.
  static let version9 = """
    CREATE TABLE smart_group (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      uid TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL UNIQUE,
      -- 0: the text of a search; 1: a condition on contacts.
      kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
      rule TEXT NOT NULL
    ) STRICT;
    """
}
