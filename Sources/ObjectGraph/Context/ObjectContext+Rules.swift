/// Rules of the model.
extension ObjectContext {
  func failedRules(of object: ManagedObject) throws -> [ValidationRule] { [] }
  func failedRules(of attribute: Attribute, _ value: Value) throws -> [ValidationRule] { [] }
  func matches(_ text: String, _ pattern: String) throws -> Bool { true }
}
