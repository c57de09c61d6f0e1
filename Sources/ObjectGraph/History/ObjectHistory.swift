import ChangeLog
import Foundation
import GRDB

/// The objects that were written since a token, by anyone: the counterpart of Core Data's persistent history.
public enum ObjectHistory: Sendable {
  /// The objects that were written.
  case changes(ObjectChanges, next: HistoryToken)
  /// The history since the token is incomplete, and any object may have been written. Read everything again, and
  /// continue from `next`.
  case lost(next: HistoryToken)
}

/// Objects that were written. Objects that were inserted and deleted again are not included.
public struct ObjectChanges: Hashable, Sendable {
  /// New objects.
  public internal(set) var inserted: Set<ObjectID> = []
  /// Objects whose values, or members in a many-to-many relationship, may have changed.
  public internal(set) var updated: Set<ObjectID> = []
  /// Deleted objects.
  public internal(set) var deleted: Set<DeletedObject> = []

  /// Whether no object was written.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// A deleted object. Its row is gone, so its entity within the family is unknown; the family shares one sequence of
/// numbers, so only one of ``candidates`` ever belonged to an object.
public struct DeletedObject: Hashable, Sendable {
  /// The possible ids, one for each entity of the family that has objects.
  public let candidates: [ObjectID]

  /// The object's id; nil if there are several candidates.
  public var id: ObjectID? { candidates.count == 1 ? candidates.first : nil }
}

/// A point in the history of a stack's stores. It may be saved and used by another process.
///
/// A store that was restored from a copy and written since cannot be told apart from the original. If users may copy
/// the file, write a marker into it and keep the marker with the token.
public struct HistoryToken: Hashable, Sendable, Codable {
  /// The positions in the change logs, by store and table.
  var cursors: [UUID: [String: LogCursor]] = [:]
}

extension ObjectStack {
  /// Makes the SQLite stores keep a history from now on, with triggers that record each written row, no matter who
  /// writes it. The triggers stay in the files until a migration; calling this again is cheap. Mapped stores, property
  /// lists and stores in memory have no history.
  ///
  /// The log of each table keeps at least its newest 32,768 lines; a write usually adds one. Writing becomes somewhat
  /// slower.
  /// - Throws: `store` if the triggers cannot be written.
  public func enableHistoryTracking() throws(ObjectGraphError) {
    try translating {
      for store in sqliteStores {
        let trackings = tables(of: store).map { ChangeTracking(table: $0) }
        let isKept = try store.pool.read { db in
          try trackings.allSatisfy { try $0.installed(in: db) != nil }
        }
        if !isKept {
          try store.pool.write { db in for tracking in trackings { try tracking.installMerging(in: db) } }
        }
      }
    }
  }

  /// Returns a token for the current state.
  /// - Throws: `noHistory`, `store`.
  public func historyToken() throws(ObjectGraphError) -> HistoryToken {
    var token = HistoryToken()
    try translating {
      for store in sqliteStores {
        token.cursors[store.identifier] = try store.pool.read { db in
          try Dictionary(uniqueKeysWithValues: tables(of: store).map { ($0, try Self.log($0, db).cursor(in: db)) })
        }
      }
    }
    return token
  }

  /// Returns the objects written since a token, by contexts of any stack and by other programs. Each store is read from
  /// one snapshot.
  /// - Throws: `noHistory` before ``enableHistoryTracking()``, `store`.
  public func history(since token: HistoryToken) throws(ObjectGraphError) -> ObjectHistory {
    var changes = ObjectChanges()
    var next = HistoryToken()
    var isLost = false
    try translating {
      for store in sqliteStores {
        let known = token.cursors[store.identifier] ?? [:]
        try store.pool.read { db in
          var reading = HistoryReading(store: store, entities: entities(of: store), db: db)
          for table in tables(of: store) {
            let log = try Self.log(table, db)
            next.cursors[store.identifier, default: [:]][table] = try log.cursor(in: db)
            guard let cursor = known[table],
              case .rows(let inserted, let updated, let deleted, _) =
                try log.changes(since: cursor, in: db)
            else {
              isLost = true
              continue
            }
            reading.add(log, inserted: inserted, updated: updated, deleted: deleted)
          }
          if !isLost { try reading.finish(&changes) }
        }
      }
    }
    return isLost ? .lost(next: next) : .changes(changes, next: next)
  }

  // MARK: -

  private var sqliteStores: [SQLiteStore] { stores.compactMap { $0 as? SQLiteStore } }

  private static func log(_ table: String, _ db: Database) throws -> ChangeLogReader {
    guard let log = try ChangeLogReader(ChangeTracking(table: table), in: db) else { throw ObjectGraphError.noHistory }
    return log
  }

  private func entities(of store: SQLiteStore) -> [Entity] {
    model.entities.filter { self.store(of: $0) === store }
  }

  /// Returns the tables of a store's entities and of their many-to-many relationships, each once.
  private func tables(of store: SQLiteStore) -> [String] {
    var tables: Set<String> = []
    for entity in entities(of: store) {
      tables.insert(entity.table)
      for relationship in entity.relationships {
        if case .join(let join) = relationship.storage { tables.insert(join.table) }
      }
    }
    return tables.sorted()
  }
}

/// Turns the written rows of one store into the ids of objects.
private struct HistoryReading {
  let store: SQLiteStore
  /// The entities that the store keeps.
  let entities: [Entity]
  let db: Database
  private var inserted: [Entity: Set<Int64>] = [:]
  private var updated: [Entity: Set<Int64>] = [:]
  private var deleted: [Entity: Set<Int64>] = [:]

  init(store: SQLiteStore, entities: [Entity], db: Database) {
    self.store = store
    self.entities = entities
    self.db = db
  }

  mutating func add(
    _ log: ChangeLogReader, inserted newRows: Set<RowKey>, updated changedRows: Set<RowKey>,
    deleted deletedRows: Set<RowKey>
  ) {
    let table = log.tracking.table
    for root in entities where root.parent == nil && root.table == table {
      inserted[root, default: []].formUnion(newRows.compactMap(\.integer))
      updated[root, default: []].formUnion(changedRows.compactMap(\.integer))
      deleted[root, default: []].formUnion(deletedRows.compactMap(\.integer))
    }
    // A row of a join table counts as a change to the objects at both ends.
    for relationship in entities.flatMap(\.relationships) {
      guard case .join(let join) = relationship.storage, join.table == table,
        let column = log.key.columns.firstIndex(where: { $0.name == join.ownColumn })
      else { continue }
      for key in newRows.union(changedRows).union(deletedRows) {
        if case .int64(let number) = key.values[column].storage {
          updated[relationship.entity.root, default: []].insert(number)
        }
      }
    }
  }

  func finish(_ changes: inout ObjectChanges) throws {
    let reader = SQLiteReader(db: db, schema: store.schema)
    for root in entities where root.parent == nil {
      let (new, deleted) = (inserted[root] ?? [], self.deleted[root] ?? [])
      let changed = (updated[root] ?? []).subtracting(new).subtracting(deleted)
      for row in try reader.rows(Array(new.union(changed)), of: root) {
        let id = ObjectID(store: store.identifier, entity: row.entity.name, key: .permanent(row.number))
        if new.contains(row.number) { changes.inserted.insert(id) } else { changes.updated.insert(id) }
      }
      let family = root.concreteFamily(includingChildren: true)
      for number in deleted {
        changes.deleted.insert(
          DeletedObject(
            candidates: family.map { ObjectID(store: store.identifier, entity: $0.name, key: .permanent(number)) }))
      }
    }
  }
}
