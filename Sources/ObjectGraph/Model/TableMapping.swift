import GRDB

/// Where a relationship is kept in a SQLite store.
///
/// Nothing in a store stops a reference from leading to a row that is gone: `noAction` leaves such references, and so does a
/// deletion that did not know of a new reference. Whoever joins must pass them over; a reference to nothing is nil.
public enum RelationshipStorage: Hashable, Sendable {
  /// A to-one: a column of the entity's own table with the number of the other object. Both ends of a one-to-one have one.
  case column(String)
  /// A one-to-many: `column` is that of the inverse to-one in the destination's table; `position` orders it, if anything does.
  case inverseColumn(String, position: String?)
  /// A many-to-many.
  case join(JoinTable)
}

/// The table of a many-to-many relationship, as seen from one end. A relationship that is its own inverse has a row for each
/// direction.
public struct JoinTable: Hashable, Sendable {
  /// Name of the table, not quoted.
  public let table: String
  /// Column with the object whose relationship it is.
  public let ownColumn: String
  /// Column with the objects at the other end.
  public let otherColumn: String
  /// Column that orders the objects at the other end, if they have an order.
  public let position: String?

  /// A table of pairs.
  public init(table: String, ownColumn: String, otherColumn: String, position: String? = nil) {
    self.table = table
    self.ownColumn = ownColumn
    self.otherColumn = otherColumn
    self.position = position
  }
}

extension Entity {
  /// The table of the entity and all its family. Not quoted; see ``sqlTable``.
  public var table: String { record.table }
  /// The table's name in SQL.
  public var sqlTable: String { table.sqlIdentifier }
  /// Column with an object's number, the primary key; the rows of a family share one sequence.
  public static let idColumn = "_id"
  /// Column with the name of an object's own entity.
  public static let typeColumn = "_type"
  /// Column that counts the saves of the row.
  public static let versionColumn = "_version"

  /// The entities whose objects belong to this one: itself, unless it is abstract, and its children if wanted.
  public func concreteFamily(includingChildren: Bool) -> [Entity] {
    (includingChildren ? family : [self]).filter { !$0.isAbstract }
  }
}

extension Attribute {
  /// The column of the attribute. Not quoted. A transient attribute has none in the table.
  public var column: String { entity.record.attributes[index].column }
}

extension Relationship {
  /// Where it is kept.
  public var storage: RelationshipStorage { record.storage }
}
