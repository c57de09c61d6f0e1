import GRDB

/// How a relationship is stored in SQLite.
///
/// A reference may dangle, after `noAction` or after a deletion that did not know of a new reference. A dangling
/// reference reads as nil, and joins must skip it.
public enum RelationshipStorage: Hashable, Sendable {
  /// A to-one: a column of the entity's own table with the number of the other object. In a one-to-one, both ends have
  /// a column.
  case column(String)
  /// A one-to-many: the column of the inverse to-one in the destination's table; `position` is the column with the
  /// order, if the relationship is ordered.
  case inverseColumn(String, position: String?)
  /// A many-to-many.
  case join(JoinTable)
}

/// The table of a many-to-many relationship, seen from one end. A relationship that is its own inverse has one row for
/// each direction.
public struct JoinTable: Hashable, Sendable {
  /// Name of the table, not quoted.
  public let table: String
  /// The column with the object at this end.
  public let ownColumn: String
  /// The column with the objects at the other end.
  public let otherColumn: String
  /// The column that orders the objects at the other end, if they are ordered.
  public let position: String?

  /// Creates a table of pairs.
  public init(table: String, ownColumn: String, otherColumn: String, position: String? = nil) {
    self.table = table
    self.ownColumn = ownColumn
    self.otherColumn = otherColumn
    self.position = position
  }
}

extension Entity {
  /// The table of the entity's family, not quoted; see ``sqlTable``.
  public var table: String { record.table }
  /// The table's name in SQL.
  public var sqlTable: String { table.sqlIdentifier }
  /// Column with an object's number, the primary key; the rows of a family share one sequence.
  public static let idColumn = "_id"
  /// Column with the name of an object's own entity.
  public static let typeColumn = "_type"
  /// Column that counts the saves of the row.
  public static let versionColumn = "_version"

  /// Returns the entities that are not abstract among this one and, if requested, its children.
  public func concreteFamily(includingChildren: Bool) -> [Entity] {
    (includingChildren ? family : [self]).filter { !$0.isAbstract }
  }
}

extension EntityAttribute {
  /// The column of the attribute, not quoted. The table has no such column for a transient attribute.
  public var column: String { entity.record.attributes[index].column }
}

extension Relationship {
  /// How it is stored.
  public var storage: RelationshipStorage { record.storage }
}

/// Names of tables and columns for the entities of a model.
///
/// They do not depend on the order of the descriptions, so a reordered model still fits its store. SQLite does not
/// distinguish `Name` from `name`: of names that are equal when case is ignored, all but the first get a number.
struct TableNames {
  private let descriptions: [EntityDescription]
  private var tables: [Int: String] = [:]
  private var columns: [Int: [String: String]] = [:]

  init(_ descriptions: [EntityDescription]) {
    self.descriptions = descriptions
    let roots = descriptions.indices.filter { descriptions[$0].parent == nil }
    var usedTables = UniqueNames(reserved: [SQLiteMetadata.table])
    for root in roots.sorted(by: { descriptions[$0].name < descriptions[$1].name }) {
      let family =
        [root]
        + descriptions.indices.filter { descriptions[$0].parent == descriptions[root].name }
        .sorted { descriptions[$0].name < descriptions[$1].name }
      let table = usedTables.makeUnique(descriptions[root].name)
      var usedColumns = UniqueNames(reserved: [Entity.idColumn, Entity.typeColumn, Entity.versionColumn])
      for member in family {
        tables[member] = table
        let names = descriptions[member].attributes.map(\.name) + descriptions[member].relationships.map(\.name)
        for name in names.sorted() { columns[member, default: [:]][name] = usedColumns.makeUnique(name) }
      }
    }
  }

  func table(_ entity: Int) -> String { tables[entity] ?? descriptions[entity].name }

  func column(_ owner: Int, _ name: String) -> String { columns[owner]?[name] ?? name }

  func storage(
    owner: Int, _ relationship: RelationshipDescription, destination: Int
  ) -> RelationshipStorage {
    guard relationship.isToMany else { return .column(column(owner, relationship.name)) }
    guard let inverse = descriptions[destination].relationships.first(where: { $0.name == relationship.inverse }),
      inverse.isToMany
    else {
      let column = column(destination, relationship.inverse)
      return .inverseColumn(column, position: relationship.isOrdered ? "\(column).position" : nil)
    }
    // One of the two ends gives the table its name.
    let here = "\(table(owner)).\(column(owner, relationship.name))"
    let there = "\(table(destination)).\(column(destination, inverse.name))"
    let leads = here <= there
    return .join(
      JoinTable(
        table: leads ? here : there, ownColumn: leads ? "source" : "target", otherColumn: leads ? "target" : "source",
        position: relationship.isOrdered ? (leads ? "position" : "inversePosition") : nil))
  }
}

/// Hands out names that differ in more than case.
private struct UniqueNames {
  private var used: Set<String>

  init(reserved: [String]) { used = Set(reserved.map { $0.lowercased() }) }

  mutating func makeUnique(_ name: String) -> String {
    // SQLite reserves names that begin with this.
    let allowed = name.lowercased().hasPrefix("sqlite_") ? "_\(name)" : name
    var candidate = allowed
    var number = 2
    while !used.insert(candidate.lowercased()).inserted {
      candidate = "\(allowed)#\(number)"
      number += 1
    }
    return candidate
  }
}

extension String {
  /// The quoted name of a table or column. GRDB's own quoting does not escape quotation marks in the name.
  var sqlIdentifier: String {
    // The replacement is slow and rarely needed.
    let name = utf8.contains(UInt8(ascii: "\"")) ? replacing("\"", with: "\"\"") : self
    return "\"" + name + "\""
  }
}
