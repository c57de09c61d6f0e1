import Foundation
import GRDB

/// What a request reads of each object.
struct ObjectColumns {
  /// Columns of the table `t`.
  let sql: String
  /// Reads a row that begins with these columns, and returns the object's id.
  let read: (StatementCells) throws -> ObjectID
}

struct RequestStatement {
  private let request: CheckedRequest
  let compiler: ConditionCompiler
  let condition: String
  /// Whether all existing objects of the family are requested.
  private let isWhole: Bool
  private let store: UUID

  /// Fails if the request exceeds SQLite's limits.
  /// - Parameter excluded: numbers of objects to leave out.
  init?(
    _ request: CheckedRequest, store: UUID, tables: StoreTables = .generated, excluded: [Int64] = []
  ) throws {
    self.request = request
    self.store = store
    let compiler = ConditionCompiler(request.entity, store: store, tables: tables)
    self.compiler = compiler
    var terms: [String] = []
    let alias = compiler.root.alias
    let all = request.entity.root.concreteFamily(includingChildren: true).map(\.name)
    let names = request.entities.map(\.name)
    if names.count < all.count {
      let list = names.map { compiler.bind($0.databaseValue) }.joined(separator: ", ")
      terms.append("\(tables.type(request.entity, of: alias)) IN (\(list))")
    }
    var isWhole = terms.isEmpty && excluded.isEmpty && !request.request.onlyDeleted
    if request.request.onlyDeleted {
      // Rows that are deleted with their owners are restored only with them.
      terms.append(tables.mark(of: request.entity) == nil ? "0" : tables.deletion(request.entity, of: alias))
    } else if let existence = tables.existence(request.entity, of: alias) {
      terms.append(existence)
    }
    if !excluded.isEmpty {
      let list = compiler.bind(excluded.jsonArray.databaseValue)
      terms.append("\(tables.id(request.entity, of: alias)) NOT IN (SELECT value FROM json_each(\(list)))")
    }
    if case .constant(true) = request.predicate.condition {
    } else {
      isWhole = false
      terms.append(try compiler.sql(request.predicate.condition))
    }
    self.isWhole = isWhole
    condition = terms.isEmpty ? "" : " WHERE \(terms.joined(separator: " AND "))"
    // The joins of the columns and the order count toward the limit too.
    if request.request.result != .count {
      _ = try compiler.apart { try InputCells(RequestInputs(request), compiler: compiler) }
    }
    if compiler.isBeyondSQL { return nil }
  }

  // MARK: Objects

  /// Returns the number of objects that match the predicate.
  func count(_ database: Database) throws -> Int {
    let from = compiler.root.from
    // Deleted rows are few, and SQLite counts a whole table without reading its rows.
    if isWhole, compiler.tables.wholeExistence(request.entity, of: compiler.root.alias) != nil {
      let deleted = compiler.tables.deletion(request.entity, of: compiler.root.alias)
      let sql = "SELECT (SELECT COUNT(*) FROM \(from)) - (SELECT COUNT(*) FROM \(from) WHERE \(deleted))"
      return try Int.fetchOne(database.cachedStatement(sql: sql)) ?? 0
    }
    let statement = try database.cachedStatement(sql: "SELECT COUNT(*) FROM \(from)\(condition)")
    return try Int.fetchOne(statement, arguments: StatementArguments(compiler.arguments)) ?? 0
  }

  /// Finds the objects in the order of the request, with the values of the inputs.
  /// - Parameters:
  ///   - limit: the maximum number; nil for all.
  ///   - reading: what to read of each object; its id if nil.
  func rows(
    _ database: Database, _ inputs: RequestInputs, limit: Int?, offset: Int, reading: ObjectColumns? = nil
  ) throws -> [InputRow] {
    let alias = compiler.root.alias
    let key = compiler.tables.id(request.entity, of: alias)
    // The columns and the order add joins to the FROM, so they are compiled first.
    let (cells, cellArguments) = try compiler.apart { try InputCells(inputs, compiler: compiler) }
    let columns = [reading?.sql ?? "\(key), \(compiler.tables.type(request.entity, of: alias))"] + cells.columns
    var order = try request.order.map { order in
      guard case .input(let input) = order.source else { return key }
      let value = try compiler.sql(.path(input.path), order.fold)
      return order.isAscending ? value : "\(value) DESC"
    }
    var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(compiler.root.from)\(condition)"
    if request.request.onlyDeleted, order.isEmpty, let mark = compiler.tables.mark(of: request.entity) {
      order = ["\(alias).\(mark.sqlIdentifier) DESC", "\(key) DESC"]
    } else {
      order.append(key)
    }
    sql += " ORDER BY \(order.joined(separator: ", "))"
    var arguments = cellArguments + compiler.arguments
    if limit != nil || offset > 0 {
      sql += " LIMIT ? OFFSET ?"
      arguments += [(limit ?? -1).databaseValue, offset.databaseValue]
    }
    // The SQL contains no values, so all pages and searches of the same kind share a compiled statement.
    let statement = try database.cachedStatement(sql: sql)
    let first = statement.columnCount - cells.columns.count
    var rows: [InputRow] = []
    rows.reserveCapacity(min(limit ?? 0, 1000))
    try statement.forEachRow(arguments) { row in
      guard let object = try reading.map({ try $0.read(row) }) ?? ObjectID(store: store, number: row[0], entity: row[1])
      else { return }
      rows.append(InputRow(object: object, values: try cells.values(row, from: first, store: store)))
    }
    return rows
  }

  // MARK: Groups

  /// Returns the grouped or distinct rows, in the order of their first objects.
  func groups(_ database: Database, _ shape: CheckedRequest.Rows) throws -> [[String: Value]] {
    let grouping = shape.isGrouped ? shape.groups : shape.columns
    let (columns, cellArguments) = try compiler.apart {
      try (shape.groups + shape.columns).map { try GroupCell($0, compiler: compiler) }
    }
    let whole = isWhole ? compiler.tables.wholeExistence(request.entity, of: compiler.root.alias) : nil
    let condition = whole.map { " WHERE \($0)" } ?? condition
    var sql = "SELECT \(columns.map(\.sql).joined(separator: ", ")) FROM \(compiler.root.from)\(condition)"
    if !grouping.isEmpty {
      let keys = columns.prefix(grouping.count).map(\.key)
      let first = compiler.tables.id(request.entity, of: compiler.root.alias)
      sql += " GROUP BY \(keys.joined(separator: ", ")) ORDER BY MIN(\(first))"
    }
    var rows: [[String: Value]] = []
    let statement = try database.makeStatement(sql: sql)
    try statement.forEachRow(cellArguments + compiler.arguments) { row in
      var cells = RowCells(row, from: 0, store: store)
      var values: [String: Value] = [:]
      for column in columns { values[column.name] = try column.value(&cells) }
      rows.append(values)
    }
    return rows
  }
}
