import GRDB

/// The statements that write the rows of one transaction. Rows with the same columns share a statement, whose SQL is
/// made once.
final class RowStatements {
  private struct Insertion {
    var statement: Statement
    var hasType: Bool
    var hasVersion: Bool
    var attributes: [(index: Int, form: MappedColumn.Form)]
    var relationships: [Int]
    var isUnmarked: Bool
  }

  /// What an update writes, by indexes.
  private struct Change: Hashable {
    var entity: Int
    var attributes: [Int]
    var relationships: [Int]
  }

  /// The statement is nil if the change affects no column of the row.
  private struct Update {
    var statement: Statement?
    var hasVersion: Bool
    var forms: [MappedColumn.Form]
    /// The indexes of the written references.
    var relationships: [Int]
  }

  private let db: Database
  private let tables: StoreTables
  private var insertions: [Int: Insertion] = [:]
  private var updates: [Change: Update] = [:]

  init(_ db: Database, _ tables: StoreTables) {
    self.db = db
    self.tables = tables
  }

  // MARK: - Insertions

  func insert(_ row: StoreChanges.Insertion) throws {
    let plan = try insertion(row.entity)
    var values = [row.number.databaseValue]
    if plan.hasType { values.append(row.entity.name.databaseValue) }
    if plan.hasVersion { values.append(row.version.databaseValue) }
    for (index, form) in plan.attributes { values.append(try form.databaseValue(row.values[index])) }
    for index in plan.relationships { values.append(row.references[index].databaseValue) }
    if plan.isUnmarked { values.append(.null) }
    try plan.statement.execute(arguments: StatementArguments(values))
  }

  private func insertion(_ entity: Entity) throws -> Insertion {
    if let known = insertions[entity.index] { return known }
    let table = tables.table(entity)
    let attributes = entity.attributes.filter { !$0.description.isTransient }
    let relationships = entity.relationships.filter { tables.writtenColumn($0) != nil }
    var columns = [table.id, table.type, table.version].compactMap(\.self)
    columns += attributes.map { tables.column($0).column } + relationships.compactMap(tables.writtenColumn)
    var (conflict, isUnmarked) = ("", false)
    // Inserting an object whose marked row is still there restores the row.
    switch table.deletion {
    case .removed: break
    case .marked(let column, also: _, isSparse: _, value: _):
      columns.append(column)
      isUnmarked = true
      fallthrough
    case .withOwner:
      let assignments = columns.dropFirst().map { "\($0.sqlIdentifier) = excluded.\($0.sqlIdentifier)" }
      conflict = " ON CONFLICT (\(table.id.sqlIdentifier)) DO UPDATE SET \(assignments.joined(separator: ", "))"
    }
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO \(table.name.sqlIdentifier) (\(columns.map(\.sqlIdentifier).joined(separator: ", "))) \
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))\(conflict)
        """)
    let made = Insertion(
      statement: statement, hasType: table.type != nil, hasVersion: table.version != nil,
      attributes: attributes.map { ($0.index, tables.column($0).form) }, relationships: relationships.map(\.index),
      isUnmarked: isUnmarked)
    insertions[entity.index] = made
    return made
  }

  // MARK: - Updates

  func update(_ row: StoreChanges.Update) throws {
    let plan = try update(of: row)
    guard let statement = plan.statement else { return }
    var values: [DatabaseValue] = plan.hasVersion ? [row.version.databaseValue] : []
    for (form, (_, value)) in zip(plan.forms, row.values) { values.append(try form.databaseValue(value)) }
    for index in plan.relationships { values.append(row.references[index].number.databaseValue) }
    values.append(row.number.databaseValue)
    try statement.execute(arguments: StatementArguments(values))
  }

  private func update(of row: StoreChanges.Update) throws -> Update {
    let change = Change(
      entity: row.entity.index, attributes: row.values.map(\.attribute.index),
      relationships: row.references.map(\.relationship.index))
    if let known = updates[change] { return known }
    let table = tables.table(row.entity)
    let attributes = row.values.map { tables.column($0.attribute) }
    let relationships = row.references.indices.filter { tables.writtenColumn(row.references[$0].relationship) != nil }
    let columns =
      [table.version].compactMap(\.self) + attributes.map(\.column)
      + relationships.compactMap { tables.writtenColumn(row.references[$0].relationship) }
    var statement: Statement?
    if !columns.isEmpty {
      let assignments = columns.map { "\($0.sqlIdentifier) = ?" }.joined(separator: ", ")
      statement = try db.cachedStatement(
        sql: "UPDATE \(table.name.sqlIdentifier) SET \(assignments) WHERE \(table.id.sqlIdentifier) = ?")
    }
    let made = Update(
      statement: statement, hasVersion: table.version != nil, forms: attributes.map(\.form),
      relationships: relationships)
    updates[change] = made
    return made
  }
}
