/// A typed key of an attribute: `static let age = AttributeKey<Student, Int?>("age")`.
///
/// It reads and writes the attribute with its Swift type, and makes predicates.
public struct AttributeKey<Root: ManagedObject, Value: AttributeValue>: Hashable, Sendable {
  /// The name of the attribute.
  public let name: String

  /// Creates a key of the attribute with this name.
  public init(_ name: String) { self.name = name }
}

/// A typed key of a to-one relationship: `static let teacher = ToOneKey<Course, Teacher>("teacher")`.
public struct ToOneKey<Root: ManagedObject, Destination: ManagedObject>: Hashable, Sendable {
  /// The name of the relationship.
  public let name: String

  /// Creates a key of the relationship with this name.
  public init(_ name: String) { self.name = name }
}

/// A typed key of a to-many relationship: `static let courses = ToManyKey<Student, Course>("courses")`.
public struct ToManyKey<Root: ManagedObject, Destination: ManagedObject>: Hashable, Sendable {
  /// The name of the relationship.
  public let name: String

  /// Creates a key of the relationship with this name.
  public init(_ name: String) { self.name = name }
}
