/// An attribute of a class, known to the compiler: `static let age = AttributeKey<Student, Int?>("age")`.
///
/// It reads and writes the attribute with its Swift type, and makes predicates.
public struct AttributeKey<Root: ManagedObject, Value: AttributeValue>: Hashable, Sendable {
  /// The key of the attribute.
  public let name: String

  /// A key of an attribute of that name.
  public init(_ name: String) { self.name = name }
}

/// A to-one relationship of a class, known to the compiler: `static let teacher = ToOneKey<Course, Teacher>("teacher")`.
public struct ToOneKey<Root: ManagedObject, Destination: ManagedObject>: Hashable, Sendable {
  /// The key of the relationship.
  public let name: String

  /// A key of a relationship of that name.
  public init(_ name: String) { self.name = name }
}

/// A to-many relationship of a class, known to the compiler: `static let courses = ToManyKey<Student, Course>("courses")`.
public struct ToManyKey<Root: ManagedObject, Destination: ManagedObject>: Hashable, Sendable {
  /// The key of the relationship.
  public let name: String

  /// A key of a relationship of that name.
  public init(_ name: String) { self.name = name }
}
