@testable import ObjectGraph

/// An error as the case file names it.
struct CaseError {
  let kind: String
  let facts: [String: JSONValue]

  init(_ error: ObjectGraphError, label: (ObjectID) -> String) {
    func make(_ kind: String, _ facts: [String: JSONValue?] = [:]) -> CaseError {
      CaseError(kind: kind, facts: facts.compactMapValues { $0 })
    }
    self =
      switch error {
      case .badModel(let entity, let property, reason: _):
        make("badModel", ["entity": .string(entity), "property": property.map(JSONValue.string)])
      case .unknownEntity(let name): make("unknownEntity", ["entity": .string(name)])
      case .abstractEntity(let name): make("abstractEntity", ["entity": .string(name)])
      case .unknownKey(let key, let entity): make("unknownKey", ["key": .string(key), "entity": .string(entity)])
      case .typeMismatch(let entity, let property):
        make("typeMismatch", ["entity": .string(entity), "property": .string(property)])
      case .notToMany(let entity, let property):
        make("notToMany", ["entity": .string(entity), "property": .string(property)])
      case .notOrdered(let entity, let property):
        make("notOrdered", ["entity": .string(entity), "property": .string(property)])
      case .deletedObject(let id), .foreignObject(let id), .contextGone(let id):
        make("deletedObject", ["object": .string(label(id))])
      case .badURI: make("badURI")
      case .unknownTemplate(let name): make("unknownTemplate", ["name": .string(name)])
      case .predicate(let error): CaseError(error)
      case .badRequest(let field): make("badRequest", ["field": .string(field)])
      case .wrongKind(let key): make("typeMismatch", ["key": .string(key)])
      case .modelMismatch: make("modelMismatch")
      case .migrationImpossible(let entity, let property):
        make("migrationImpossible", ["entity": .string(entity), "property": property.map(JSONValue.string)])
      case .noHistory: make("noHistory")
      case .validation: make("validation")
      case .conflicts: make("conflicts")
      case .refused(let error): make("refused", ["description": .string("\(error)")])
      case .mapping(let failure): make("mapping", ["description": .string("\(failure)")])
      case .host(let error): make("host", ["description": .string("\(error)")])
      case .store(let failure): make("store", ["description": .string(failure.description)])
      }
  }

  private init(_ error: InvalidPredicate) {
    func make(_ kind: String, _ offset: Int?, _ facts: [String: JSONValue?] = [:]) -> CaseError {
      var facts = facts.compactMapValues { $0 }
      facts["offset"] = offset.map { .integer(Int64($0)) }
      return CaseError(kind: kind, facts: facts)
    }
    self =
      switch error {
      case .syntax(let offset): make("syntax", offset)
      case .argumentCount(let expected, let given):
        make("argumentCount", nil, ["expected": .integer(Int64(expected)), "given": .integer(Int64(given))])
      case .tooDeep(let offset): make("tooDeep", offset)
      case .argumentType(let offset): make("argumentType", offset)
      case .unboundVariable(let offset, let name): make("unboundVariable", offset, ["name": .string(name)])
      case .unknownKey(let offset, let key, let entity):
        make("unknownKey", offset, ["key": .string(key), "entity": entity.map(JSONValue.string)])
      case .typeMismatch(let offset): make("typeMismatch", offset)
      case .toManyNotAllowed(let offset): make("toManyNotAllowed", offset)
      case .notToMany(let offset): make("notToMany", offset)
      case .badPattern(let offset): make("badPattern", offset)
      }
  }

  private init(kind: String, facts: [String: JSONValue]) {
    self.kind = kind
    self.facts = facts
  }

  /// Returns how the error differs from the expected one; nil if it does not.
  func mismatch(_ expected: JSONValue) -> String? {
    let fields = expected.fields ?? [:]
    let isEqual = fields.allSatisfy { key, value in key == "kind" ? value.text == kind : facts[key] == value }
    return isEqual ? nil : "error \(kind) \(facts), expected \(fields)"
  }
}
