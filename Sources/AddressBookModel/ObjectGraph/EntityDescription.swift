import GRDB

/// What a kind of managed object is made of and where it is stored. The counterpart of Core Data's `NSEntityDescription`.
public final class EntityDescription: Sendable {
  /// Name of the entity, such as `Person`: the key of its words (`Entity/Person`).
  public let name: String
  /// Table whose rows are the objects. Its primary key is the integer column `id`, with AUTOINCREMENT: a row that an undo
  /// brings back has its old id, which no other may have got meanwhile.
  public let table: String
  /// Attributes in the order of an object's values.
  public let attributes: [AttributeDescription]
  /// Relationships in the order of an object's links and lists.
  public let relationships: [RelationshipDescription]
  /// Large values that are kept apart from the row and read only when asked for.
  public let externals: [ExternalAttribute]
  /// Columns that the context keeps by itself; nil when the table has none.
  public let bookkeeping: Bookkeeping?
  /// The to-one relationship to the object that this one is a part of: a change of the part counts as one of the whole.
  public let owner: String?
  private let object: @Sendable (EntityDescription, ObjectContext, ObjectID) -> ManagedObject

  private let attributePlaces: [String: Int]
  private let relationshipPlaces: [String: Int]
  private let externalPlaces: [String: Int]

  /// Describes an entity.
  /// - Parameter object: makes an object of the entity's class; `ManagedObject.init` when it has none of its own.
  public init(
    name: String, table: String, attributes: [AttributeDescription], relationships: [RelationshipDescription] = [],
    externals: [ExternalAttribute] = [], bookkeeping: Bookkeeping? = nil, owner: String? = nil,
    object: @escaping @Sendable (EntityDescription, ObjectContext, ObjectID) -> ManagedObject = ManagedObject.init
  ) {
    self.name = name
    self.table = table
    self.attributes = attributes
    self.relationships = relationships
    self.externals = externals
    self.bookkeeping = bookkeeping
    self.owner = owner
    attributePlaces = Dictionary(attributes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    relationshipPlaces = Dictionary(
      relationships.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    externalPlaces = Dictionary(externals.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.object = object
  }

  func makeObject(_ context: ObjectContext, _ id: ObjectID) -> ManagedObject { object(self, context, id) }

  /// Place of an attribute among ``attributes``. Asking for one that does not exist is an error of the program.
  func place(ofAttribute name: String) -> Int {
    guard let place = attributePlaces[name] else { preconditionFailure("\(self.name) has no attribute \(name)") }
    return place
  }

  func place(ofRelationship name: String) -> Int {
    guard let place = relationshipPlaces[name] else { preconditionFailure("\(self.name) has no relationship \(name)") }
    return place
  }

  func place(ofExternal name: String) -> Int {
    guard let place = externalPlaces[name] else { preconditionFailure("\(self.name) has no external \(name)") }
    return place
  }
}

/// One value of an object, kept in a column of its row.
public struct AttributeDescription: Hashable, Sendable {
  /// What a column holds.
  public enum Kind: Hashable, Sendable {
    /// Whole number.
    case integer
    /// Floating-point number.
    case real
    /// Text.
    case text
    /// Bytes.
    case data
  }

  /// Name in the program.
  public let name: String
  /// Column of the table.
  public let column: String
  /// What it holds.
  public let kind: Kind
  /// True when it may be NULL.
  public let isOptional: Bool
  /// Value of a new object.
  public let defaultValue: DatabaseValue
  /// Greatest length of a text in Unicode scalars; nil for none.
  public let maximumLength: Int?
  /// Name in the keys of its words, `Property/<title>/Entity/<entity>`.
  public let title: String

  /// Describes an attribute.
  public init(
    _ name: String, column: String? = nil, kind: Kind = .text, isOptional: Bool = false,
    defaultValue: DatabaseValue? = nil, maximumLength: Int? = nil, title: String? = nil
  ) {
    self.name = name
    self.column = column ?? name
    self.kind = kind
    self.isOptional = isOptional
    self.maximumLength = maximumLength
    self.title = title ?? name
    if let defaultValue {
      self.defaultValue = defaultValue
    } else if isOptional {
      self.defaultValue = .null
    } else {
      switch kind {
      case .integer: self.defaultValue = 0.databaseValue
      case .real: self.defaultValue = 0.0.databaseValue
      case .text: self.defaultValue = "".databaseValue
      case .data: self.defaultValue = .null
      }
    }
  }
}

/// A large value in a table of its own, one row or none for each object, such as a picture.
public struct ExternalAttribute: Hashable, Sendable {
  /// Name in the program.
  public let name: String
  /// Table that holds it.
  public let table: String
  /// Column with the object's id, the table's primary key.
  public let key: String
  /// The other columns, in the order of the value's parts.
  public let columns: [String]

  /// Describes an external attribute.
  public init(_ name: String, table: String, key: String, columns: [String]) {
    self.name = name
    self.table = table
    self.key = key
    self.columns = columns
  }
}

/// Columns that the context keeps by itself.
public struct Bookkeeping: Hashable, Sendable {
  /// Column that counts saves; a save is refused when it is not what the object was read with.
  public let version: String
  /// Column with the moment of the first save.
  public let created: String?
  /// Column with the moment of the last save.
  public let modified: String?
  /// Column with the moment of deletion: the row and its parts then stay and can come back. Nil when rows are removed.
  public let deleted: String?

  /// Describes the columns.
  public init(version: String, created: String? = nil, modified: String? = nil, deleted: String? = nil) {
    self.version = version
    self.created = created
    self.modified = modified
    self.deleted = deleted
  }
}
