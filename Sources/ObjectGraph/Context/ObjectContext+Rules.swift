/// Evaluating the model's rules on the objects of the context.
extension ObjectContext {
  /// The rules of the object's entity that are broken. A rule that is unknown because something is nil is not broken.
  func failedRules(of object: ManagedObject) throws -> [ValidationRule] {
    let rules = model.rules?.rules(of: object.entity) ?? []
    if rules.isEmpty { return [] }
    let reader = ContextReader(self)
    return try rules.filter { try $0.predicate.evaluate(object.objectID, in: reader) == false }.map(\.rule)
  }

  /// The rules of an attribute that a value breaks.
  func failedRules(of attribute: Attribute, _ value: Value) throws -> [ValidationRule] {
    try (model.rules?.rules(of: attribute) ?? []).filter { try $0.predicate.evaluate(value) == false }.map(\.rule)
  }
}
