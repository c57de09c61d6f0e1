import GRDB

/// The columns that identify a table's rows: those of its primary key, or SQLite's rowid if it has none.
public struct PrimaryKey: Hashable, Sendable {
  /// One column.
  public struct Column: Hashable, Sendable {
    /// The column's name, unquoted; for a hidden rowid, one of SQLite's names for it.
    public let name: String
    /// The collation in which the key compares strings.
    public let collation: String
    /// The name in SQL.
    public let sql: String
  }

  /// The columns in the order of the key.
  public let columns: [Column]
  /// Whether the key is the rowid: an `INTEGER PRIMARY KEY` that is another name for it, or the hidden rowid.
  public let isRowID: Bool
  /// Whether the key is the rowid of a table that declares no key: `VACUUM` may renumber its rows.
  public let isHidden: Bool

  /// Reads the key of a table, given by the database's spelling of its name. Throws `unknownTable`, `noRowID`, or the
  /// database's error.
  public init(table: String, in db: Database) throws {
    if let rowID = try Self.declaredRowID(table, db) {
      self.init(rowID: rowID)
      return
    }
    guard try db.tableExists(table) else { throw ChangeLogError.unknownTable(table) }
    let info = try db.primaryKey(table)
    // Only the hidden rowid has no column. GRDB also reports an `INTEGER PRIMARY KEY DESC`, or an integer key of a
    // table without rowids, as a rowid.
    if info.isRowID, info.rowIDColumn == nil {
      // One of the names that no column of the table uses.
      let taken = try Set(db.columns(in: table).map { $0.name.lowercased() })
      guard let name = ["rowid", "_rowid_", "oid"].first(where: { !taken.contains($0) }) else {
        throw ChangeLogError.noRowID(table: table)
      }
      self.init([Column(name: name, collation: "BINARY", sql: name)], isRowID: true, isHidden: true)
    } else {
      let collations = try Self.collations(table, db)
      let columns = info.columns.map { name in
        Column(
          name: name, collation: collations[name.lowercased()] ?? "BINARY", sql: name.quotedDatabaseIdentifier)
      }
      self.init(columns, isRowID: false, isHidden: false)
    }
  }

  /// Creates the key for an `INTEGER PRIMARY KEY`.
  init(rowID: String) {
    let column = Column(name: rowID, collation: "BINARY", sql: rowID.quotedDatabaseIdentifier)
    self.init([column], isRowID: true, isHidden: false)
  }

  private init(_ columns: [Column], isRowID: Bool, isHidden: Bool) {
    self.columns = columns
    self.isRowID = isRowID
    self.isHidden = isHidden
  }

  /// Returns a list of the columns in SQL, each with a prefix such as `OLD.`.
  func list(_ prefix: String = "") -> String { columns.map { prefix + $0.sql }.joined(separator: ", ") }

  /// Returns the column of a table that is another name for its rowid; nil if there is none, or if there is no such
  /// table. GRDB's own query would read the whole schema first, with the text of every trigger.
  private static func declaredRowID(_ table: String, _ db: Database) throws -> String? {
    var declared: String?
    // Each row has the number, name, type, NOT NULL, default and position in the key of a column.
    let columns = try Row.fetchCursor(
      db.makeStatement(sql: "PRAGMA table_info(\(table.quotedDatabaseIdentifier))"))
    while let column = try columns.next() {
      guard (column[5] as Int) > 0 else { continue }
      guard declared == nil, (column[2] as String).uppercased() == "INTEGER" else { return nil }
      declared = column[1]
    }
    guard declared != nil else { return nil }
    // The rowid needs no index. `INTEGER PRIMARY KEY DESC` has one, as do the keys of tables without rowids.
    let indexes = try Row.fetchCursor(
      db.makeStatement(sql: "PRAGMA index_list(\(table.quotedDatabaseIdentifier))"))
    // Each row has the number, name, uniqueness and origin of an index.
    while let index = try indexes.next() {
      if index[3] as String == "pk" { return nil }
    }
    return declared
  }

  /// Returns the collations of the columns of a declared key, by lower-case name.
  private static func collations(_ table: String, _ db: Database) throws -> [String: String] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT lower(info.name), info.coll FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS info
        WHERE list.origin = 'pk' AND info.key = 1
        """, arguments: [table])
    return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
  }
}
