/// How objects of one entity refer to those of another. The counterpart of Core Data's `NSRelationshipDescription`.
public struct RelationshipDescription: Hashable, Sendable {
  /// Where the reference is stored.
  public enum Storage: Hashable, Sendable {
    /// To one: the other object's id in a column of the own table.
    case column(String)
    /// To many: the own id in a column of the other table. `order` is the other entity's attribute that keeps the
    /// place in the list, from 0; nil when the list has no order.
    case children(column: String, order: String?)
    /// Many to many: pairs in a table of their own.
    case join(table: String, own: String, other: String)
  }

  /// What happens to the other side when an object is deleted.
  public enum DeleteRule: Hashable, Sendable {
    /// The other objects are deleted too.
    case cascade
    /// The other objects stay and refer to nothing.
    case nullify
    /// An object that still refers to others cannot be deleted.
    case deny
  }

  /// Name in the program.
  public let name: String
  /// Entity of the other objects.
  public let destination: String
  /// The same relationship seen from there; nil when it has no name there.
  public let inverse: String?
  /// Where it is stored.
  public let storage: Storage
  /// What deletion of the object does.
  public let deleteRule: DeleteRule
  /// False when at least one other object is needed (to one: not NULL).
  public let isOptional: Bool
  /// Greatest number of other objects; nil for any.
  public let maximumCount: Int?

  /// Describes a relationship.
  public init(
    _ name: String, to destination: String, inverse: String?, storage: Storage, deleteRule: DeleteRule = .nullify,
    isOptional: Bool = true, maximumCount: Int? = nil
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.storage = storage
    self.deleteRule = deleteRule
    self.isOptional = isOptional
    self.maximumCount = maximumCount
  }

  /// True when it leads to one object at most.
  public var isToOne: Bool {
    if case .column = storage { return true }
    return false
  }
}
