import GRDB

/// Updates that run before the rest of a save into mapped tables. With each statement, SQLite checks UNIQUE and follows
/// ON DELETE CASCADE, so links that would briefly violate UNIQUE, or that may point to rows that the save deletes, are
/// changed first.
struct LinkReleases {
  private let changes: StoreChanges
  private let tables: StoreTables

  init(_ changes: StoreChanges, _ tables: StoreTables) {
    self.changes = changes
    self.tables = tables
  }

  /// Returns the updates; none for the library's own tables, which have no such constraints.
  func statements() -> [(sql: String, arguments: [DatabaseValue])] {
    guard tables.isMapped else { return [] }
    let removed = Set(changes.deletions.filter { tables.mark(of: $0.entity) == nil }.map(\.entity.root.index))
    let writers = writers()
    return changes.updates.flatMap { update in
      update.references.compactMap { relationship, number -> (sql: String, arguments: [DatabaseValue])? in
        guard let column = tables.writtenColumn(relationship) else { return nil }
        let isContested = !relationship.inverse.isToMany && writers[Column(relationship, column), default: 0] > 1
        guard isContested || removed.contains(relationship.destination.root.index) else { return nil }
        let table = tables.table(update.entity)
        return (
          """
          UPDATE \(table.name.sqlIdentifier) SET \(column.sqlIdentifier) = ? WHERE \(table.id.sqlIdentifier) = ?
          """, [release(update, relationship, number).databaseValue, update.number.databaseValue]
        )
      }
    }
  }

  /// Returns the value of the column until the final one is written: the final value itself if it is NULL or the
  /// inverse is to-many, otherwise NULL, or a negative number that no object has if the link is required.
  private func release(_ update: StoreChanges.Update, _ relationship: Relationship, _ number: Int64?) -> Int64? {
    if relationship.inverse.isToMany || number == nil { return number }
    return relationship.description.isOptional ? nil : -update.number
  }

  /// Returns, for each column, how many rows of the save set or clear a link in it.
  private func writers() -> [Column: Int] {
    var writers: [Column: Int] = [:]
    func note(_ relationship: Relationship) {
      if let column = tables.writtenColumn(relationship) { writers[Column(relationship, column), default: 0] += 1 }
    }
    for update in changes.updates { for (relationship, _) in update.references { note(relationship) } }
    for insertion in changes.insertions {
      for relationship in insertion.entity.relationships where insertion.references[relationship.index] != nil {
        note(relationship)
      }
    }
    return writers
  }

  private struct Column: Hashable {
    let family: Int
    let name: String

    init(_ relationship: Relationship, _ name: String) {
      family = relationship.entity.root.index
      self.name = name
    }
  }
}
