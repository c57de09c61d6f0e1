/// One state of the graph, to evaluate predicates and requests on: an object by its id, a property by its description.
///
/// A context reads its own objects this way for validation; a fetch reads the store with the context's unsaved changes on
/// top. References to objects that are gone are nil and members that are gone are left out, so a reader needs no check of
/// its own. The relationship or attribute given belongs to the object's entity or to its parent.
public protocol GraphReader {
  /// The value of an attribute; `.null` when it has none.
  func value(of attribute: Attribute, in object: ObjectID) throws -> Value
  /// The object of a to-one; nil when there is none.
  func object(of relationship: Relationship, in object: ObjectID) throws -> ObjectID?
  /// The objects of a to-many, in their order if it has one.
  func objects(of relationship: Relationship, in object: ObjectID) throws -> [ObjectID]
  /// All objects of these entities, which are of one family and not abstract. The order is that of first saves; unsaved objects
  /// come last, in the order of their insertion.
  func objects(of entities: [Entity]) throws -> [ObjectID]
}
