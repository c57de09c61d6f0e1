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

extension Attribute {
  /// The column of the attribute, not quoted. The table has no such column for a transient attribute.
  public var column: String { entity.record.attributes[index].column }
}

extension Relationship {
  /// How it is stored.
  public var storage: RelationshipStorage { record.storage }
}
