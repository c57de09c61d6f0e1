import Foundation
import GRDB

/// Maps the objects of a model to existing tables.
///
/// Every family of entities has a table, and every stored attribute and to-one a column. An attribute or to-one that is
/// not mapped has a column of the same name; a many-to-many or an ordered to-many must be mapped. A mapped store
/// neither creates nor alters tables.
public struct StoreMapping: Sendable {
  /// The tables by the name of the root entity of the family.
  public var entities: [String: EntityMapping]

  /// Creates a mapping of families to tables.
  public init(_ entities: [String: EntityMapping]) { self.entities = entities }
}

/// The table of a family of entities.
public struct EntityMapping: Sendable {
  /// Name of the table, not quoted.
  public var table: String
  /// The column with an object's number, which must be positive: `INTEGER PRIMARY KEY`. With AUTOINCREMENT, numbers are
  /// never reused.
  public var id: String
  /// The column with the name of an object's entity; nil if the family has only one entity that is not abstract.
  public var type: String?
  /// The column that counts the saves of the row. Without one, a save compares the row itself with what was read.
  public var version: String?
  /// How a deletion changes the row.
  public var deletion: RowDeletion
  /// Columns and relationships of the root entity.
  public var properties: PropertyMapping
  /// Columns and relationships of the child entities, by name.
  public var children: [String: PropertyMapping]

  /// Creates a mapping to a table. By default, deleting an object removes its row.
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
  /// By the name of the attribute. An attribute that is missing here has a column of the same name.
  public var attributes: [String: MappedColumn]
  /// By the name of the relationship. A to-one that is missing here has a column of the same name. A to-one whose
  /// column is the id of the table points to the object with the same number, and is not written. With
  /// ``RowDeletion/withOwner(_:)`` for this to-one, a new object gets the number of its owner.
  public var relationships: [String: RelationshipStorage]

  /// Creates a mapping of an entity's own properties.
  public init(attributes: [String: MappedColumn] = [:], relationships: [String: RelationshipStorage] = [:]) {
    self.attributes = attributes
    self.relationships = relationships
  }
}

/// How a deletion changes a row.
public enum RowDeletion: Sendable {
  /// Removes the row.
  case removed
  /// Writes a value into `column`, which is NULL in rows of existing objects, and into the columns in `also`, such as
  /// the date of the last change. Pairs of many-to-manys stay, so that the object can be restored.
  ///
  /// `isSparse` promises that an index on the column finds the marked rows, that they are few, and that references are
  /// enforced by foreign keys. Counts can then leave out the marked rows without reading the mark of every row.
  case marked(column: String, also: [String] = [], isSparse: Bool = false, value: @Sendable () -> Value)
  /// The row belongs to the object that this to-one points to: when that object is marked as deleted, the row stays,
  /// and is restored with it. If only the row's own object is deleted, the row is removed.
  case withOwner(String)
}

/// The column of an attribute, and how it holds the value.
public struct MappedColumn: Hashable, Sendable, ExpressibleByStringLiteral {
  /// How a column holds a value.
  public enum Form: Hashable, Sendable {
    /// As in the library's own tables: text, numbers and blobs, 0 and 1 for Booleans, seconds since 2001-01-01 UTC for
    /// dates, upper-case text for UUIDs.
    case plain
    /// A date as text in UTC, `2026-03-01T09:30:00Z`, with milliseconds if it has any. Other text reads as nil.
    case timestamp
    /// A string stored as a number. A number that is not listed reads as nil.
    case names([Int64: String])
  }

  /// Name of the column, not quoted.
  public var column: String
  /// How the column holds the value.
  public var form: Form

  /// Whether the value is loaded on demand. Use this for large values.
  public var isFaulted = false

  /// Creates a mapping to a column.
  public init(_ column: String, _ form: Form = .plain, isFaulted: Bool = false) {
    self.column = column
    self.form = form
    self.isFaulted = isFaulted
  }

  /// Creates a mapping to a column in the form of the library's own tables.
  public init(stringLiteral value: String) { self.init(value) }
}

extension MappedColumn.Form {
  /// Returns whether attributes of the type can have this form.
  func fits(_ type: AttributeType) -> Bool {
    switch self {
    case .plain: true
    case .timestamp: type == .date
    case .names: type == .string
    }
  }

  /// Returns an SQL expression for the column's value in the plain form.
  func sql(reading column: String) -> String {
    switch self {
    case .plain: return column
    case .timestamp: return "\(PredicateFunctions.date)(\(column))"
    case .names(let names):
      let cases = names.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value.sqlLiteral)" }
      return cases.isEmpty ? "NULL" : "(CASE \(column) \(cases.joined(separator: " ")) END)"
    }
  }
}

extension String {
  /// A string literal in SQL, for names defined by the program; values are bound.
  var sqlLiteral: String {
    // The replacement is slow and rarely needed.
    "'" + (utf8.contains(UInt8(ascii: "'")) ? replacing("'", with: "''") : self) + "'"
  }
}
