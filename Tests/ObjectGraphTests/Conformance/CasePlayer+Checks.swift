import Foundation

@testable import ObjectGraph

extension CasePlayer {
  /// The expectations about the result of a fetch.
  static let resultKeys: Set = ["objects", "set", "count", "dictionaries", "dictionarySet"]
  private static let keys = resultKeys.union([
    "error", "issues", "conflicts", "done", "object", "context", "selects", "hasChanges", "store", "saved",
  ])

  func check(_ expect: JSONValue, _ outcome: Outcome, in name: String) throws {
    for key in expect.fields?.keys.sorted() ?? [] where !Self.keys.contains(key) {
      failures.append("unknown expectation \(key)")
    }
    checkError(expect, outcome)
    if let done = expect["done"]?.flag, outcome.done != done { failures.append("done is \(outcome.done ?? !done)") }
    if let expected = expect["object"], case .some(let object) = outcome.object {
      let actual = object.map { label($0.objectID) }
      if actual != expected.text { failures.append("object \(actual ?? "nil"), expected \(expected)") }
    }
    if let result = outcome.result { compare(result, expect) }
    for (label, properties) in expect["context"]?.fields ?? [:] { try compare(label, properties, name) }
    if let bound = expect["selects"]?["atMost"]?.number {
      let count = world.selects.take()
      if world.countsSelects, count > bound { failures.append("\(count) selects, at most \(bound) expected") }
    }
    if let changes = expect["hasChanges"]?.flag, try context(name).hasChanges != changes {
      failures.append("hasChanges is \(!changes)")
    }
    if let store = expect["store"]?.fields {
      try newContext("store", policy: .error, load: false)
      for (label, properties) in store {
        do { try compare(label, properties, "store") } catch { failures.append("store \(label): \(error)") }
      }
      contexts["store"] = nil
      held["store"] = nil
    }
  }

  private func checkError(_ expect: JSONValue, _ outcome: Outcome) {
    switch (expect["error"], expect["issues"]?.items, expect["conflicts"]?.items, outcome.error) {
    case (nil, nil, nil, nil): break
    case (let expected?, _, _, let error?):
      if let mismatch = CaseError(error, label: label).mismatch(expected) { failures.append(mismatch) }
    case (_, let expected?, _, .validation(let issues)?):
      let actual = Set(issues.map(issue))
      if actual != Set(expected) || issues.count != expected.count {
        failures.append("issues \(actual), expected \(expected)")
      }
    case (_, _, let expected?, .conflicts(let conflicts)?): compare(conflicts, expected)
    case (_, _, _, let error): failures.append("\(error.map { "\($0)" } ?? "no error"), expected \(expect)")
    }
  }

  private func issue(_ issue: ValidationIssue) -> JSONValue {
    .object([
      "object": .string(label(issue.object)), "property": .string(issue.property), "rule": .string(issue.rule.message),
      "arguments": .array(issue.rule.argument.map { [json($0)] } ?? []),
    ])
  }

  private func json(_ value: Value) -> JSONValue {
    switch value {
    case .integer(let number): .integer(number)
    case .double(let number): Double(Int64(number)) == number ? .integer(Int64(number)) : .double(number)
    case .date(let date): .object(["date": .string(date.formatted(.iso8601))])
    default: .string("\(value)")
    }
  }

  private func compare(_ conflicts: [SaveConflict], _ expected: [JSONValue]) {
    func fail() { failures.append("conflicts \(conflicts), expected \(expected)") }
    guard conflicts.count == expected.count else { return fail() }
    for conflict in conflicts {
      guard let wanted = expected.first(where: { $0["object"]?.text == label(conflict.object) }) else { return fail() }
      let deleted: String? = conflict.deleted.map { $0 == .mine ? "mine" : "theirs" }
      guard deleted == wanted["deleted"]?.text, conflict.fields.count == wanted["fields"]?.fields?.count else {
        return fail()
      }
      for (name, field) in conflict.fields {
        guard let entry = wanted["fields"]?[name], equal(field.base, entry["base"]), equal(field.mine, entry["mine"]),
          equal(field.theirs, entry["theirs"])
        else { return fail() }
      }
    }
  }

  /// Returns whether a value equals JSON in which labels stand for objects.
  func equal(_ value: Value, _ json: JSONValue?) -> Bool {
    guard let json else { return value.isNull }
    if case .object(let id) = value { return label(id) == reference(json) }
    return CaseValue.value(json).map { CaseValue.matches(value, $0) } ?? false
  }

  private func compare(_ label: String, _ properties: JSONValue, _ name: String) throws {
    let object = try live(label, name)
    guard let fields = properties.fields else {
      if object != nil { failures.append("\(name): \(label) is there") }
      return
    }
    guard let object else { return failures.append("\(name): \(label) is not there") }
    for (key, expected) in fields {
      switch object.entity.property(named: key) {
      case nil: failures.append("\(name): \(label) has no \(key)")
      case .attribute:
        let value = try object.value(key)
        if !equal(value, expected) { failures.append("\(name): \(label).\(key) is \(value), expected \(expected)") }
        compareProperty(key, of: object) { ($0 as? Value) == value }
      case .relationship(let relationship) where relationship.isToMany:
        let actual = try object.objects(key).map { self.label($0.objectID) }
        let wanted = expected.texts
        let isEqual =
          relationship.isOrdered ? actual == wanted : Set(actual) == Set(wanted) && actual.count == wanted.count
        if !isEqual { failures.append("\(name): \(label).\(key) is \(actual), expected \(wanted)") }
        compareProperty(key, of: object) { ($0 as? [ManagedObject])?.map { self.label($0.objectID) } == actual }
      case .relationship:
        let actual = try object.object(key).map { self.label($0.objectID) }
        if actual != expected.text {
          failures.append("\(name): \(label).\(key) is \(actual ?? "nil"), expected \(expected)")
        }
        compareProperty(key, of: object) { ($0 as? ManagedObject).map { self.label($0.objectID) } == actual }
      }
    }
  }

  /// Checks that a declared property has the value that is read by name.
  private func compareProperty(_ key: String, of object: ManagedObject, _ isEqual: (Any?) -> Bool) {
    guard let property = CaseProperty.of(object, key) else { return }
    propertiesRead += 1
    if !isEqual(property.get(object)) { failures.append("the property \(key) has another value") }
  }
}
