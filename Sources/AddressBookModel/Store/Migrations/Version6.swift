extension Migrations {
  /// Pairs of contacts that the user marked as not the same. The search for duplicates ignores these pairs.
  static let version6 = """
    CREATE TABLE not_same (
      first INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      second INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      PRIMARY KEY (first, second),
      CHECK (first < second)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX not_same_second ON not_same(second);
    """
}
