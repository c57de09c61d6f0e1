import Foundation
import GRDB
import GRDBSQLite

/// How the rows of a family are selected and decoded.
struct RowLayout: Sendable {
  /// The columns to select from a table with the alias `t`.
  let columns: String
  private let members: [(name: StoredName, value: RowMember)]

  init(_ root: Entity, _ tables: StoreTables = .generated) {
    var columns = [tables.id(root, of: "t"), tables.type(root, of: "t"), tables.version(root, of: "t")]
    var indexes: [String: Int] = [:]
    func index(_ value: String, with other: String? = nil) -> Int {
      let name = other ?? value
      if let index = indexes[name] { return index }
      indexes[name] = columns.count
      columns.append(value)
      if let other { columns.append(other) }
      return columns.count - (other == nil ? 1 : 2)
    }
    members = root.family.map { entity in
      let unread = entity.attributes.filter { !$0.description.isTransient && tables.column($0).isFaulted }.map(\.index)
      let attributes = entity.attributes.map { attribute in
        let isRead = !attribute.description.isTransient && !unread.contains(attribute.index)
        return RowMember.Cell(
          type: attribute.type, column: isRead ? index(tables.value(attribute, of: "t")) : nil)
      }
      let references = entity.relationships.map { relationship -> RowMember.ReferenceCells? in
        guard case .column(let column) = tables.storage(relationship) else { return nil }
        let reference = "t.\(column.sqlIdentifier)"
        let other = relationship.destination
        return RowMember.ReferenceCells(
          column: index(reference, with: tables.type(of: reference, by: relationship)),
          destinations: other.root.family.map { (StoredName($0.name), $0) },
          isShared: !relationship.isToMany && tables.isShared(relationship))
      }
      let member = RowMember(entity: entity, attributes: attributes, references: references, unread: Set(unread))
      return (StoredName(entity.name), member)
    }
    self.columns = columns.joined(separator: ", ")
  }

  /// Returns the row whose columns begin at this offset.
  func row(_ cells: StatementCells, at offset: Int = 0) throws -> RowCursor {
    guard let number = cells.integer(offset), let member = cells.first(of: members, namedIn: offset + 1) else {
      throw StoreFailure(reason: .unreadable, description: "a row of unknown type")
    }
    return RowCursor(
      number: number, version: cells.integer(offset + 2) ?? 0, values: try member.values(cells, offset),
      member: member, cells: cells, offset: offset)
  }

  /// Decodes a row whose columns begin at this offset.
  func decode(_ cells: StatementCells, at offset: Int = 0) throws -> StoredRow {
    let row = try row(cells, at: offset)
    return StoredRow(
      number: row.number, entity: row.entity, version: row.version, values: row.values, unread: row.unread,
      references: row.member.references.indices.map(row.reference))
  }
}

/// How the rows of one entity are decoded.
final class RowMember: Sendable {
  /// The column of an attribute.
  struct Cell {
    let type: AttributeType
    /// Nil if it is not read.
    let column: Int?
  }

  /// The columns of a to-one: the number of the target row, and after it the type of that row, NULL if it does not
  /// exist.
  struct ReferenceCells {
    let column: Int
    let destinations: [(name: StoredName, value: Entity)]
    /// Whether the to-one is stored in the id column. Such a to-one is nil if the target row does not exist.
    let isShared: Bool
  }

  let entity: Entity
  let references: [ReferenceCells?]
  /// Indexes of attributes that are read on demand.
  let unread: Set<Int>
  private let attributes: [Cell]

  init(entity: Entity, attributes: [Cell], references: [ReferenceCells?], unread: Set<Int>) {
    self.entity = entity
    self.attributes = attributes
    self.references = references
    self.unread = unread
  }

  /// Returns the values of the attributes: null for those that are read on demand, the default for transient ones.
  fileprivate func values(_ cells: StatementCells, _ offset: Int) throws -> [Value] {
    try attributes.indices.map { index in
      let cell = attributes[index]
      if let column = cell.column { return try cells.value(offset + column, cell.type) }
      return unread.contains(index) ? .null : entity.record.attributes[index].description.defaultValue
    }
  }
}

/// The current row of a statement; its to-ones are decoded only when they are needed.
struct RowCursor {
  let number: Int64
  let version: Int64
  let values: [Value]
  fileprivate let member: RowMember
  fileprivate let cells: StatementCells
  fileprivate let offset: Int

  var entity: Entity { member.entity }
  var unread: Set<Int> { member.unread }

  /// Returns the target of a to-one, by the index of the relationship.
  func reference(_ index: Int) -> StoredReference? {
    guard let columns = member.references[index], let number = cells.integer(offset + columns.column) else {
      return nil
    }
    let type = offset + columns.column + 1
    let entity = cells.first(of: columns.destinations, namedIn: type)
    if entity == nil, columns.isShared, !cells.isText(type) { return nil }
    return StoredReference(number: number, entity: entity)
  }
}

/// The model of a SQLite store, with the layouts of its rows.
struct SQLiteSchema: Sendable {
  let model: ObjectModel
  let tables: StoreTables
  private let layouts: [String: RowLayout]

  init(model: ObjectModel, entities: [Entity], tables: StoreTables = .generated) {
    self.model = model
    self.tables = tables
    let roots = entities.filter { $0.parent == nil }
    layouts = Dictionary(roots.map { ($0.name, RowLayout($0, tables)) }, uniquingKeysWith: { first, _ in first })
  }

  func layout(_ root: Entity) throws -> RowLayout {
    guard let layout = layouts[root.name] else { throw ObjectGraphError.unknownEntity(root.name) }
    return layout
  }
}

extension AttributeType {
  /// The type of the column in a STRICT table.
  var sqlType: String {
    switch self {
    case .string, .uuid: "TEXT"
    case .integer, .boolean: "INTEGER"
    case .double, .date: "REAL"
    case .data: "BLOB"
    }
  }

  /// Decodes the value of a column.
  package func decode(_ value: DatabaseValue) throws -> Value {
    switch (self, value.storage) {
    case (_, .null): return .null
    case (.string, .string(let text)): return .string(text)
    case (.integer, .int64(let number)): return .integer(number)
    case (.boolean, .int64(let number)): return .boolean(number != 0)
    case (.double, .double(let number)): return .double(number)
    case (.double, .int64(let number)): return .double(Double(number))
    case (.date, .double(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (.date, .int64(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case (.data, .blob(let data)): return .data(data)
    case (.uuid, .string(let text)):
      if let uuid = UUID(uuidString: text) { return .uuid(uuid) }
    default: break
    }
    throw StoreFailure(reason: .unreadable, description: "a column does not hold a value of type \(rawValue)")
  }
}

extension Value {
  /// The value as a column holds it: dates as seconds since 2001-01-01 UTC, which keeps the full precision of `Date`;
  /// UUIDs as upper-case text; objects as their numbers, or as NULL if their ids are temporary.
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .string(let text): text.databaseValue
    case .integer(let number): number.databaseValue
    case .double(let number): number.databaseValue
    case .boolean(let flag): (flag ? 1 : 0).databaseValue
    case .date(let date): date.timeIntervalSinceReferenceDate.databaseValue
    case .data(let data): data.databaseValue
    case .uuid(let uuid): uuid.uuidString.databaseValue
    case .object(let id): id.number?.databaseValue ?? .null
    }
  }
}

/// The current row of a statement. It has the cells of GRDB's `Row`, but reads them in a fraction of the time.
struct StatementCells {
  private let statement: SQLiteStatement

  init(_ statement: Statement) {
    self.statement = statement.sqliteStatement
  }

  /// The cell of a column, which must exist.
  subscript(column: Int) -> DatabaseValue { DatabaseValue(sqliteStatement: statement, index: CInt(column)) }

  /// Returns the integer in a column; nil if there is something else.
  func integer(_ column: Int) -> Int64? {
    let column = CInt(column)
    return sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
  }

  func isText(_ column: Int) -> Bool { sqlite3_column_type(statement, CInt(column)) == SQLITE_TEXT }

  /// Returns the value of an attribute in a column: the same as `type.decode(self[column])`, but faster for the usual
  /// types.
  func value(_ column: Int, _ type: AttributeType) throws -> Value {
    let index = CInt(column)
    switch (sqlite3_column_type(statement, index), type) {
    case (SQLITE_NULL, _): return .null
    case (SQLITE_TEXT, .string):
      guard let text = sqlite3_column_text(statement, index) else { break }
      return .string(String(cString: text))
    case (SQLITE_INTEGER, .integer): return .integer(sqlite3_column_int64(statement, index))
    case (SQLITE_INTEGER, .boolean): return .boolean(sqlite3_column_int64(statement, index) != 0)
    case (SQLITE_FLOAT, .double): return .double(sqlite3_column_double(statement, index))
    case (SQLITE_FLOAT, .date):
      return .date(Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, index)))
    default: break
    }
    return try type.decode(self[column])
  }

  /// Returns the candidate whose name is the text in a column; nil if there is none.
  func first<Named>(of candidates: [(name: StoredName, value: Named)], namedIn column: Int) -> Named? {
    let index = CInt(column)
    guard sqlite3_column_type(statement, index) == SQLITE_TEXT, let text = sqlite3_column_text(statement, index)
    else { return nil }
    for candidate in candidates where candidate.name.hasBytes(text) { return candidate.value }
    // Strings can be equal although their bytes differ.
    let name = String(cString: text)
    return candidates.first { $0.name.text == name }?.value
  }
}

/// A name that is compared with text in the memory of SQLite.
struct StoredName: Sendable {
  let text: String
  /// The name in UTF-8 with a NUL at the end.
  private let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8) + [0]
  }

  fileprivate func hasBytes(_ other: UnsafePointer<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { own in
      guard let own = own.baseAddress else { return false }
      return strcmp(own, other) == 0
    }
  }
}

extension Statement {
  /// Steps through the rows of a statement that only reads.
  func forEachRow(_ arguments: [DatabaseValue] = [], _ body: (StatementCells) throws -> Void) throws {
    let handle = sqliteStatement
    sqlite3_reset(handle)
    defer { sqlite3_reset(handle) }
    for (index, argument) in arguments.enumerated() {
      let code = argument.bind(to: handle, at: CInt(index + 1))
      guard code == SQLITE_OK else { throw failure(code) }
    }
    let row = StatementCells(self)
    while true {
      let code = sqlite3_step(handle)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw failure(code) }
        return
      }
      try body(row)
    }
  }

  private func failure(_ code: CInt) -> DatabaseError {
    let message = sqlite3_errmsg(sqlite3_db_handle(sqliteStatement)).map { String(cString: $0) }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
  }
}
