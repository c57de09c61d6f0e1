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
