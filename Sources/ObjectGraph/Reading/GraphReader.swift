/// One state of the graph, for evaluating predicates and requests.
///
/// A context reads its own objects this way for validation; a fetch reads the store with the context's unsaved changes
/// on top. Dangling references are nil and missing members are left out, so evaluation needs no checks of its own. The
/// attribute or relationship belongs to the object's entity or to its parent.
public protocol GraphReader {
  /// Returns the value of an attribute; `.null` if it has none.
  func value(of attribute: Attribute, in object: ObjectID) throws -> Value
  /// Returns the object of a to-one relationship; nil when there is none.
  func object(of relationship: Relationship, in object: ObjectID) throws -> ObjectID?
  /// Returns the objects of a to-many relationship, in order if the relationship is ordered.
  func objects(of relationship: Relationship, in object: ObjectID) throws -> [ObjectID]
  /// Returns all objects of these entities, which belong to one family and are not abstract, in the order of their
  /// numbers; objects without a number come last, in the order of their insertion.
  func objects(of entities: [Entity]) throws -> [ObjectID]
}
