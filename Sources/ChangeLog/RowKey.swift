import Foundation
import GRDB
import GRDBSQLite

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

/// The primary key of a row: its rowid, or a value for each column of the key.
///
/// Keys are equal if their columns have the same bytes of the same type, whatever the columns' collations. In a table
/// that considers `a` and `A` equal, a row whose key changes from one to the other gets a different `RowKey`.
public struct RowKey: Hashable, Sendable {
  /// For each column one byte for its type and eight for its number or its length, followed by the bytes of text and
  /// blobs.
  private let bytes: [UInt8]

  private enum Tag {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let real: UInt8 = 2
    static let text: UInt8 = 3
    static let blob: UInt8 = 4
  }

  /// Creates a key that is a single integer.
  public init(_ integer: Int64) {
    var bytes: [UInt8] = []
    Self.append(Tag.integer, UInt64(bitPattern: integer), to: &bytes)
    self.bytes = bytes
  }

  /// Creates a key from values in the order of its columns.
  public init(_ values: [DatabaseValue]) {
    var bytes: [UInt8] = []
    for value in values {
      switch value.storage {
      case .null: Self.append(Tag.null, 0, to: &bytes)
      case .int64(let integer): Self.append(Tag.integer, UInt64(bitPattern: integer), to: &bytes)
      case .double(let real): Self.append(Tag.real, real.bitPattern, to: &bytes)
      case .string(let text): Self.append(Tag.text, text.utf8, to: &bytes)
      case .blob(let data): Self.append(Tag.blob, data, to: &bytes)
      }
    }
    self.bytes = bytes
  }

  /// Reads the key from some columns of a statement's current row; nil if one of them is NULL, which SQLite allows in
  /// some keys: such rows cannot be told apart.
  package init?(_ statement: OpaquePointer, from first: Int32, count: Int32) {
    var bytes: [UInt8] = []
    for column in first..<first + count {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER:
        Self.append(Tag.integer, UInt64(bitPattern: sqlite3_column_int64(statement, column)), to: &bytes)
      case SQLITE_FLOAT: Self.append(Tag.real, sqlite3_column_double(statement, column).bitPattern, to: &bytes)
      case SQLITE_TEXT:
        let start = sqlite3_column_text(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        Self.append(Tag.text, UnsafeBufferPointer(start: start, count: count), to: &bytes)
      case SQLITE_BLOB:
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        Self.append(Tag.blob, UnsafeRawBufferPointer(start: start, count: count), to: &bytes)
      default: return nil
      }
    }
    self.bytes = bytes
  }

  /// The values of the key's columns.
  public var values: [DatabaseValue] {
    var values: [DatabaseValue] = []
    var offset = 0
    while offset < bytes.count {
      let number = bytes[offset + 1..<offset + 9].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let tag = bytes[offset]
      offset += 9
      switch tag {
      case Tag.integer: values.append(Int64(bitPattern: number).databaseValue)
      case Tag.real: values.append(Double(bitPattern: number).databaseValue)
      case Tag.text, Tag.blob:
        let content = bytes[offset..<offset + Int(number)]
        offset += Int(number)
        values.append(
          tag == Tag.text ? String(decoding: content, as: UTF8.self).databaseValue : Data(content).databaseValue)
      default: values.append(.null)
      }
    }
    return values
  }

  /// The number, if the key is a single integer; nil for any other key.
  public var integer: Int64? {
    let values = bytes.count == 9 ? values : []
    if case .int64(let integer)? = values.first?.storage { return integer }
    return nil
  }

  private static func append(_ tag: UInt8, _ number: UInt64, to bytes: inout [UInt8]) {
    bytes.append(tag)
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private static func append(_ tag: UInt8, _ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
    append(tag, UInt64(content.count), to: &bytes)
    bytes.append(contentsOf: content)
  }
}

extension RowKey: CustomStringConvertible {
  /// The values, such as `("ada", 3)`.
  public var description: String { "(\(values.map(\.description).joined(separator: ", ")))" }
}
