/// Where the objects of a model are kept in tables that exist already.
///
/// Every family of entities has a table, every attribute and to-one a column; what has no column here has one of the
/// property's own name. A mapped store makes no tables and changes none.
public struct StoreMapping: Sendable {
  /// The tables by the name of the root entity of the family.
  public var entities: [String: EntityMapping]

  /// A mapping of these families.
  public init(_ entities: [String: EntityMapping]) { self.entities = entities }
}

/// The table of a family of entities.
public struct EntityMapping: Sendable {
  /// Name of the table, not quoted.
  public var table: String
  /// Column with an object's number: `INTEGER PRIMARY KEY`. With AUTOINCREMENT no number is ever given twice.
  public var id: String
  /// Column with the name of an object's own entity; nil where the family has one entity that is not abstract.
  public var type: String?
  /// Column that counts the saves of the row. Without one, a save compares the row itself with what was read.
  public var version: String?
  /// What a deletion does to the row.
  public var deletion: RowDeletion
  /// Columns and relationships of the root entity.
  public var properties: PropertyMapping
  /// Those of its children, by the name of the child.
  public var children: [String: PropertyMapping]

  /// A table whose rows are removed when their objects are deleted, unless something else is said.
  public init(
    _ table: String, id: String = "id", type: String? = nil, version: String? = nil, deletion: RowDeletion = .removed,
    attributes: [String: MappedColumn] = [:], relationships: [String: RelationshipStorage] = [:],
    children: [String: PropertyMapping] = [:]
  ) {
    self.table = table
    self.id = id
    self.type = type
    self.version = version
    self.deletion = deletion
    properties = PropertyMapping(attributes: attributes, relationships: relationships)
    self.children = children
  }
}

/// Columns of one entity's own properties.
public struct PropertyMapping: Sendable {
  /// By the name of the attribute; an attribute that is not there has a column of its own name.
  public var attributes: [String: MappedColumn]
  /// By the name of the relationship; a to-one that is not there has a column of its own name. A to-one whose column is the id
  /// of the table leads to the object of the same number, and is not written. A new object gets the number of the object that it goes
  /// and comes back with, where that to-one is such a one.
  public var relationships: [String: RelationshipStorage]

  /// Columns of an entity's own properties.
  public init(attributes: [String: MappedColumn] = [:], relationships: [String: RelationshipStorage] = [:]) {
    self.attributes = attributes
    self.relationships = relationships
  }
}

/// What a deletion does to a row.
public enum RowDeletion: Sendable {
  /// It removes the row.
  case removed
  /// It writes a value into this column, which is NULL in rows of objects that exist, and into some others, such as that of the
  /// last change. Pairs of many-to-manys stay, so that the object can come back as it was.
  ///
  /// `isSparse` says that an index of the column finds the marked rows, that they are few, and that references lead to rows
  /// that are there (foreign keys): counts of whole tables then leave marked rows out by their ids instead of looking at
  /// the mark of every row.
  case marked(column: String, also: [String] = [], isSparse: Bool = false, value: @Sendable () -> Value)
  /// The row exists as long as the object does that this to-one leads to: when that is marked as deleted the row stays, and comes
  /// back with it. Deleted alone it is removed.
  case withOwner(String)
}
