import Foundation
import GRDB

/// A run of a request on a store, with the unsaved changes of a context on top.
///
/// In a SQLite store, objects that no unsaved change affects are found by SQL; the others are excluded there and
/// evaluated in memory. If no unsaved change matters, SQL does everything. A request that exceeds SQLite's limits is
/// evaluated in memory only, except one for deleted objects, which is refused.
public struct RequestRun {
  /// The request, with permanent ids for temporary ones that were saved.
  public let request: CheckedRequest
  /// The store that keeps the request's entities.
  public let store: UUID
  /// The unsaved changes; none if the request does not include them.
  public let pending: PendingChanges
  /// The saved state with the unsaved changes on top; the saved state alone if the request does not include them.
  public let reader: any GraphReader
  /// The numbers of objects to leave out.
  var excluded: [Int64] = []

  /// Creates a run of a request.
  /// - Parameters:
  ///   - request: the request.
  ///   - store: the store that keeps its entities.
  ///   - pending: the unsaved changes.
  ///   - reader: the saved state, with the unsaved changes on top if the request includes them.
  ///   - resolve: returns the permanent id for a temporary one that was saved, and any other id unchanged.
  public init(
    _ request: CheckedRequest, store: UUID, pending: PendingChanges, reader: any GraphReader,
    resolve: (ObjectID) -> ObjectID = { $0 }
  ) {
    self.request = request.resolving(resolve)
    self.store = store
    self.pending = request.request.seesPendingChanges ? pending : PendingChanges()
    self.reader = reader
  }

  /// Evaluates the request in memory.
  /// - Throws: errors of the reader.
  public func result() throws -> FetchResult {
    try request.result(in: reader)
  }

  /// Evaluates the request in a database with the library's own tables. The connection needs the SQL functions that
  /// requests call; the connections of a stack have them.
  /// - Parameter database: a connection to the store, in a transaction.
  /// - Throws: errors of the database and the reader; `badRequest` if the request is for deleted objects and exceeds
  ///   SQLite's limits.
  public func result(_ database: Database) throws -> FetchResult {
    try result(database, .generated)
  }

  /// Evaluates the request in a database with the tables of a store.
  /// - Parameter reading: what to read of each object that SQL finds; its id if nil.
  func result(
    _ database: Database, _ tables: StoreTables, reading: ObjectColumns? = nil
  ) throws -> FetchResult {
    let inputs = RequestInputs(request)
    var affected: Set<ObjectID> = []
    if !pending.isEmpty {
      let paths = RequestPaths(request, inputs)
      affected = try AffectedObjects(request: request, paths: paths, pending: pending, reader: reader, tables: tables)
        .find(database)
    }
    let excluded = (excluded + affected.compactMap(\.number)).sorted()
    guard
      let statement = try RequestStatement(request, store: store, tables: tables, excluded: excluded)
    else {
      // The reader does not show deleted objects.
      if request.request.onlyDeleted { throw ObjectGraphError.badRequest(field: "predicate") }
      return try result()
    }
    let rows = SavedRows(database: database, statement: statement, inputs: inputs, reading: reading)
    return affected.isEmpty ? try saved(rows) : try merged(rows, affected)
  }

  private struct SavedRows {
    let database: Database
    let statement: RequestStatement
    var inputs: RequestInputs
    let reading: ObjectColumns?

    func find(limit: Int?, offset: Int) throws -> [InputRow] {
      try statement.rows(database, inputs, limit: limit, offset: offset, reading: reading)
    }
  }

  // MARK: SQL alone

  private func saved(_ rows: SavedRows) throws -> FetchResult {
    let assembler = ResultAssembler(request, inputs: rows.inputs)
    let fields = request.request
    if fields.result == .count { return .count(clipped(try rows.statement.count(rows.database))) }
    if let shape = request.rows, shape.isGrouped || fields.isDistinct {
      return .dictionaries(try assembler.finish(try rows.statement.groups(rows.database, shape), shape))
    }
    var rows = rows
    // The values of sort keys are only needed for merging.
    if request.rows == nil { rows.inputs = RequestInputs() }
    let found = try rows.find(limit: fields.limit > 0 ? fields.limit : nil, offset: fields.offset)
    guard let shape = request.rows else { return .objects(found.map(\.object)) }
    return .dictionaries(found.map { assembler.dictionary($0, shape) })
  }

  /// Returns the number of results after offset and limit.
  private func clipped(_ count: Int) -> Int {
    let rest = max(0, count - request.request.offset)
    return request.request.limit > 0 ? min(rest, request.request.limit) : rest
  }

  // MARK: SQL and memory

  private func merged(_ rows: SavedRows, _ affected: Set<ObjectID>) throws -> FetchResult {
    let fields = request.request
    let changed = try request.rows(of: evaluated(affected), rows.inputs, reader)
    if fields.result == .count { return .count(clipped(try rows.statement.count(rows.database) + changed.count)) }
    // Offset and limit apply after merging, so read as many saved rows as both need together.
    var limit: Int?
    if fields.limit > 0, !(request.rows?.isGrouped == true || fields.isDistinct) {
      let (sum, isTooLarge) = fields.limit.addingReportingOverflow(fields.offset)
      limit = isTooLarge ? nil : sum
    }
    let saved = try rows.find(limit: limit, offset: 0)
    let permanent = (saved + changed.filter { !$0.object.isTemporary }).sorted { left, right in
      (left.object.number ?? 0) < (right.object.number ?? 0)
    }
    return try ResultAssembler(request, inputs: rows.inputs).result(permanent + changed.filter(\.object.isTemporary))
  }

  /// Returns the affected objects that may be in the result, unsaved ones last, in the order of their insertion.
  private func evaluated(_ affected: Set<ObjectID>) -> [ObjectID] {
    let deleted = Set(pending.deleted)
    let matching = affected.filter { id in !deleted.contains(id) && request.entities.contains { $0.name == id.entity } }
    let order = Dictionary(pending.inserted.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let unsaved = matching.filter(\.isTemporary).sorted { (order[$0] ?? .max) < (order[$1] ?? .max) }
    return matching.filter { !$0.isTemporary } + unsaved
  }
}

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
