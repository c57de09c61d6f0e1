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

/// One side of a comparison.
public indirect enum PredicateTerm: Codable, Hashable, Sendable {
  /// A value, a list or a variable.
  case constant(PredicateConstant)
  /// The value at the end of a path from the object.
  case path(PredicatePath)
  /// The number of elements of a to-many path that match a predicate.
  case subquery(PredicateSubquery)
  /// A computation from other terms, with the offset of its sign or name.
  case function(PredicateFunction, [PredicateTerm], offset: SourceOffset)
}

/// A computation of a predicate. A nil term makes the result nil, except for `minimum`, `maximum` and `sum`, which ignore
/// it.
public enum PredicateFunction: String, Codable, Hashable, Sendable, CaseIterable {
  /// `a + b`; like the other operators, on integers an integer, or a double if it does not fit.
  case add = "+"
  /// `a - b`
  case subtract = "-"
  /// `a * b`
  case multiply = "*"
  /// `a / b`; of two integers without the rest, nil for a division by 0.
  case divide = "/"
  /// `lowercase:(text)`
  case lowercase
  /// `uppercase:(text)`
  case uppercase
  /// `min:(a, b)`, `min:({a, b})` or `min:(courses.weight)`: the smallest value.
  case minimum = "min"
  /// `max:(…)`: the largest value.
  case maximum = "max"
  /// `sum:(…)`: the sum.
  case sum
}

/// A value that does not depend on the object.
public indirect enum PredicateConstant: Codable, Hashable, Sendable {
  /// Which element of a list.
  public enum Index: Codable, Hashable, Sendable {
    /// `[0]`; nil beyond the end.
    case number(Int)
    /// `[FIRST]`
    case first
    /// `[LAST]`
    case last
    /// `[SIZE]`: not an element, but how many there are.
    case size
  }

  /// One value; `.null` is nil.
  case value(Value)
  /// A list, for IN and BETWEEN.
  case list([PredicateConstant])
  /// `$name`, whose value comes from the request.
  case variable(name: String, offset: SourceOffset)
  /// `$list[0]`: an element of a list.
  case element(of: PredicateConstant, at: Index, offset: SourceOffset)
  /// A CAST or placeholder whose arguments are wrong. This error is reported with the other type errors, in the order of the text.
  case invalid(InvalidPredicate)
}

/// `SUBQUERY(path, $variable, predicate).@count`.
public struct PredicateSubquery: Codable, Hashable, Sendable {
  /// A to-many path without an aggregate.
  public var path: PredicatePath
  /// The name of the element in the predicate, without `$`.
  public var variable: String
  /// The predicate that the counted elements match.
  public var predicate: ObjectPredicate

  /// Creates a count of the elements of a path that match a predicate.
  public init(_ path: PredicatePath, variable: String, predicate: ObjectPredicate) {
    self.path = path
    self.variable = variable
    self.predicate = predicate
  }
}

/// A function that combines many values into one. It ignores nil.
public enum AggregateFunction: String, Codable, Hashable, Sendable, CaseIterable {
  /// The number of values.
  case count
  /// The sum; 0 if there are no values, nil if infinities cancel out.
  case sum
  /// The mean, a double; nil if there are no values, or infinities cancel out.
  case average = "avg"
  /// The smallest value; nil if there are none.
  case minimum = "min"
  /// The largest value; nil if there are none.
  case maximum = "max"
}
