import GRDB

/// Writes the pending work of a context inside one transaction.
final class GraphWriter {
  private let db: Database
  private let model: ObjectModel
  private let work: PendingWork
  private let moment: String
  private let canonical: (ObjectID) -> ObjectID
  private var result = CommitResult()
  /// Links of inserted rows to objects whose rows are inserted after them.
  private var openLinks: [(object: ManagedObject, place: Int, column: String)] = []
  private var lastPlaceholder: Int64 = 0

  init(
    db: Database, model: ObjectModel, work: PendingWork, moment: String, canonical: @escaping (ObjectID) -> ObjectID
  ) {
    self.db = db
    self.model = model
    self.work = work
    self.moment = moment
    self.canonical = canonical
  }

  /// Checks the versions and writes.
  /// - Throws: `StaleObjects` when somebody else saved one of the roots since it was read.
  func write() throws -> CommitResult {
    try checkVersions()
    // The order of rows inside the transaction is free; SQLite checks the references at its end.
    try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
    try releaseLinks()
    for object in work.objects.reversed() where object.pending == .deletion { try delete(object) }
    for object in work.objects where object.pending == .insertion { try insert(object) }
    try closeLinks()
    for object in work.objects where object.pending == .update && object.entity.bookkeeping == nil {
      try update(object)
    }
    // Also of what was deleted and can come back.
    for object in work.objects where object.isLive || object.entity.bookkeeping?.deleted != nil {
      try writePairs(object)
      try writeExternals(object)
    }
    for root in work.roots where root.pending == .update || root.pending == .nothing { try touch(root) }
    try readVersions()
    result.moment = moment
    return result
  }

  // MARK: - Versions

  private func checkVersions() throws {
    var stale: [ObjectID] = []
    for root in work.roots {
      guard let row = root.objectID.row, let keeping = root.entity.bookkeeping else { continue }
      let deleted = keeping.deleted ?? "NULL"
      let found = try Row.fetchOne(
        db, sql: "SELECT \(keeping.version), \(deleted) IS NOT NULL FROM \(root.entity.table) WHERE id = ?",
        arguments: [row])
      if let found {
        let isGone: Bool = found[1]
        if found[0] as Int != root.version || isGone == root.exists { stale.append(root.objectID) }
      } else if root.exists {
        stale.append(root.objectID)
      }
    }
    guard stale.isEmpty else { throw StaleObjects(ids: stale) }
  }

  // MARK: - Rows

  private func insert(_ object: ManagedObject) throws {
    let entity = object.entity
    var columns = entity.attributes.map(\.column)
    var values = object.values
    for (place, relationship) in entity.relationships.enumerated() {
      guard case .column(let column) = relationship.storage else { continue }
      columns.append(column)
      values.append(link(of: object, place))
      if object.links[place] != nil, row(of: object.links[place]) == nil { openLinks.append((object, place, column)) }
    }
    for (column, value) in work.derived[object.objectID] ?? [] {
      columns.append(column)
      values.append(value)
    }
    if let row = object.objectID.row {
      if try bringBack(object, row, columns, values) { return }
      columns.append("id")
      values.append(row.databaseValue)
    }
    if let keeping = entity.bookkeeping {
      columns.append(keeping.version)
      values.append((object.version + 1).databaseValue)
      if let created = keeping.created {
        columns.append(created)
        // A row that somebody removed is made again.
        values.append((object.created.isEmpty ? moment : object.created).databaseValue)
      }
      if let modified = keeping.modified {
        columns.append(modified)
        values.append(moment.databaseValue)
      }
    }
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    try db.cachedStatement(
      sql: "INSERT INTO \(entity.table) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    ).execute(arguments: StatementArguments(values))
    if object.objectID.row == nil {
      result.rows[object.objectID] = ObjectID(entity: entity.name, row: db.lastInsertedRowID)
    }
  }

  /// The row that a link leads to, or what stands in for one that has no row yet.
  private func link(of object: ManagedObject, _ place: Int) -> DatabaseValue {
    if let row = row(of: object.links[place]) { return row.databaseValue }
    return object.links[place] == nil ? .null : placeholder(for: object.entity.relationships[place])
  }

  private func placeholder(for relationship: RelationshipDescription) -> DatabaseValue {
    if relationship.isOptional { return .null }
    // The column may not be NULL and perhaps must be unique; SQLite checks the reference when the transaction ends.
    lastPlaceholder -= 1
    return lastPlaceholder.databaseValue
  }

  /// Writes the links that had to wait for the row that they lead to.
  private func closeLinks() throws {
    for (object, place, column) in openLinks {
      guard let row = row(of: object.objectID), let target = self.row(of: object.links[place]) else { continue }
      try db.cachedStatement(sql: "UPDATE \(object.entity.table) SET \(column) = ? WHERE id = ?")
        .execute(arguments: [target, row])
    }
  }

  /// Takes links away that would be in the way of other rows, until they are written: those to deleted objects, or the
  /// database's own rules might delete what leads to them, and those of one-to-one relationships, which may be unique.
  private func releaseLinks() throws {
    let deleted = Set(
      work.objects.filter { $0.pending == .deletion && $0.entity.bookkeeping?.deleted == nil }.map(\.objectID))
    for object in work.objects where object.pending == .update {
      for (place, relationship) in object.entity.relationships.enumerated() {
        guard case .column(let column) = relationship.storage, let row = object.objectID.row,
          let before = object.committedLinks[place].map(canonical), object.links[place].map(canonical) != before,
          deleted.contains(before) || model.inverse(of: relationship)?.0.isToOne == true
        else { continue }
        try db.cachedStatement(sql: "UPDATE \(object.entity.table) SET \(column) = ? WHERE id = ?")
          .execute(arguments: [placeholder(for: relationship), row.databaseValue])
      }
    }
  }

  /// Undoes the deletion of a row that is still there.
  private func bringBack(
    _ object: ManagedObject, _ row: Int64, _ columns: [String], _ values: [DatabaseValue]
  ) throws -> Bool {
    guard let keeping = object.entity.bookkeeping, let deleted = keeping.deleted else { return false }
    var sets = columns.map { "\($0) = ?" } + ["\(keeping.version) = \(keeping.version) + 1", "\(deleted) = NULL"]
    var values = values
    if let modified = keeping.modified {
      sets.append("\(modified) = ?")
      values.append(moment.databaseValue)
    }
    try db.cachedStatement(
      sql: "UPDATE \(object.entity.table) SET \(sets.joined(separator: ", ")) WHERE id = ?"
    ).execute(arguments: StatementArguments(values + [row.databaseValue]))
    return db.changesCount > 0
  }

  /// Writes what changed in the row of an object that keeps no version.
  private func update(_ object: ManagedObject) throws {
    let (sets, values) = changedColumns(of: object)
    try write(sets, values, to: object)
  }

  private func changedColumns(of object: ManagedObject) -> (sets: [String], values: [DatabaseValue]) {
    let entity = object.entity
    var sets: [String] = []
    var values: [DatabaseValue] = []
    for (place, attribute) in entity.attributes.enumerated()
    where object.values[place] != object.committedValues[place] {
      sets.append("\(attribute.column) = ?")
      values.append(object.values[place])
    }
    for (place, relationship) in entity.relationships.enumerated() {
      guard case .column(let column) = relationship.storage, object.links[place] != object.committedLinks[place] else {
        continue
      }
      sets.append("\(column) = ?")
      values.append(row(of: object.links[place]).databaseValue)
    }
    return (sets, values)
  }

  /// - Throws: `StaleObjects` when the row is gone: what would be written must not be lost behind "saved".
  private func write(_ sets: [String], _ values: [DatabaseValue], to object: ManagedObject) throws {
    guard !sets.isEmpty, let row = object.objectID.row else { return }
    try db.cachedStatement(
      sql: "UPDATE \(object.entity.table) SET \(sets.joined(separator: ", ")) WHERE id = ?"
    ).execute(arguments: StatementArguments(values + [row.databaseValue]))
    guard db.changesCount > 0 else { throw StaleObjects(ids: [root(of: object)]) }
  }

  /// The object that conflicts are described for: the whole that a part belongs to.
  private func root(of object: ManagedObject) -> ObjectID {
    guard let owner = object.entity.owner else { return object.objectID }
    let place = object.entity.place(ofRelationship: owner)
    return (object.committedLinks[place] ?? object.links[place]).map(canonical) ?? object.objectID
  }

  private func delete(_ object: ManagedObject) throws {
    guard let row = object.objectID.row else { return }
    let table = object.entity.table
    guard let keeping = object.entity.bookkeeping, let deleted = keeping.deleted else {
      try db.execute(sql: "DELETE FROM \(table) WHERE id = ?", arguments: [row])
      return
    }
    var sets = ["\(deleted) = ?", "\(keeping.version) = \(keeping.version) + 1"]
    var values = [moment.databaseValue]
    if let modified = keeping.modified {
      sets.append("\(modified) = ?")
      values.append(moment.databaseValue)
    }
    try db.execute(
      sql: "UPDATE \(table) SET \(sets.joined(separator: ", ")) WHERE id = ?",
      arguments: StatementArguments(values + [row.databaseValue]))
  }

  /// Writes what changed in the row of an object that keeps a version, raises the version, also where only a part changed,
  /// and writes what follows from them: one update, and so one line of the change log.
  private func touch(_ root: ManagedObject) throws {
    guard let keeping = root.entity.bookkeeping, root.isLive else { return }
    var (sets, values) = changedColumns(of: root)
    sets.append("\(keeping.version) = \(keeping.version) + 1")
    if let modified = keeping.modified {
      sets.append("\(modified) = ?")
      values.append(moment.databaseValue)
    }
    for (column, value) in work.derived[root.objectID] ?? [] {
      sets.append("\(column) = ?")
      values.append(value)
    }
    try write(sets, values, to: root)
  }

  /// A trigger may have raised a version once more, such as that of the members of a group that was renamed.
  private func readVersions() throws {
    for root in work.roots {
      guard let keeping = root.entity.bookkeeping, let row = row(of: root.objectID) else { continue }
      let version = try Int.fetchOne(
        db.cachedStatement(sql: "SELECT \(keeping.version) FROM \(root.entity.table) WHERE id = ?"), arguments: [row])
      if let version { result.versions[root.objectID] = version }
    }
  }

  // MARK: - Pairs and external values

  private func writePairs(_ object: ManagedObject) throws {
    for (place, relationship) in object.entity.relationships.enumerated() {
      guard case .join(let table, let own, let otherColumn) = relationship.storage, let list = object.lists[place],
        let row = row(of: object.objectID)
      else { continue }
      let (now, before) = (Set(list.ids.map(canonical)), Set(list.committed.map(canonical)))
      for id in before.subtracting(now) {
        try db.execute(
          sql: "DELETE FROM \(table) WHERE \(own) = ? AND \(otherColumn) = ?", arguments: [row, self.row(of: id)])
      }
      for id in now.subtracting(before) {
        guard let other = self.row(of: id) else { continue }
        // Both ends may know of the pair.
        try db.execute(
          sql: "INSERT INTO \(table) (\(own), \(otherColumn)) VALUES (?, ?) ON CONFLICT DO NOTHING",
          arguments: [row, other])
      }
    }
  }

  private func writeExternals(_ object: ManagedObject) throws {
    for (attribute, external) in zip(object.entity.externals, object.externals) {
      guard let external, external.isChanged, let row = row(of: object.objectID) else { continue }
      try db.execute(sql: "DELETE FROM \(attribute.table) WHERE \(attribute.key) = ?", arguments: [row])
      guard let value = external.value else { continue }
      let columns = ([attribute.key] + attribute.columns).joined(separator: ", ")
      let marks = Array(repeating: "?", count: attribute.columns.count + 1).joined(separator: ", ")
      try db.execute(
        sql: "INSERT INTO \(attribute.table) (\(columns)) VALUES (\(marks))",
        arguments: StatementArguments([row.databaseValue] + value))
    }
  }

  private func row(of id: ObjectID?) -> Int64? {
    guard let id = id.map(canonical) else { return nil }
    return id.row ?? result.rows[id]?.row
  }
}

/// Objects that somebody else saved since they were read.
struct StaleObjects: Error {
  let ids: [ObjectID]
}
