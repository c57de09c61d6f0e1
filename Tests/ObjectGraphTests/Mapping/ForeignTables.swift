import GRDB

@testable import ObjectGraph

/// Existing tables for the objects of a model, and the mapping onto them. Most names need quotes in SQL.
struct ForeignTables {
  /// What the tables have besides the values.
  enum Style {
    /// Versions; a deletion removes the row.
    case versions
    /// No versions, dates as text; a deletion marks the row.
    case marks
  }

  private let model: ObjectModel
  private let style: Style

  init(_ model: ObjectModel, _ style: Style) {
    self.model = model
    self.style = style
  }

  var mapping: StoreMapping {
    var entities: [String: EntityMapping] = [:]
    for root in roots {
      var mapping = EntityMapping(table(root), id: "row \"id\"")
      if root.concreteFamily(includingChildren: true).count > 1 { mapping.type = "which 'one'" }
      switch style {
      case .versions: mapping.version = "saves"
      case .marks: mapping.deletion = .marked(column: "gone at", value: { "now" })
      }
      mapping.properties = properties(root)
      for child in root.family.dropFirst() { mapping.children[child.name] = properties(child) }
      entities[root.name] = mapping
    }
    return StoreMapping(entities)
  }

  var statements: [String] {
    roots.map { root in
      var columns = ["\"row \"\"id\"\"\" INTEGER PRIMARY KEY AUTOINCREMENT"]
      if root.concreteFamily(includingChildren: true).count > 1 { columns.append("\"which 'one'\" TEXT NOT NULL") }
      columns.append(style == .versions ? "saves INTEGER NOT NULL" : "\"gone at\" TEXT")
      for entity in root.family {
        for attribute in entity.attributes.dropFirst(entity.parent?.attributes.count ?? 0)
        where !attribute.description.isTransient {
          columns.append("\(column(attribute, of: entity).column.sqlIdentifier)")
        }
        for relationship in entity.relationships.dropFirst(entity.parent?.relationships.count ?? 0) {
          guard case .column(let column) = storage(relationship) else { continue }
          columns.append("\(column.sqlIdentifier) INTEGER")
          if case .inverseColumn(_, let position?) = storage(relationship.inverse) {
            columns.append("\(position.sqlIdentifier) INTEGER")
          }
        }
      }
      return "CREATE TABLE \(table(root).sqlIdentifier) (\(columns.joined(separator: ", ")))"
    } + joins
  }

  private var joins: [String] {
    var made: Set<String> = []
    return roots.flatMap(\.family).flatMap(\.relationships).compactMap { relationship in
      guard case .join(let join) = storage(relationship), made.insert(join.table).inserted,
        case .join(let inverse) = storage(relationship.inverse)
      else { return nil }
      let positions = Set([join.position, inverse.position].compactMap(\.self)).map { ", \($0.sqlIdentifier) INTEGER" }
      let (own, other) = (join.ownColumn.sqlIdentifier, join.otherColumn.sqlIdentifier)
      return """
        CREATE TABLE \(join.table.sqlIdentifier) (\(own) INTEGER, \(other) INTEGER\(positions.sorted().joined()), \
        PRIMARY KEY (\(own), \(other)))
        """
    }
  }

  // MARK: - Names

  private var roots: [Entity] { model.entities.filter { $0.parent == nil } }

  private func table(_ root: Entity) -> String { "the \"\(root.name)\" table" }

  private func properties(_ entity: Entity) -> PropertyMapping {
    var properties = PropertyMapping()
    for attribute in entity.attributes.dropFirst(entity.parent?.attributes.count ?? 0) {
      properties.attributes[attribute.name] = column(attribute, of: entity)
    }
    for relationship in entity.relationships.dropFirst(entity.parent?.relationships.count ?? 0) {
      properties.relationships[relationship.name] = storage(relationship)
    }
    return properties
  }

  private func column(_ attribute: EntityAttribute, of entity: Entity) -> MappedColumn {
    let isText = style == .marks && attribute.type == .date
    return MappedColumn("value \(entity.index) \"\(attribute.name)\"", isText ? .timestamp : .plain)
  }

  private func storage(_ relationship: Relationship) -> RelationshipStorage {
    let inverse = relationship.inverse
    guard relationship.isToMany else { return .column(name("to", relationship)) }
    let position = relationship.isOrdered ? name("place in", relationship) : nil
    guard inverse.isToMany else { return .inverseColumn(name("to", inverse), position: position) }
    let (here, there) = (name("of", relationship), name("of", inverse))
    return .join(
      JoinTable(
        table: "pairs \(min(here, there))", ownColumn: relationship.isOwnInverse ? "left end" : here,
        otherColumn: relationship.isOwnInverse ? "right end" : there, position: position))
  }

  /// Returns a name with the index of the entity that declares the relationship.
  private func name(_ word: String, _ relationship: Relationship) -> String {
    "\(word) \(relationship.inverse.destination.index).\(relationship.name)"
  }
}
