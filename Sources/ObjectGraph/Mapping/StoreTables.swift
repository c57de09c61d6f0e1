/// Names of the tables and columns of a SQLite store: those that the model gives to tables of the library's own, or those of
/// a mapping. All SQL of requests, rows and writes takes its names from here.
struct StoreTables: Sendable {
  /// The tables that the library makes.
  static let generated = StoreTables(mapped: nil)

  /// The table of a family.
  struct Table: Sendable {
    var name: String
    var id: String
    var type: String?
    /// The entity of every row, where no column says it.
    var entity: String
    var version: String?
    var deletion: RowDeletion
  }

  /// What a mapping says of one entity, properties of the parent first.
  struct MappedEntity: Sendable {
    var table: Table
    var attributes: [MappedColumn]
    var relationships: [RelationshipStorage]
  }

  /// By the index of the entity.
  private let mapped: [Int: MappedEntity]?

  init(mapped: [Int: MappedEntity]?) { self.mapped = mapped }

  var isMapped: Bool { mapped != nil }

  // MARK: - Names

  func table(_ entity: Entity) -> Table {
    mapped?[entity.index]?.table
      ?? Table(
        name: entity.table, id: Entity.idColumn, type: Entity.typeColumn, entity: entity.name,
        version: Entity.versionColumn, deletion: .removed)
  }

  func column(_ attribute: Attribute) -> MappedColumn {
    mapped?[attribute.entity.index]?.attributes[attribute.index] ?? MappedColumn(attribute.column)
  }

  func storage(_ relationship: Relationship) -> RelationshipStorage {
    mapped?[relationship.entity.index]?.relationships[relationship.index] ?? relationship.storage
  }

  /// The column of a to-one that is written; nil for one that follows from the id.
  func writtenColumn(_ relationship: Relationship) -> String? {
    guard case .column(let column) = storage(relationship), column != table(relationship.entity).id else { return nil }
    return column
  }

  /// The column that is not NULL in rows of deleted objects; nil where a deletion removes the row.
  func mark(of entity: Entity) -> String? {
    if case .marked(let column, also: _, isSparse: _, value: _) = table(entity).deletion { column } else { nil }
  }

  /// The to-one that leads to the object with whose mark rows of the entity go and come back.
  func keeper(of entity: Entity) -> Relationship? {
    guard case .withOwner(let name) = table(entity).deletion, let owner = entity.relationship(named: name),
      mark(of: owner.destination) != nil
    else { return nil }
    return owner
  }

  /// The to-one that leads to the object whose number a new object gets; nil where objects have numbers of their own.
  func sharedKey(of entity: Entity) -> Relationship? {
    guard case .withOwner(let name) = table(entity).deletion, let owner = entity.relationship(named: name),
      isShared(owner)
    else { return nil }
    return owner
  }

  /// Whether a to-one is kept in the id of the table.
  func isShared(_ relationship: Relationship) -> Bool {
    storage(relationship) == .column(table(relationship.entity).id)
  }

  // MARK: - SQL

  /// The table under an alias, for a FROM.
  func source(_ entity: Entity, as alias: String) -> String { "\(table(entity).name.sqlIdentifier) AS \(alias)" }

  func id(_ entity: Entity, of alias: String) -> String { "\(alias).\(table(entity).id.sqlIdentifier)" }

  /// The name of the row's own entity.
  func type(_ entity: Entity, of alias: String) -> String {
    let table = table(entity)
    return table.type.map { "\(alias).\($0.sqlIdentifier)" } ?? table.entity.sqlLiteral
  }

  func version(_ entity: Entity, of alias: String) -> String {
    table(entity).version.map { "\(alias).\($0.sqlIdentifier)" } ?? "0"
  }

  func value(_ attribute: Attribute, of alias: String) -> String {
    let column = column(attribute)
    return column.form.sql(reading: "\(alias).\(column.column.sqlIdentifier)")
  }

  /// The condition that the row is that of an object that exists; nil where all are.
  /// - Parameter relationship: the to-many of an existing object by which the row was come by, if it was.
  func existence(_ entity: Entity, of alias: String, by relationship: Relationship? = nil) -> String? {
    switch table(entity).deletion {
    case .removed: return nil
    case .marked(let column, also: _, isSparse: _, value: _): return "\(alias).\(column.sqlIdentifier) IS NULL"
    case .withOwner(let name):
      guard let owner = entity.root.relationship(named: name), case .column(let column) = storage(owner) else {
        return nil
      }
      if relationship?.inverse.name == name { return nil }
      let other = "\(alias)_owner"
      let conditions =
        ["\(id(owner.destination, of: other)) = \(alias).\(column.sqlIdentifier)"]
        + [existence(owner.destination, of: other)].compactMap(\.self)
      return "EXISTS (SELECT 1 FROM \(source(owner.destination, as: other)) WHERE \(conditions.and))"
    }
  }

  /// The condition that the row is that of a deleted object.
  func deletion(_ entity: Entity, of alias: String) -> String {
    switch table(entity).deletion {
    case .removed: "0"
    case .marked(let column, also: _, isSparse: _, value: _): "\(alias).\(column.sqlIdentifier) IS NOT NULL"
    case .withOwner:
      ownerColumn(of: entity).flatMap { owner, column in
        markedIDs(of: owner).map { "\(alias).\(column.sqlIdentifier) IN \($0)" }
      } ?? "0"
    }
  }

  // MARK: - Whole tables

  /// The condition that a row exists, for reading a whole table in its own order; nil where ``existence(_:of:by:)`` does.
  func wholeExistence(_ entity: Entity, of alias: String) -> String? {
    switch table(entity).deletion {
    case .removed, .marked(column: _, also: _, isSparse: false, value: _): nil
    // With the sign SQLite takes no index of rows without a mark, and fetches no row from elsewhere.
    case .marked(let column, also: _, isSparse: true, value: _): "+\(alias).\(column.sqlIdentifier) IS NULL"
    case .withOwner:
      ownerColumn(of: entity).flatMap { owner, column in unmarked("\(alias).\(column.sqlIdentifier)", of: owner) }
    }
  }

  /// The condition that a number is not that of a marked row; nil where that is no quicker than to look at the row.
  func unmarked(_ number: String, of entity: Entity) -> String? {
    guard case .marked(column: _, also: _, isSparse: true, value: _) = table(entity).deletion else { return nil }
    return markedIDs(of: entity).map { "\(number) NOT IN \($0)" }
  }

  private func markedIDs(of entity: Entity) -> String? {
    mark(of: entity).map {
      "(SELECT \(id(entity, of: "m")) FROM \(source(entity, as: "m")) WHERE m.\($0.sqlIdentifier) IS NOT NULL)"
    }
  }

  /// The entity with whose objects those of the entity go and come back, and the column that leads there.
  private func ownerColumn(of entity: Entity) -> (Entity, String)? {
    guard case .withOwner(let name) = table(entity).deletion, let owner = entity.root.relationship(named: name),
      case .column(let column) = storage(owner)
    else { return nil }
    return (owner.destination, column)
  }
}

extension [String] {
  /// Conditions that all hold.
  var and: String { joined(separator: " AND ") }
}
