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

/// The description of one end of a relationship. Every relationship has an inverse, which may be itself.
public struct RelationshipDescription: Codable, Hashable, Sendable {
  /// The key of the relationship.
  public var name: String
  /// Name of the entity at the other end; objects of its children are allowed too.
  public var destination: String
  /// Name of the relationship in the other direction.
  public var inverse: String
  /// Whether there may be more than one object at the other end.
  public var isToMany = false
  /// Whether the objects of a to-many have an order.
  public var isOrdered = false
  /// What happens to the other end when an object is deleted.
  public var deleteRule = DeleteRule.nullify
  /// Whether a save accepts an empty relationship.
  public var isOptional = true
  /// The minimum number of objects of a to-many that is not empty; 0 for no minimum.
  public var minimumCount = 0
  /// The maximum number of objects of a to-many; 0 for no maximum.
  public var maximumCount = 0
  /// Whether added and removed members count as a change to the object, which increments its version and calls its
  /// ``ManagedObject/willSave()``.
  @DefaultFalse public var raisesVersion = false
  /// Its name in the model that a store is migrated from, if it was different.
  public var renamingID: String?
  /// Custom information for the program.
  public var userInfo: [String: String] = [:]

  /// Returns the description of a relationship to one object.
  public static func toOne(
    _ name: String, _ destination: String, inverse: String, deleteRule: DeleteRule = .nullify, isOptional: Bool = true,
    renamingID: String? = nil, userInfo: [String: String] = [:]
  ) -> RelationshipDescription {
    var relationship = RelationshipDescription(name: name, destination: destination, inverse: inverse)
    relationship.deleteRule = deleteRule
    relationship.isOptional = isOptional
    relationship.renamingID = renamingID
    relationship.userInfo = userInfo
    return relationship
  }

  /// Returns the description of a relationship to any number of objects.
  public static func toMany(
    _ name: String, _ destination: String, inverse: String, isOrdered: Bool = false, deleteRule: DeleteRule = .nullify,
    isOptional: Bool = true, minimumCount: Int = 0, maximumCount: Int = 0, raisesVersion: Bool = false,
    renamingID: String? = nil, userInfo: [String: String] = [:]
  ) -> RelationshipDescription {
    var relationship = toOne(
      name, destination, inverse: inverse, deleteRule: deleteRule, isOptional: isOptional, renamingID: renamingID,
      userInfo: userInfo)
    relationship.isToMany = true
    relationship.isOrdered = isOrdered
    relationship.minimumCount = minimumCount
    relationship.maximumCount = maximumCount
    relationship.raisesVersion = raisesVersion
    return relationship
  }
}

/// What happens to the objects at the other end of a relationship when an object is deleted.
public enum DeleteRule: String, Codable, Hashable, Sendable, CaseIterable {
  /// Their reference to the object is removed.
  case nullify
  /// They are deleted too, by their own delete rules.
  case cascade
  /// The save is refused while there are any.
  case deny
  /// They are left alone: their reference dangles and reads as nil.
  case noAction
}
