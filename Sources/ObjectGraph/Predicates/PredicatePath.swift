/// The path from an object to a value: `teacher.name`, `courses.@count`, `$course.teacher`. Without keys, it is its
/// root.
public struct PredicatePath: Codable, Hashable, Sendable {
  /// Where a path begins.
  public enum Root: Codable, Hashable, Sendable {
    /// The object or grouped row that is tested; in a rule of an attribute, its value.
    case object
    /// The element of an enclosing SUBQUERY, by the name of its variable.
    case element(String)
    /// The argument of `%K` is not a path that fits there. This error is reported with the others, in the order of the
    /// text.
    case invalid(InvalidPredicate)
  }

  /// A key and its offset.
  public struct Key: Codable, Hashable, Sendable {
    /// The name of a property.
    public var name: String
    /// The offset of the name.
    public var offset: SourceOffset

    /// Creates a key.
    public init(_ name: String, offset: SourceOffset = SourceOffset()) {
      self.name = name
      self.offset = offset
    }
  }

  /// `@count`, or `@sum` and the like with the keys after it.
  public struct Aggregate: Codable, Hashable, Sendable {
    /// The function that combines the elements.
    public var function: AggregateFunction
    /// The offset of the `@`.
    public var offset: SourceOffset
    /// The path from an element to the value; empty for `@count`.
    public var keys: [Key]

    /// Creates an aggregate of the elements of a to-many relationship.
    public init(_ function: AggregateFunction, keys: [Key] = [], offset: SourceOffset = SourceOffset()) {
      self.function = function
      self.keys = keys
      self.offset = offset
    }
  }

  /// Where the path begins.
  public var root: Root
  /// The keys, in order.
  public var keys: [Key]
  /// The aggregate of the elements at the end, if any.
  public var aggregate: Aggregate?
  /// The offset of the path.
  public var offset: SourceOffset

  /// Creates a path of keys.
  public init(
    root: Root = .object, keys: [Key] = [], aggregate: Aggregate? = nil, offset: SourceOffset = SourceOffset()
  ) {
    self.root = root
    self.keys = keys
    self.aggregate = aggregate
    self.offset = offset
  }

  /// Creates a path from the object, given as names of keys.
  public init(_ name: String, _ names: String...) {
    self.init(keys: ([name] + names).map { Key($0) })
  }
}
