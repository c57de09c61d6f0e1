/// Pairs of contacts that look the same but that the user marked as different. They are not offered as duplicates
/// again. The text is frozen with version 6 of the schema.
enum NotSameSchema {
  static let statements = [
    """
    CREATE TABLE not_same (
      first INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      second INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      PRIMARY KEY (first, second),
      CHECK (first < second)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX not_same_second ON not_same(second)",
  ]
}
