import Foundation
import GRDB

/// The SQL of a request.
struct RequestStatement {
  private let request: CheckedRequest
  let compiler: ConditionCompiler
  let condition: String
  private let store: UUID

  /// Nil where the predicate is more than SQLite takes; it is evaluated in memory then.
  /// - Parameter excluded: Numbers of objects that are left out.
  init?(
    _ request: CheckedRequest, store: UUID, tables: StoreTables = .generated, excluded: [Int64] = [],
    resolve: @escaping (ObjectID) -> ObjectID
  ) throws {
    self.request = request
    self.store = store
    let compiler = ConditionCompiler(request.entity, store: store, tables: tables, resolve: resolve)
    self.compiler = compiler
    var terms: [String] = []
    let alias = compiler.root.alias
    let all = request.entity.root.concreteFamily(includingChildren: true).map(\.name)
    let names = request.entities.map(\.name)
    if names.count < all.count {
      let list = names.map { compiler.bind($0.databaseValue) }.joined(separator: ", ")
      terms.append("\(tables.type(request.entity, of: alias)) IN (\(list))")
    }
    if let existence = tables.existence(request.entity, of: alias) { terms.append(existence) }
    if !excluded.isEmpty {
      let list = compiler.bind(excluded.jsonArray.databaseValue)
      terms.append("\(tables.id(request.entity, of: alias)) NOT IN (SELECT value FROM json_each(\(list)))")
    }
    if case .constant(true) = request.predicate.condition {
    } else {
      terms.append(try compiler.sql(request.predicate.condition))
    }
    condition = terms.isEmpty ? "" : " WHERE \(terms.joined(separator: " AND "))"
    // The joins of the columns and the order count too.
    if request.request.result != .count {
      for input in RequestInputs(request).inputs { _ = compiler.sql(input.path) }
    }
    if compiler.isBeyondSQL { return nil }
  }

  // MARK: Objects

  /// How many objects fulfil the predicate.
  func count(_ database: Database) throws -> Int {
    let statement = try database.cachedStatement(sql: "SELECT COUNT(*) FROM \(compiler.root.from)\(condition)")
    return try Int.fetchOne(statement, arguments: StatementArguments(compiler.arguments)) ?? 0
  }

  /// The objects in the order of the request, with the values of the inputs.
  /// - Parameters:
  ///   - limit: The greatest number; nil for all.
  ///   - reading: Columns of the table `t` that the row of each object begins with when it is given to `onRow`, id and
  ///     type first.
  func rows(
    _ database: Database, _ inputs: RequestInputs, limit: Int?, offset: Int, reading: String? = nil,
    onRow: (Row) throws -> Void = { _ in }
  ) throws -> [InputRow] {
    let alias = compiler.root.alias
    let key = compiler.tables.id(request.entity, of: alias)
    // All FROM is joined by the columns and the order, which therefore are compiled first.
    let cells = InputCells(inputs, compiler: compiler)
    let columns = [reading ?? "\(key), \(compiler.tables.type(request.entity, of: alias))"] + cells.columns
    let order = try request.order.map { order in
      guard case .input(let input) = order.source else { return key }
      let value = try compiler.sql(.path(input.path), order.fold)
      return order.isAscending ? value : "\(value) DESC"
    }
    var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(compiler.root.from)\(condition)"
    sql += " ORDER BY \((order + [key]).joined(separator: ", "))"
    var arguments = compiler.arguments
    if limit != nil || offset > 0 {
      sql += " LIMIT ? OFFSET ?"
      arguments += [(limit ?? -1).databaseValue, offset.databaseValue]
    }
    // The text holds no value, so that pages and searches of one kind share what SQLite compiled.
    let cursor = try Row.fetchCursor(
      database.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
    var rows: [InputRow] = []
    while let row = try cursor.next() {
      guard let object = ObjectID(store: store, number: row[0], entity: row[1]) else { continue }
      let values = try cells.values(row, from: row.count - cells.columns.count, store: store)
      rows.append(InputRow(object: object, values: values))
      try onRow(row)
    }
    return rows
  }

  // MARK: Groups

  /// The rows of groups, or of equal columns, in the order of their first objects.
  func groups(_ database: Database, _ shape: CheckedRequest.Rows) throws -> [[String: Value]] {
    let grouping = shape.isGrouped ? shape.groups : shape.columns
    var columns: [GroupCell] = []
    for column in shape.groups + shape.columns { columns.append(GroupCell(column, compiler: compiler)) }
    var sql = "SELECT \(columns.map(\.sql).joined(separator: ", ")) FROM \(compiler.root.from)\(condition)"
    if !grouping.isEmpty {
      let keys = grouping.map { GroupCell($0, compiler: compiler).key }
      let first = compiler.tables.id(request.entity, of: compiler.root.alias)
      sql += " GROUP BY \(keys.joined(separator: ", ")) ORDER BY MIN(\(first))"
    }
    let cursor = try Row.fetchCursor(database, sql: sql, arguments: StatementArguments(compiler.arguments))
    var rows: [[String: Value]] = []
    while let row = try cursor.next() {
      var cells = RowCells(row, from: 0, store: store)
      var values: [String: Value] = [:]
      for column in columns { values[column.name] = try column.value(&cells) }
      rows.append(values)
    }
    return rows
  }
}
