import Foundation
import GRDB

/// Runs a request on a SQLite store with the unsaved changes of a context on top.
///
/// What is not touched by an unsaved change is found by SQL; the rest is left out of it and evaluated in memory. With nothing
/// unsaved that matters there is SQL alone.
public struct RequestRun {
  /// The request.
  public let request: CheckedRequest
  /// The store that has the request's entities.
  public let store: UUID
  /// What is unsaved. It is not looked at where the request wants the store alone.
  public let pending: PendingChanges
  /// What is saved with what is unsaved on top; the store alone where the request wants that.
  public let reader: any GraphReader
  /// The permanent id for a temporary one, where there is one.
  public let resolve: (ObjectID) -> ObjectID

  /// A run of a request.
  public init(
    _ request: CheckedRequest, store: UUID, pending: PendingChanges, reader: any GraphReader,
    resolve: @escaping (ObjectID) -> ObjectID = { $0 }
  ) {
    self.request = request
    self.store = store
    self.pending = request.request.seesPendingChanges ? pending : PendingChanges()
    self.reader = reader
    self.resolve = resolve
  }

  /// What the request finds, evaluated in memory.
  /// - Throws: What the reader throws.
  public func result() throws -> FetchResult {
    try request.resolving(resolve).result(in: reader)
  }

  /// What the request finds. The connection has the functions that predicates call, as those of a stack have.
  /// - Parameter database: A connection to the store, in a transaction.
  /// - Throws: What the database and the reader throw.
  public func result(_ database: Database) throws -> FetchResult {
    try result(database, .generated)
  }

  /// The result in a database with the tables of a store.
  /// - Parameters:
  ///   - reading: When objects are asked for, columns of the table `t` to read along.
  ///   - onRow: Is given each row that SQL found, which begins with these columns.
  func result(
    _ database: Database, _ tables: StoreTables, reading: String? = nil, onRow: (Row) throws -> Void = { _ in }
  ) throws -> FetchResult {
    let inputs = RequestInputs(request)
    var affected: Set<ObjectID> = []
    if !pending.isEmpty {
      let paths = RequestPaths(request, inputs)
      affected = try AffectedObjects(request: request, paths: paths, pending: pending, reader: reader, tables: tables)
        .find(database)
    }
    let excluded = affected.compactMap(\.number).sorted()
    guard
      let statement = try RequestStatement(request, store: store, tables: tables, excluded: excluded, resolve: resolve)
    else {
      // What was deleted is not among what the reader shows.
      if request.request.onlyDeleted { throw ObjectGraphError.badRequest(field: "predicate") }
      return try result()
    }
    let rows = SavedRows(database: database, statement: statement, inputs: inputs, reading: reading)
    return affected.isEmpty ? try saved(rows, onRow) : try merged(rows, affected, onRow)
  }

  private struct SavedRows {
    let database: Database
    let statement: RequestStatement
    var inputs: RequestInputs
    let reading: String?

    func find(limit: Int?, offset: Int, _ onRow: (Row) throws -> Void) throws -> [InputRow] {
      try statement.rows(database, inputs, limit: limit, offset: offset, reading: reading, onRow: onRow)
    }
  }

  // MARK: SQL alone

  private func saved(_ rows: SavedRows, _ onRow: (Row) throws -> Void) throws -> FetchResult {
    let assembler = ResultAssembler(request, inputs: rows.inputs)
    let fields = request.request
    if fields.result == .count { return .count(clipped(try rows.statement.count(rows.database))) }
    if let shape = request.rows, shape.isGrouped || fields.isDistinct {
      return .dictionaries(try assembler.finish(try rows.statement.groups(rows.database, shape), shape))
    }
    var rows = rows
    // Nothing is to be merged into the order.
    if request.rows == nil { rows.inputs = RequestInputs() }
    let found = try rows.find(limit: fields.limit > 0 ? fields.limit : nil, offset: fields.offset, onRow)
    guard let shape = request.rows else { return .objects(found.map(\.object)) }
    return .dictionaries(found.map { assembler.dictionary($0, shape) })
  }

  /// The number of results of so many objects.
  private func clipped(_ count: Int) -> Int {
    let rest = max(0, count - request.request.offset)
    return request.request.limit > 0 ? min(rest, request.request.limit) : rest
  }

  // MARK: SQL and memory

  private func merged(
    _ rows: SavedRows, _ affected: Set<ObjectID>, _ onRow: (Row) throws -> Void
  ) throws -> FetchResult {
    let fields = request.request
    let changed = try request.resolving(resolve).rows(of: evaluated(affected), rows.inputs, reader)
    if fields.result == .count { return .count(clipped(try rows.statement.count(rows.database) + changed.count)) }
    // No more saved rows are wanted than would be without the changed ones.
    var limit: Int?
    if fields.limit > 0, !(request.rows?.isGrouped == true || fields.isDistinct) {
      let (sum, isTooLarge) = fields.limit.addingReportingOverflow(fields.offset)
      limit = isTooLarge ? nil : sum
    }
    let saved = try rows.find(limit: limit, offset: 0, onRow)
    let permanent = (saved + changed.filter { !$0.object.isTemporary }).sorted { left, right in
      (left.object.number ?? 0) < (right.object.number ?? 0)
    }
    return try ResultAssembler(request, inputs: rows.inputs).result(permanent + changed.filter(\.object.isTemporary))
  }

  /// The affected objects that may be among the results, unsaved ones last, in the order of their insertion.
  private func evaluated(_ affected: Set<ObjectID>) -> [ObjectID] {
    let deleted = Set(pending.deleted)
    let wanted = affected.filter { id in !deleted.contains(id) && request.entities.contains { $0.name == id.entity } }
    let order = Dictionary(pending.inserted.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let unsaved = wanted.filter(\.isTemporary).sorted { (order[$0] ?? .max) < (order[$1] ?? .max) }
    return wanted.filter { !$0.isTemporary } + unsaved
  }
}
