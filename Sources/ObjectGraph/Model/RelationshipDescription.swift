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
