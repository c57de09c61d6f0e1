import Foundation
import GRDB

protocol ObjectStore: AnyObject, Sendable {
  /// The identifier of the store, which a migration keeps.
  var identifier: UUID { get }
  /// Calls the body with one snapshot of the store.
  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result
  /// Calls the body in a write transaction: an error of the body leaves the store unchanged. Writers of a stack are
  /// serialized.
  func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result
  /// Closes the files that the store opened. The store is not used afterwards.
  func close() throws
  /// Returns whether rows of the entity have a version that shows whether they were saved elsewhere.
  func keepsVersions(of entity: Entity) -> Bool
  /// Returns whether deletions mark the rows of the entity's objects instead of removing them.
  func marksDeletions(of entity: Entity) -> Bool
  /// Returns the to-one to the object that objects of the entity are deleted and restored with; nil if there is none.
  func ownerRelationship(of entity: Entity) -> Relationship?
  /// Returns the to-one to the object whose number a new object of the entity shares; nil if new objects get their own
  /// numbers.
  func sharedKey(of entity: Entity) -> Relationship?
  /// Whether the host's triggers may change versions as rows are written.
  var hasTriggers: Bool { get }
}

extension ObjectStore {
  func keepsVersions(of entity: Entity) -> Bool { true }
  func marksDeletions(of entity: Entity) -> Bool { false }
  func ownerRelationship(of entity: Entity) -> Relationship? { nil }
  func sharedKey(of entity: Entity) -> Relationship? { nil }
  var hasTriggers: Bool { false }
}

/// A snapshot of a store. A row is identified by its number and the root of its family.
protocol StoreReader {
  /// Returns the rows with these numbers that belong to existing objects, in any order.
  func rows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow]
  /// Returns the rows with these numbers that are marked as deleted, or that are deleted and restored with other rows.
  func markedRows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow]
  /// Returns the versions of the rows that belong to existing objects.
  func versions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64]
  /// Returns the versions of the rows, including those that are marked as deleted.
  func rowVersions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64]
  /// Returns a value that is not read with its row.
  func value(of attribute: EntityAttribute, in number: Int64) throws -> Value
  /// Returns the members of a to-many of each owner, in order if the relationship is ordered. Missing members are left
  /// out.
  func members(_ relationship: Relationship, of owners: [Int64]) throws -> [Int64: [StoredRow]]
  /// Returns the numbers of all objects of these entities, which belong to one family, in ascending order.
  func numbers(of entities: [Entity]) throws -> [(number: Int64, entity: Entity)]
  /// Returns the result of a request in this snapshot.
  /// - Parameter onRow: called with the row of each object that SQL finds; nil to read only the ids.
  func result(_ run: RequestRun, onRow: ((ObjectRow) -> Void)?) throws -> FetchResult
}

extension StoreReader {
  func markedRows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow] { [] }

  func rowVersions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64] { try versions(numbers, of: root) }

  func value(of attribute: EntityAttribute, in number: Int64) throws -> Value {
    try rows([number], of: attribute.entity.root).first?.values[attribute.index] ?? .null
  }

  /// Evaluates the request in memory, for stores without SQL.
  func result(_ run: RequestRun, onRow: ((ObjectRow) -> Void)?) throws -> FetchResult {
    try run.result()
  }
}

/// A write transaction of a store.
protocol StoreWriter {
  /// The state of the store with what was written so far.
  var reader: any StoreReader { get }
  /// Reserves consecutive unused numbers of a family, and returns the first.
  func reserve(_ count: Int, of root: Entity) throws -> Int64
  func apply(_ changes: StoreChanges) throws
  /// The connection that writes; nil for stores other than SQLite.
  var database: Database? { get }
}

extension StoreWriter {
  var database: Database? { nil }
}

/// Options for the SQLite stores that a stack opens.
public struct StackOptions: Sendable {
  /// How long a save waits for a writer outside of the stack, in seconds.
  public var busyTimeout: TimeInterval
  /// Called with every statement of the SQLite stores that reads or writes objects, on the thread that ran it; not with
  /// those that begin or end a transaction, set up a connection or look at the file's model.
  public var trace: (@Sendable (SQLTraceEvent) -> Void)?

  /// Creates options, by default with a busy timeout of ten seconds and no trace.
  public init(busyTimeout: TimeInterval = 10, trace: (@Sendable (SQLTraceEvent) -> Void)? = nil) {
    self.busyTimeout = busyTimeout
    self.trace = trace
  }
}

/// A statement that a store ran.
public struct SQLTraceEvent: Sendable {
  /// The statement without its bound values.
  public let sql: String
  /// The statement with its bound values: for debugging, not for a log that others read.
  public let expandedSQL: String
  /// How long the statement took, in seconds.
  public let duration: Double
}

/// Why a store could not be opened, read or written.
public struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public enum Reason: Hashable, Sendable {
    /// Another writer held the lock for longer than the busy timeout, or a migration found the file open.
    case busy
    /// The file is not a store of this library, or is damaged.
    case unreadable
    /// The file or the folder cannot be read or written.
    case file
    /// Any other error of the store.
    case other
  }

  /// The kind of failure.
  public let reason: Reason
  /// A message for a log. It contains no values of objects, unless an error of a migration's closure does.
  public let description: String
}
