import Foundation
import GRDB

/// A store of objects. All kinds of stores behave in the same way.
protocol ObjectStore: AnyObject, Sendable {
  /// Identifies the store permanently, even after a migration.
  var identifier: UUID { get }
  /// Reads one snapshot of the store.
  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result
  /// Writes all or nothing: an error of the body leaves the store unchanged. Writers are serialized.
  func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result
  /// Closes files. The store is not used afterwards.
  func close() throws
  /// Whether rows of the entity have a version that shows whether they were saved elsewhere.
  func keepsVersions(of entity: Entity) -> Bool
  /// Whether a deletion marks the row of the entity's objects, so that they can be restored.
  func marksDeletions(of entity: Entity) -> Bool
  /// The to-one to the object that rows of the entity are deleted and restored with; nil if there is none.
  func ownerRelationship(of entity: Entity) -> Relationship?
  /// The to-one to the object whose number a new object of the entity shares; nil if new objects get their own numbers.
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

/// A snapshot of a store. Entities are given by the root of their family.
protocol StoreReader {
  /// The existing rows with these numbers, in any order.
  func rows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow]
  /// The rows with these numbers that are marked as deleted, or that belong to marked rows.
  func markedRows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow]
  /// The versions of the existing rows.
  func versions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64]
  /// The versions of the rows, including those that are marked as deleted.
  func rowVersions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64]
  /// A value that is read on demand, not with its row.
  func value(of attribute: Attribute, in number: Int64) throws -> Value
  /// The members of each owner's to-many, in their order if it has one. Missing members are left out.
  func members(_ relationship: Relationship, of owners: [Int64]) throws -> [Int64: [StoredRow]]
  /// All numbers of these entities of one family, in the order of first saves.
  func numbers(of entities: [Entity]) throws -> [(number: Int64, entity: Entity)]
  /// The result of a request in this snapshot.
  /// - Parameter onRow: called with the rows of objects that are read on the way, if any.
  func result(_ run: RequestRun, onRow: ((ObjectRow) -> Void)?) throws -> FetchResult
}

extension StoreReader {
  func markedRows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow] { [] }

  func rowVersions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64] { try versions(numbers, of: root) }

  func value(of attribute: Attribute, in number: Int64) throws -> Value {
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
  /// Reserves numbers of a family that were never used; returns the first.
  func reserve(_ count: Int, of root: Entity) throws -> Int64
  /// Applies the changes. References and pairs are not checked, even if they dangle.
  func apply(_ changes: StoreChanges) throws
  /// The connection that writes; nil for stores other than SQLite.
  var database: Database? { get }
}

extension StoreWriter {
  var database: Database? { nil }
}
