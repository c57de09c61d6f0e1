/// The description of an entity, which is a kind of object.
public struct EntityDescription: Codable, Sendable {
  /// The name of the entity.
  public var name: String
  /// Name of the entity whose properties and rules this one inherits. A parent cannot have a parent.
  public var parent: String?
  /// Whether the entity has no objects of its own, only those of its children.
  public var isAbstract = false
  /// Name of the to-one relationship to the object that owns this entity's objects as its parts; nil if there is no
  /// owner, or the parent names it. A change to a part increments the version of its owner and calls the owner's
  /// ``ManagedObject/willSave()``, so contexts that change different parts of an object have both changed the object.
  public var owner: String?
  /// Whether the attributes of an object are merged as one value: if two contexts changed some of them, even different
  /// ones, that is a conflict, and all are taken from one context. The same holds for ``ObjectContext/undo(_:)`` if
  /// others have changed some of them since the step.
  @DefaultFalse public var isAtomic = false
  /// Its attributes, without those of the parent.
  public var attributes: [AttributeDescription]
  /// Its relationships, without those of the parent.
  public var relationships: [RelationshipDescription]
  /// Conditions on the object, without those of the parent.
  public var rules: [ValidationRule] = []
  /// Its name in the model that a store is migrated from, if it was different.
  public var renamingID: String?
  /// Custom information for the program.
  public var userInfo: [String: String] = [:]
  /// The class of its objects. It is not part of the encoded description.
  public var objectClass: ManagedObject.Type = ManagedObject.self

  private enum CodingKeys: CodingKey {
    case name, parent, isAbstract, owner, isAtomic, attributes, relationships, rules, renamingID, userInfo
  }

  /// Creates the description of an entity.
  public init(
    _ name: String, parent: String? = nil, isAbstract: Bool = false, owner: String? = nil, isAtomic: Bool = false,
    attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [], rules: [ValidationRule] = [], renamingID: String? = nil,
    userInfo: [String: String] = [:], class objectClass: ManagedObject.Type = ManagedObject.self
  ) {
    self.name = name
    self.parent = parent
    self.isAbstract = isAbstract
    self.owner = owner
    self.isAtomic = isAtomic
    self.attributes = attributes
    self.relationships = relationships
    self.rules = rules
    self.renamingID = renamingID
    self.userInfo = userInfo
    self.objectClass = objectClass
  }
}
