import Contacts
import GRDB

/// An object of the graph: one row with its relationships, as one context sees it.
///
/// It is not `Sendable`: an object belongs to its context, and a context to one thread. Keep the context for as long as
/// its objects. Attributes are there from the start; lists and external values are read when first touched.
open class ManagedObject {
  /// What it is made of.
  public let entity: EntityDescription
  /// Where it belongs.
  ///
  /// Whoever changes an object keeps its context. Reading without it answers with what was loaded, or throws `closed`.
  public var context: ObjectContext {
    guard let owner else { preconditionFailure("\(objectID) is changed after its context is gone") }
    return owner
  }
  private weak var owner: ObjectContext?
  var owningModel: ObjectModel? { owner?.model }
  /// Which object it is; temporary until the first save.
  public internal(set) var objectID: ObjectID
  /// Counts saves of the object and its parts; 0 before the first.
  public internal(set) var version = 0
  /// Moment of the first save, ISO 8601 in UTC; empty before, or when the entity does not keep it.
  public internal(set) var created = ""
  /// Moment of the last save, ISO 8601 in UTC; empty before, or when the entity does not keep it.
  public internal(set) var modified = ""
  /// False once it is deleted, saved or not.
  public internal(set) var isLive = false
  /// True when the store holds it, as far as this context knows.
  var exists = false
  /// How often this context found that somebody else had written the object; positions in a list do not count.
  var foreignWrites = 0

  var values: [DatabaseValue]
  var committedValues: [DatabaseValue]
  var links: [ObjectID?]
  var committedLinks: [ObjectID?]
  var lists: [ObjectList?]
  var externals: [ExternalValue?]

  /// Made by contexts alone.
  public required init(entity: EntityDescription, context: ObjectContext, objectID: ObjectID) {
    self.entity = entity
    owner = context
    self.objectID = objectID
    values = entity.attributes.map(\.defaultValue)
    committedValues = values
    links = entity.relationships.map { _ in nil }
    committedLinks = links
    lists = entity.relationships.map { _ in nil }
    externals = entity.externals.map { _ in nil }
  }

  // MARK: - What a subclass adds

  /// Columns that follow from the object and its parts; they are written whenever it or one of them is saved.
  open func derivedColumns() throws(StoreError) -> [(column: String, value: DatabaseValue)] { [] }

  /// What is wrong with the object beyond what its description says. Every issue, not the first.
  open func issues() throws(StoreError) -> [ValidationIssue] { [] }

  /// Sets what a new object starts with, such as its uid. Not recorded as a change.
  open func awakeFromInsert() {}

  // MARK: - Attributes

  /// The value of an attribute.
  public final func value(_ attribute: String) -> DatabaseValue { values[entity.place(ofAttribute: attribute)] }

  /// Changes an attribute. Setting what it already is changes nothing.
  public final func setValue(_ value: DatabaseValue, of attribute: String) {
    context.change(self, attribute: entity.place(ofAttribute: attribute), to: value)
  }

  /// The text of an attribute; empty when it is NULL.
  public final func text(_ attribute: String) -> String { String.fromDatabaseValue(value(attribute)) ?? "" }

  /// Changes a text.
  public final func setText(_ text: String, of attribute: String) { setValue(text.databaseValue, of: attribute) }

  /// Sets a value as the starting point of a new object, without recording a change.
  public final func setInitial(_ value: DatabaseValue, of attribute: String) {
    values[entity.place(ofAttribute: attribute)] = value
  }

  // MARK: - Relationships

  /// The object that a to-one relationship leads to.
  public final func related(_ relationship: String) throws(StoreError) -> ManagedObject? {
    guard let id = links[entity.place(ofRelationship: relationship)] else { return nil }
    return try reader().object(id)
  }

  /// Makes a to-one relationship lead to another object, or to none; the list on the other side follows.
  public final func relate(_ relationship: String, to other: ManagedObject?) throws(StoreError) {
    try context.relate(self, entity.place(ofRelationship: relationship), to: other)
  }

  /// The ids in a to-many relationship, without reading the objects of a many-to-many one.
  public final func ids(_ relationship: String) throws(StoreError) -> [ObjectID] {
    let place = entity.place(ofRelationship: relationship)
    if let list = lists[place] { return list.ids }
    return try reader().list(of: self, place).ids
  }

  /// The objects of a to-many relationship, in its order. Reads what is not there in one query.
  public final func objects(_ relationship: String) throws(StoreError) -> [ManagedObject] {
    try reader().objects(ids(relationship))
  }

  /// Adds an object to a to-many relationship, at the end unless a place is given. One that is there already moves.
  public final func add(_ other: ManagedObject, to relationship: String, at place: Int? = nil) throws(StoreError) {
    try context.add(other, to: self, entity.place(ofRelationship: relationship), at: place)
  }

  /// Takes an object out of a to-many relationship; it is not deleted.
  public final func remove(_ other: ManagedObject, from relationship: String) throws(StoreError) {
    try context.remove(other, from: self, entity.place(ofRelationship: relationship))
  }

  // MARK: - External values

  /// The parts of a large value in the order of its columns, or nil when there is none. Reads it when first touched.
  public final func external(_ name: String) throws(StoreError) -> [DatabaseValue]? {
    let place = entity.place(ofExternal: name)
    if let known = externals[place] { return known.value }
    return try reader().external(of: self, place).value
  }

  private func reader() throws(StoreError) -> ObjectContext {
    guard let owner else { throw StoreError(.closed, path: "") }
    return owner
  }

  /// Changes a large value; nil removes it.
  public final func setExternal(_ value: [DatabaseValue]?, of name: String) throws(StoreError) {
    try context.change(self, external: entity.place(ofExternal: name), to: value)
  }

  // MARK: - State

  /// What a save would do with the object.
  public enum Pending: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// Insert its row, or bring it back.
    case insertion
    /// Write what changed.
    case update
    /// Delete it.
    case deletion
  }

  /// What a save would do with the object.
  public final var pending: Pending {
    switch (exists, isLive) {
    case (false, true): return .insertion
    case (true, false): return .deletion
    case (false, false): return .nothing
    case (true, true): return isChanged ? .update : .nothing
    }
  }

  /// Attributes that differ from what was read or saved last.
  public final var changedAttributes: [String] {
    entity.attributes.indices.filter { values[$0] != committedValues[$0] }.map { entity.attributes[$0].name }
  }

  private var isChanged: Bool {
    values != committedValues || links != committedLinks || externals.contains { $0?.isChanged == true }
      || hasChangedJoins
  }

  /// True when the pairs of a many-to-many list changed; a list of children changes in the children.
  var hasChangedJoins: Bool {
    zip(entity.relationships, lists).contains { relationship, list in
      guard case .join = relationship.storage, let list else { return false }
      return Set(list.ids) != Set(list.committed)
    }
  }
}

/// The loaded end of a to-many relationship.
struct ObjectList {
  /// As the store has it.
  var committed: [ObjectID]
  /// As the context has it.
  var ids: [ObjectID]
  /// Keeps the parts of an object alive as long as the object.
  var held: [ManagedObject] = []
}

/// A loaded external value.
struct ExternalValue {
  var committed: [DatabaseValue]?
  var value: [DatabaseValue]?
  var isChanged: Bool { committed != value }
}

/// An object as its source has it.
struct Snapshot {
  var values: [DatabaseValue]
  var links: [ObjectID?]
  var version = 0
  var created = ""
  var modified = ""
}
