import GRDB

/// The statements that remove or mark the rows that one save deletes.
struct RowDeletions {
  private let tables: StoreTables
  private let deletions: [StoreChanges.Deletion]

  init(_ changes: StoreChanges, _ tables: StoreTables) {
    self.tables = tables
    deletions = changes.deletions
  }

  func statements() throws -> [(sql: String, arguments: [DatabaseValue])] { try deletions.map(statement) }

  private func statement(_ deletion: StoreChanges.Deletion) throws -> (sql: String, arguments: [DatabaseValue]) {
    let table = tables.table(deletion.entity)
    guard case .marked(let column, let also, isSparse: _, let value) = table.deletion else {
      return (
        "DELETE FROM \(table.name.sqlIdentifier) WHERE \(table.id.sqlIdentifier) = ?", [deletion.number.databaseValue]
      )
    }
    let mark = value()
    // Without a mark the object would reappear.
    guard !mark.isNull else { throw StoreFailure(reason: .other, description: "a deletion without a mark") }
    let version = table.version.map { ", \($0.sqlIdentifier) = \($0.sqlIdentifier) + 1" } ?? ""
    let columns = ([column] + also).map { "\($0.sqlIdentifier) = ?1" }.joined(separator: ", ")
    return (
      "UPDATE \(table.name.sqlIdentifier) SET \(columns)\(version) WHERE \(table.id.sqlIdentifier) = ?2",
      [mark.databaseValue, deletion.number.databaseValue]
    )
  }
}
