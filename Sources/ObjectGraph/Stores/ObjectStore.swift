import Foundation
import GRDB

/// A place that keeps objects. All stores keep the same things in the same way; `StoreConformanceTests` runs over each.
protocol ObjectStore: AnyObject, Sendable {
  /// The store for ever, also after a migration.
  var identifier: UUID { get }
  /// Reads one state of the store.
  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result
  /// Writes all or nothing: an error of the body leaves the store as it was. Writers come one after the other.
  func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result
  /// Lets go of files. Nothing is asked of the store afterwards.
  func close() throws
  /// Whether rows of the entity have a version that tells whether somebody saved them.
  func keepsVersions(of entity: Entity) -> Bool
  /// Whether a deletion marks the row of the entity's objects, so that they can come back.
  func marksDeletions(of entity: Entity) -> Bool
  /// The to-one that leads to the object with which rows of the entity are deleted and come back; nil where there is none.
  func keeper(of entity: Entity) -> Relationship?
  /// The to-one that leads to the object whose number a new object of the entity gets; nil where it gets one of its own.
  func sharedKey(of entity: Entity) -> Relationship?
  /// Whether triggers of somebody else may change versions as rows are written.
  var hasTriggers: Bool { get }
}

extension ObjectStore {
  func keepsVersions(of entity: Entity) -> Bool { true }
  func marksDeletions(of entity: Entity) -> Bool { false }
  func keeper(of entity: Entity) -> Relationship? { nil }
  func sharedKey(of entity: Entity) -> Relationship? { nil }
  var hasTriggers: Bool { false }
}

/// One state of a store. Entities are given by the root of their family.
protocol StoreReader {
  /// The rows of these numbers that are there, in any order.
  func rows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow]
  /// The rows of these numbers that are marked as deleted, or of these numbers where rows go with others that are marked.
  func markedRows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow]
  /// The version of each of these rows that is there.
  func versions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64]
  /// The same, of rows that are marked as deleted too.
  func rowVersions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64]
  /// A value that is not read with its row.
  func value(of attribute: Attribute, in number: Int64) throws -> Value
  /// The rows that the owners have by a to-many, in their order if it has one. Members that are gone are left out.
  func members(_ relationship: Relationship, of owners: [Int64]) throws -> [Int64: [StoredRow]]
  /// All numbers of these entities of one family, the first saved first.
  func numbers(of entities: [Entity]) throws -> [(number: Int64, entity: Entity)]
  /// What a request finds in this state.
  /// - Parameter onRow: Is given the rows of objects that are read on the way, if there are any.
  func result(_ run: RequestRun, onRow: ((StoredRow) -> Void)?) throws -> FetchResult
}

extension StoreReader {
  func markedRows(_ numbers: [Int64], of root: Entity) throws -> [StoredRow] { [] }

  func rowVersions(_ numbers: [Int64], of root: Entity) throws -> [Int64: Int64] { try versions(numbers, of: root) }

  func value(of attribute: Attribute, in number: Int64) throws -> Value {
    try rows([number], of: attribute.entity.root).first?.values[attribute.index] ?? .null
  }
}

/// A store that is being written. What it reads has what it wrote.
protocol StoreWriter: StoreReader {
  /// Reserves numbers of a family that no object ever had; returns the first.
  func reserve(_ count: Int, of root: Entity) throws -> Int64
  /// Makes the changes. References and pairs are taken as they are, also those to nothing.
  func apply(_ changes: StoreChanges) throws
  /// The connection that writes; nil for a store outside of SQLite.
  var database: Database? { get }
}

extension StoreWriter {
  var database: Database? { nil }
}
