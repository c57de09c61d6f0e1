import GRDB

/// Values of the whole book, in the table `store_info`.
enum StoreInfo {
  /// Returns the value of a key; nil if it has none.
  static func value(_ key: String, _ db: Database) throws -> String? {
    try String.fetchOne(db.makeStatement(sql: "SELECT value FROM store_info WHERE key = ?"), arguments: [key])
  }

  /// Gives a key a value.
  static func set(_ key: String, to value: String, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO store_info(key, value) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value
        """, arguments: [key, value])
  }
}
