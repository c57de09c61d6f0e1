import GRDB

/// What the deletions of one save do to rows and pairs.
struct RowDeletions {
  private struct Row: Hashable {
    let root: Entity
    let number: Int64
  }

  private let tables: StoreTables
  private var marks: [StoreChanges.Deletion] = []
  private var parts: [StoreChanges.Deletion] = []
  private var removals: [StoreChanges.Deletion] = []
  private var marked: Set<Row> = []

  init(_ changes: StoreChanges, _ tables: StoreTables) {
    self.tables = tables
    for deletion in changes.deletions {
      switch tables.table(deletion.entity).deletion {
      case .removed: removals.append(deletion)
      case .withOwner: parts.append(deletion)
      case .marked:
        marks.append(deletion)
        marked.insert(Row(root: deletion.entity.root, number: deletion.number))
      }
    }
  }

  /// What marks and removes.
  func statements() throws -> [(sql: String, arguments: [DatabaseValue])] {
    try marks.map(mark) + removals.map(remove)
  }

  /// What removes parts alone: after owners are marked, with which they stay, and after owners are back, without them.
  func partStatements() -> [(sql: String, arguments: [DatabaseValue])] { parts.map(remove) }

  /// Whether a pair stays because one of its objects is deleted and may come back with it.
  func keepsPair(_ relationship: Relationship, _ owner: Int64, _ member: Int64) -> Bool {
    !marked.isEmpty
      && (marked.contains(Row(root: relationship.entity.root, number: owner))
        || marked.contains(Row(root: relationship.destination.root, number: member)))
  }

  private func mark(_ deletion: StoreChanges.Deletion) throws -> (sql: String, arguments: [DatabaseValue]) {
    let table = tables.table(deletion.entity)
    guard case .marked(let column, let also, let value) = table.deletion else { return remove(deletion) }
    let mark = value()
    // An object without a mark would come back.
    guard !mark.isNull else { throw StoreFailure(reason: .other, description: "a deletion without a mark") }
    let version = table.version.map { ", \($0.sqlIdentifier) = \($0.sqlIdentifier) + 1" } ?? ""
    let columns = ([column] + also).map { "\($0.sqlIdentifier) = ?1" }.joined(separator: ", ")
    return (
      "UPDATE \(table.name.sqlIdentifier) SET \(columns)\(version) WHERE \(table.id.sqlIdentifier) = ?2",
      [mark.databaseValue, deletion.number.databaseValue]
    )
  }

  private func remove(_ deletion: StoreChanges.Deletion) -> (sql: String, arguments: [DatabaseValue]) {
    let entity = deletion.entity
    var conditions = ["\(tables.id(entity, of: "t")) = ?"]
    if case .withOwner(let name) = tables.table(entity).deletion, let owner = entity.root.relationship(named: name),
      case .column(let column) = tables.storage(owner), let existence = tables.existence(owner.destination, of: "o")
    {
      let link = "\(tables.id(owner.destination, of: "o")) = t.\(column.sqlIdentifier)"
      conditions.append(
        "NOT EXISTS (SELECT 1 FROM \(tables.source(owner.destination, as: "o")) WHERE \(link) AND NOT (\(existence)))")
    }
    return (
      "DELETE FROM \(tables.source(entity, as: "t")) WHERE \(conditions.and)", [deletion.number.databaseValue]
    )
  }
}
