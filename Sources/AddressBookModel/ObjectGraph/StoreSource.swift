import GRDB

/// Reads objects from the store and saves them there.
final class StoreSource: ObjectSource {
  let store: Store
  let model: ObjectModel
  private let now: @Sendable () -> String
  private let waiting: Store.Waiting
  private var selections: [String: String] = [:]

  /// - Parameter waiting: how long a save waits for other writers.
  init(
    store: Store, model: ObjectModel, waiting: Store.Waiting = .usual,
    now: @escaping @Sendable () -> String = Timestamp.now
  ) {
    self.store = store
    self.model = model
    self.waiting = waiting
    self.now = now
  }

  func canonical(_ id: ObjectID) -> ObjectID { id }

  // MARK: - Reading

  func snapshots(
    of entity: EntityDescription, _ ids: [ObjectID], deleted: Bool
  ) throws(StoreError) -> [ObjectID: Snapshot] {
    let rows = ids.compactMap(\.row)
    guard !rows.isEmpty else { return [:] }
    var condition = "id IN (SELECT value FROM json_each(?))"
    if !deleted, let column = entity.bookkeeping?.deleted { condition += " AND \(column) IS NULL" }
    let sql = "\(selection(entity)) WHERE \(condition)"
    return try store.read { db in
      var found: [ObjectID: Snapshot] = [:]
      let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [ContactLoader.json(rows)])
      while let row = try cursor.next() {
        found[ObjectID(entity: entity.name, row: row[0])] = Self.snapshot(entity, row)
      }
      return found
    }
  }

  func children(
    _ relationship: RelationshipDescription, of entity: EntityDescription, owners: [ObjectID]
  ) throws(StoreError) -> [ObjectID: [(id: ObjectID, snapshot: Snapshot)]] {
    guard case .children(let column, let order) = relationship.storage else { return [:] }
    let rows = owners.compactMap(\.row)
    guard !rows.isEmpty else { return [:] }
    let child = model.entity(relationship.destination)
    guard let place = child.relationships.firstIndex(where: { $0.storage == .column(column) }) else { return [:] }
    let orderColumn = order.map { child.attributes[child.place(ofAttribute: $0)].column + ", id" } ?? "id"
    var condition = "\(column) IN (SELECT value FROM json_each(?))"
    if let deleted = child.bookkeeping?.deleted { condition += " AND \(deleted) IS NULL" }
    let sql = "\(selection(child)) WHERE \(condition) ORDER BY \(column), \(orderColumn)"
    return try store.read { db in
      var found: [ObjectID: [(id: ObjectID, snapshot: Snapshot)]] = [:]
      let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [ContactLoader.json(rows)])
      while let row = try cursor.next() {
        let snapshot = Self.snapshot(child, row)
        guard let owner = snapshot.links[place] else { continue }
        found[owner, default: []].append((ObjectID(entity: child.name, row: row[0]), snapshot))
      }
      return found
    }
  }

  func joined(
    _ relationship: RelationshipDescription, of entity: EntityDescription, owners: [ObjectID]
  ) throws(StoreError) -> [ObjectID: [ObjectID]] {
    guard case .join(let table, let own, let other) = relationship.storage else { return [:] }
    let rows = owners.compactMap(\.row)
    guard !rows.isEmpty else { return [:] }
    let destination = model.entity(relationship.destination)
    var sql = "SELECT pair.\(own), pair.\(other) FROM \(table) AS pair"
    if let deleted = destination.bookkeeping?.deleted {
      sql += " JOIN \(destination.table) AS other ON other.id = pair.\(other) AND other.\(deleted) IS NULL"
    }
    sql += " WHERE pair.\(own) IN (SELECT value FROM json_each(?)) ORDER BY pair.\(own), pair.\(other)"
    let query = sql
    return try store.read { db in
      var found: [ObjectID: [ObjectID]] = [:]
      let cursor = try Row.fetchCursor(db.cachedStatement(sql: query), arguments: [ContactLoader.json(rows)])
      while let row = try cursor.next() {
        found[ObjectID(entity: entity.name, row: row[0]), default: []]
          .append(ObjectID(entity: destination.name, row: row[1]))
      }
      return found
    }
  }

  func external(
    _ attribute: ExternalAttribute, of entity: EntityDescription, _ id: ObjectID
  ) throws(StoreError) -> [DatabaseValue]? {
    guard let row = id.row else { return nil }
    let columns = attribute.columns.joined(separator: ", ")
    return try store.read { db in
      try Row.fetchOne(
        db, sql: "SELECT \(columns) FROM \(attribute.table) WHERE \(attribute.key) = ?", arguments: [row]
      ).map { Array($0.databaseValues) }
    }
  }

  /// `SELECT` with the columns in the order that ``snapshot(_:_:)`` reads.
  private func selection(_ entity: EntityDescription) -> String {
    if let known = selections[entity.name] { return known }
    var columns = ["id"] + entity.attributes.map(\.column)
    for relationship in entity.relationships {
      if case .column(let column) = relationship.storage { columns.append(column) }
    }
    if let keeping = entity.bookkeeping {
      columns += [keeping.version, keeping.created ?? "''", keeping.modified ?? "''"]
    }
    let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(entity.table)"
    selections[entity.name] = sql
    return sql
  }

  private static func snapshot(_ entity: EntityDescription, _ row: Row) -> Snapshot {
    var next = 1
    var snapshot = Snapshot(values: [], links: [])
    snapshot.values.reserveCapacity(entity.attributes.count)
    for _ in entity.attributes {
      snapshot.values.append(row[next])
      next += 1
    }
    for relationship in entity.relationships {
      guard relationship.isToOne else {
        snapshot.links.append(nil)
        continue
      }
      let id: Int64? = row[next]
      snapshot.links.append(id.map { ObjectID(entity: relationship.destination, row: $0) })
      next += 1
    }
    if entity.bookkeeping != nil {
      snapshot.version = row[next]
      snapshot.created = row[next + 1]
      snapshot.modified = row[next + 2]
    }
    return snapshot
  }

  // MARK: - Saving

  func commit(_ work: PendingWork, of context: ObjectContext) throws(SaveError) -> CommitResult {
    let moment = now()
    do {
      return try store.transaction(raisesVersions: true, waiting: waiting) { db in
        try GraphWriter(db: db, model: model, work: work, moment: moment, canonical: context.canonical).write()
      }
    } catch let stale as StaleObjects {
      do {
        throw SaveError.conflict(try context.conflict(about: stale.ids))
      } catch let error as StoreError {
        throw .store(error)
      } catch let error as SaveError {
        throw error
      } catch {
        throw .store(store.storeError(error))
      }
    } catch {
      throw .store(store.storeError(error))
    }
  }
}
