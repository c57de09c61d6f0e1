import GRDB
import GRDBSQLite

/// The statements that write the rows of one transaction. Rows with the same columns share a statement, whose SQL is
/// made once.
final class RowStatements {
  /// The insertion of rows of one entity.
  final class Insertion {
    fileprivate enum Column {
      case number, version
      case attribute(Int, MappedColumn.Form)
      case toOne(Int)
      case position(Int)
    }

    fileprivate let statement: RowStatement
    fileprivate let columns: [Column]

    fileprivate init(_ statement: RowStatement, _ columns: [Column]) {
      (self.statement, self.columns) = (statement, columns)
    }
  }

  private struct InsertionKey: Hashable {
    var entity: Int
    var positions: [Int]
  }

  private struct UpdateKey: Hashable {
    var entity: Int
    var attributes: [Int]
    var relationships: [Int]
    var isBatch: Bool
    var isRestoring: Bool
  }

  /// The statement is nil if the change affects no column of the row.
  private struct Update {
    var statement: RowStatement?
    var forms: [MappedColumn.Form]
    /// The indexes of the written references.
    var references: [Int]
  }

  private let db: Database
  private let tables: StoreTables
  private var insertions: [InsertionKey: Insertion] = [:]
  private var updates: [UpdateKey: Update] = [:]
  private var additions: [Relationship: RowStatement] = [:]

  init(_ db: Database, _ tables: StoreTables) {
    self.db = db
    self.tables = tables
  }

  // MARK: - Insertions

  /// - Parameters:
  ///   - number: nil for the next one.
  ///   - values: by the index of the attribute.
  ///   - reference: returns the number at the other end of the to-one with this index.
  ///   - position: returns the position among the rows that point to the same object by the to-one with this index.
  func insert(
    _ rows: Insertion, _ number: Int64?, version: Int64, _ values: [Value], reference: (Int) -> Int64?,
    position: (Int) -> Int64?
  ) throws {
    try rows.statement.execute(rows.columns.count) { index in
      switch rows.columns[index] {
      case .number: .number(number)
      case .version: .number(version)
      case .attribute(let index, let form): .value(values[index], form)
      case .toOne(let index): .number(reference(index))
      case .position(let index): .number(position(index))
      }
    }
  }

  /// - Parameter positions: the to-ones, by index, for which new rows have positions.
  func insertion(of entity: Entity, positions: [Int]) throws -> Insertion {
    let key = InsertionKey(entity: entity.index, positions: positions)
    if let known = insertions[key] { return known }
    let table = tables.table(entity)
    let attributes = entity.attributes.filter { !$0.description.isTransient }
    let relationships = entity.relationships.filter { tables.writtenColumn($0) != nil }
    var columns = [table.id, table.version].compactMap(\.self)
    columns += attributes.map { tables.column($0).column } + relationships.compactMap(tables.writtenColumn)
    columns += positions.compactMap { tables.positionColumn(entity.relationships[$0].inverse) }
    var values = columns.map { _ in "?" }
    if let type = table.type {
      columns.append(type)
      values.append(entity.name.sqlLiteral)
    }
    var conflict = ""
    // Inserting an object whose marked row is still there restores the row.
    switch table.deletion {
    case .removed: break
    case .marked(let column, also: _, isSparse: _, value: _):
      columns.append(column)
      values.append("NULL")
      fallthrough
    case .withOwner:
      let assignments = columns.dropFirst().map { "\($0.sqlIdentifier) = excluded.\($0.sqlIdentifier)" }
      conflict = " ON CONFLICT (\(table.id.sqlIdentifier)) DO UPDATE SET \(assignments.joined(separator: ", "))"
    }
    let statement = try RowStatement(
      db,
      """
      INSERT INTO \(table.name.sqlIdentifier) (\(columns.map(\.sqlIdentifier).joined(separator: ", "))) \
      VALUES (\(values.joined(separator: ", ")))\(conflict)
      """)
    let made = Insertion(
      statement,
      (table.version == nil ? [.number] : [.number, .version])
        + attributes.map { .attribute($0.index, tables.column($0).form) } + relationships.map { .toOne($0.index) }
        + positions.map { .position($0) })
    insertions[key] = made
    return made
  }

  // MARK: - Updates

  /// - Parameters:
  ///   - numbers: the objects to update, with one statement; nil for that of the row.
  ///   - restoring: true to clear the mark of a deleted object.
  func update(_ row: StoreChanges.Update, of numbers: [Int64]? = nil, restoring: Bool = false) throws {
    let plan = try update(of: row, isBatch: numbers != nil, restoring)
    let (values, references) = (plan.forms.count, plan.references.count)
    try plan.statement?.execute(values + references + 1) { index in
      if index < values { return .value(row.values[index].value, plan.forms[index]) }
      if index < values + references { return .number(row.references[plan.references[index - values]].number) }
      if let numbers { return .value(.string(numbers.jsonArray), .plain) }
      return .number(row.number)
    }
  }

  private func update(of row: StoreChanges.Update, isBatch: Bool, _ isRestoring: Bool) throws -> Update {
    let key = UpdateKey(
      entity: row.entity.index, attributes: row.values.map { $0.attribute.index },
      relationships: row.references.map { $0.relationship.index }, isBatch: isBatch, isRestoring: isRestoring)
    if let known = updates[key] { return known }
    let table = tables.table(row.entity)
    let attributes = row.values.map { tables.column($0.attribute) }
    let references = row.references.indices.filter { tables.writtenColumn(row.references[$0].relationship) != nil }
    let columns =
      attributes.map(\.column) + references.compactMap { tables.writtenColumn(row.references[$0].relationship) }
    var assignments = columns.map { "\($0.sqlIdentifier) = ?" }
    // The saved version is the one in the table: the transaction has merged what others wrote.
    if let version = table.version { assignments.append("\(version.sqlIdentifier) = \(version.sqlIdentifier) + 1") }
    if isRestoring, let mark = tables.mark(of: row.entity) { assignments.append("\(mark.sqlIdentifier) = NULL") }
    var statement: RowStatement?
    if !assignments.isEmpty {
      statement = try RowStatement(
        db,
        """
        UPDATE \(table.name.sqlIdentifier) SET \(assignments.joined(separator: ", ")) \
        WHERE \(table.id.sqlIdentifier) \(isBatch ? SQLiteReader.inArgument : "= ?")
        """)
    }
    let made = Update(
      statement: statement, forms: attributes.map { $0.form }, references: references)
    updates[key] = made
    return made
  }

  // MARK: - Deletions

  /// Marks the rows of objects as deleted, or removes them.
  /// - Parameter mark: nil for that of the mapping.
  func delete(_ entity: Entity, _ numbers: [Int64], mark: Value? = nil) throws {
    let table = tables.table(entity)
    guard case .marked(let column, let also, isSparse: _, let value) = table.deletion else {
      return try remove(entity, by: table.id, numbers)
    }
    let mark = mark ?? value()
    // Without a mark the object would reappear.
    guard !mark.isNull else { throw StoreFailure(reason: .other, description: "a deletion without a mark") }
    let version = table.version.map { ", \($0.sqlIdentifier) = \($0.sqlIdentifier) + 1" } ?? ""
    let columns = ([column] + also).map { "\($0.sqlIdentifier) = ?1" }.joined(separator: ", ")
    // One statement for all: with one for each, undoing 100,000 deletions misses 3 times bare SQL.
    let statement = try RowStatement(
      db,
      """
      UPDATE \(table.name.sqlIdentifier) SET \(columns)\(version) \
      WHERE \(table.id.sqlIdentifier) \(SQLiteReader.inArgument)
      """)
    try statement.execute(2) { .value($0 == 0 ? mark : .string(numbers.jsonArray), .plain) }
  }

  /// Removes the rows with these numbers in a column, even those that deletions mark.
  func remove(_ entity: Entity, by column: String, _ numbers: [Int64]) throws {
    let table = tables.table(entity).name.sqlIdentifier
    let statement = try RowStatement(
      db, "DELETE FROM \(table) WHERE \(column.sqlIdentifier) \(SQLiteReader.inArgument)")
    try statement.execute(1) { _ in .value(.string(numbers.jsonArray), .plain) }
  }

  // MARK: - Pairs of a many-to-many

  /// Adds pairs, except those that are there already.
  /// - Returns: the added members.
  @discardableResult
  func add(_ members: [Int64], to relationship: Relationship, of owner: Int64) throws -> [Int64] {
    guard let statement = try addition(to: relationship) else { return [] }
    return try members.filter { member in
      try statement.execute(owner, member)
      let isNew = db.changesCount > 0
      // A relationship that is its own inverse has a row for each direction.
      if relationship.isOwnInverse { try statement.execute(member, owner) }
      return isNew
    }
  }

  private func addition(to relationship: Relationship) throws -> RowStatement? {
    if let known = additions[relationship] { return known }
    guard case .join(let join) = tables.storage(relationship) else { return nil }
    let columns = "\(join.ownColumn.sqlIdentifier), \(join.otherColumn.sqlIdentifier)"
    let made = try RowStatement(
      db, "INSERT OR IGNORE INTO \(join.table.sqlIdentifier) (\(columns)) VALUES (?, ?)")
    additions[relationship] = made
    return made
  }

  /// Removes pairs; of a relationship that is its own inverse, only the rows of this direction.
  func remove(_ members: [Int64], from relationship: Relationship, of owner: Int64) throws {
    guard case .join(let join) = tables.storage(relationship) else { return }
    let condition = "\(join.ownColumn.sqlIdentifier) = ? AND \(join.otherColumn.sqlIdentifier) = ?"
    let statement = try RowStatement(db, "DELETE FROM \(join.table.sqlIdentifier) WHERE \(condition)")
    for member in members { try statement.execute(owner, member) }
  }
}

/// A statement that writes rows, for one transaction. Values are bound where they are: copying them, or making GRDB's
/// arguments of them, costs more than the write.
struct RowStatement {
  /// The value of a parameter.
  enum Cell {
    case number(Int64?)
    case value(Value, MappedColumn.Form)
  }

  private let statement: Statement

  init(_ db: Database, _ sql: String) throws {
    statement = try db.cachedStatement(sql: sql)
    // GRDB only executes a statement whose arguments it knows.
    statement.setUncheckedArguments(StatementArguments())
  }

  /// - Parameter cell: returns the value of the parameter with this index, from 0 on.
  /// - Throws: `StoreFailure` for a string that has no number in the mapping, and for a date outside the years 0 to 9999.
  func execute(_ count: Int, _ cell: (Int) -> Cell) throws {
    sqlite3_reset(statement.sqliteStatement)
    defer { sqlite3_clear_bindings(statement.sqliteStatement) }
    try bind(0, count, cell)
  }

  /// Executes a statement whose parameters are numbers.
  func execute(_ numbers: Int64...) throws { try execute(numbers.count) { .number(numbers[$0]) } }

  /// Binds the parameters from an index on and executes the statement, while the bytes of texts stay in place.
  private func bind(_ start: Int, _ count: Int, _ cell: (Int) -> Cell) throws {
    let handle = statement.sqliteStatement
    for index in start..<count {
      let column = CInt(index + 1)
      switch cell(index) {
      case .number(let number?): try check(sqlite3_bind_int64(handle, column, number))
      case .number(nil): try check(sqlite3_bind_null(handle, column))
      case .value(let value, let form):
        switch try form.written(value) {
        case .string(var text):
          return try text.withUTF8 { bytes in
            try bytes.withMemoryRebound(to: CChar.self) {
              try check(sqlite3_bind_text(handle, column, $0.baseAddress, CInt(clamping: $0.count), nil))
            }
            try bind(index + 1, count, cell)
          }
        case let other: try check(other.databaseValue.bind(to: handle, at: column))
        }
      }
    }
    try statement.execute()
  }

  private func check(_ code: CInt) throws {
    guard code != SQLITE_OK else { return }
    throw DatabaseError(resultCode: ResultCode(rawValue: code))
  }
}

extension MappedColumn.Form {
  /// Returns the value that a column of this form has for a value.
  fileprivate func written(_ value: Value) throws -> Value {
    switch (self, value) {
    case (.timestamp, .date(let date)):
      guard let text = FormatDate.text(date) else {
        throw StoreFailure(reason: .other, description: "a date outside the years 0 to 9999")
      }
      return .string(text)
    case (.names(let names), .string(let text)):
      guard let number = names.first(where: { $0.value == text })?.key else {
        throw StoreFailure(reason: .other, description: "a string that has no number in the mapping")
      }
      return .integer(number)
    default: return value
    }
  }
}
