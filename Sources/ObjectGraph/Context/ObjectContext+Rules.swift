/// The rules of the model, on what the context has.
extension ObjectContext {
  /// The rules of the object's entity that are false. Unknown, because something is nil, is not false.
  func failedRules(of object: ManagedObject) throws -> [ValidationRule] {
    let rules = model.rules?.rules(of: object.entity) ?? []
    if rules.isEmpty { return [] }
    let reader = ContextReader(self)
    return try rules.filter { try $0.predicate.evaluate(object.objectID, in: reader) == false }.map(\.rule)
  }

  /// The rules of an attribute that are false of a value.
  func failedRules(of attribute: Attribute, _ value: Value) throws -> [ValidationRule] {
    try (model.rules?.rules(of: attribute) ?? []).filter { try $0.predicate.evaluate(value) == false }.map(\.rule)
  }
}
