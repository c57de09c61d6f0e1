/// Names of the tables and columns of a SQLite store, generated from the model or given by a mapping.
struct StoreTables: Sendable {
  /// The names of the library's own tables.
  static let generated = StoreTables(mapped: nil)

  /// The table of a family.
  struct Table: Sendable {
    var name: String
    var id: String
    var type: String?
    /// The entity of every row, if no column holds it.
    var entity: String
    var version: String?
    var deletion: RowDeletion
  }

  /// The mapping of one entity, with the properties of its parent first.
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

  func column(_ attribute: EntityAttribute) -> MappedColumn {
    mapped?[attribute.entity.index]?.attributes[attribute.index] ?? MappedColumn(attribute.column)
  }

  func storage(_ relationship: Relationship) -> RelationshipStorage {
    mapped?[relationship.entity.index]?.relationships[relationship.index] ?? relationship.storage
  }

  /// Returns the column that a relationship is written to; nil for a to-many, and for a to-one in the id column.
  func writtenColumn(_ relationship: Relationship) -> String? {
    guard case .column(let column) = storage(relationship), column != table(relationship.entity).id else { return nil }
    return column
  }

  /// Returns the column in the rows of a one-to-many that orders them; nil if they have no order.
  func positionColumn(_ relationship: Relationship) -> String? {
    if case .inverseColumn(_, let position) = storage(relationship) { position } else { nil }
  }

  /// Returns the column that is not NULL in rows of deleted objects; nil if a deletion removes the row.
  func mark(of entity: Entity) -> String? {
    if case .marked(let column, also: _, isSparse: _, value: _) = table(entity).deletion { column } else { nil }
  }

  /// Returns the to-one to the object that objects of the entity are deleted and restored with; nil if there is none.
  func ownerRelationship(of entity: Entity) -> Relationship? {
    guard case .withOwner(let name) = table(entity).deletion, let owner = entity.relationship(named: name),
      mark(of: owner.destination) != nil
    else { return nil }
    return owner
  }

  /// Returns the to-one to the object whose number a new object shares; nil if new objects get their own numbers.
  func sharedKey(of entity: Entity) -> Relationship? {
    guard case .withOwner(let name) = table(entity).deletion, let owner = entity.relationship(named: name),
      isShared(owner)
    else { return nil }
    return owner
  }

  /// Returns whether a to-one is stored in the id column of the table.
  func isShared(_ relationship: Relationship) -> Bool {
    storage(relationship) == .column(table(relationship.entity).id)
  }

  // MARK: - SQL

  /// Returns the table under an alias, for FROM.
  func source(_ entity: Entity, as alias: String) -> String { "\(table(entity).name.sqlIdentifier) AS \(alias)" }

  func id(_ entity: Entity, of alias: String) -> String { "\(alias).\(table(entity).id.sqlIdentifier)" }

  /// Returns an SQL expression for the name of the row's entity.
  func type(_ entity: Entity, of alias: String) -> String {
    let table = table(entity)
    return table.type.map { "\(alias).\($0.sqlIdentifier)" } ?? table.entity.sqlLiteral
  }

  func version(_ entity: Entity, of alias: String) -> String {
    table(entity).version.map { "\(alias).\($0.sqlIdentifier)" } ?? "0"
  }

  func value(_ attribute: EntityAttribute, of alias: String) -> String {
    let column = column(attribute)
    return column.form.sql(reading: "\(alias).\(column.column.sqlIdentifier)")
  }

  /// Returns the condition that the row belongs to an existing object; nil if all rows do.
  /// - Parameter relationship: the relationship through which the row was reached, if any. If it leads from the object
  ///   that the row is deleted and restored with, that object is not checked.
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

  /// Returns the condition that the row belongs to a deleted object.
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

  /// Returns an SQL expression for the name of the entity of the object that a to-one points to; NULL if that object
  /// does not exist.
  /// - Parameter reference: an SQL expression for the number of that object.
  func type(of reference: String, by relationship: Relationship) -> String {
    let other = relationship.destination
    // With this form SQLite opens the table once; with the other form, once per row.
    if !isMapped, other.root.family.count == 1 {
      return "CASE WHEN \(reference) IN (SELECT \(id(other, of: "r")) FROM \(source(other, as: "r")))"
        + " THEN \(other.name.sqlLiteral) END"
    }
    let conditions =
      ["\(id(other, of: "r")) = \(reference)"] + [existence(other, of: "r", by: relationship)].compactMap(\.self)
    return "(SELECT \(type(other, of: "r")) FROM \(source(other, as: "r")) WHERE \(conditions.and))"
  }

  // MARK: - Whole tables

  /// Returns the condition that the row belongs to an existing object, for reading a whole table in the order of ids;
  /// nil if ``existence(_:of:by:)`` is fast enough.
  func wholeExistence(_ entity: Entity, of alias: String) -> String? {
    switch table(entity).deletion {
    case .removed, .marked(column: _, also: _, isSparse: false, value: _): nil
    // The unary plus keeps SQLite from using an index for the condition, which would fetch rows out of order.
    case .marked(let column, also: _, isSparse: true, value: _): "+\(alias).\(column.sqlIdentifier) IS NULL"
    case .withOwner:
      ownerColumn(of: entity).flatMap { owner, column in unmarked("\(alias).\(column.sqlIdentifier)", of: owner) }
    }
  }

  /// Returns the condition that a number is not the id of a marked row; nil unless marked rows are few.
  func unmarked(_ number: String, of entity: Entity) -> String? {
    guard case .marked(column: _, also: _, isSparse: true, value: _) = table(entity).deletion else { return nil }
    return markedIDs(of: entity).map { "\(number) NOT IN \($0)" }
  }

  private func markedIDs(of entity: Entity) -> String? {
    mark(of: entity).map {
      "(SELECT \(id(entity, of: "m")) FROM \(source(entity, as: "m")) WHERE m.\($0.sqlIdentifier) IS NOT NULL)"
    }
  }

  /// Returns the entity of the objects that this entity's objects are deleted and restored with, and the column that
  /// points to them.
  private func ownerColumn(of entity: Entity) -> (Entity, String)? {
    guard case .withOwner(let name) = table(entity).deletion, let owner = entity.root.relationship(named: name),
      case .column(let column) = storage(owner)
    else { return nil }
    return (owner.destination, column)
  }
}

extension [String] {
  /// The conjunction of the conditions.
  var and: String { joined(separator: " AND ") }
}
