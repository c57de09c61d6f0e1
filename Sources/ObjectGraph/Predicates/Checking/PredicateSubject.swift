/// What a predicate is asked of.
public enum PredicateSubject: Sendable {
  /// The objects of an entity in a store, which knows no transient attributes.
  case objects(Entity)
  /// An object in a context: the rule of an entity.
  case rule(Entity)
  /// The value of an attribute, which is SELF in the rule of the attribute.
  case value(AttributeType)
  /// A row of groups, whose keys are the names of its columns: `having`. The type of a column of objects is nil.
  case row([String: AttributeType?])
}
