@testable import ObjectGraph

extension CasePlayer {
  func fetch(_ step: JSONValue, _ name: String) throws -> FetchResult {
    let context = try context(name)
    let maker = CaseRequest(id: { label in
      guard let id = self.labels[label] else { throw CaseFailure("no object \(label)") }
      return id
    })
    var request = ObjectFetchRequest(step["entity"]?.text ?? "")
    do {
      if let template = step["template"]?.text { request = try model.template(template) }
      try maker.apply(step, to: &request)
    } catch let error as InvalidPredicate {
      throw ObjectGraphError.predicate(error)
    }
    guard request.result == .objects else { return try context.result(of: request) }
    let objects = try context.fetch(request)
    for object in objects { hold(object, name) }
    return .objects(objects.map(\.objectID))
  }

  func compare(_ result: FetchResult, _ expect: JSONValue) {
    let kinds =
      switch result {
      case .objects: ["objects", "set"]
      case .count: ["count"]
      case .dictionaries: ["dictionaries", "dictionarySet"]
      }
    let expected = Self.resultKeys.filter { expect[$0] != nil }
    if expected.isEmpty || !expected.isSubset(of: kinds) { failures.append("\(result), expected \(expect)") }
    switch result {
    case .objects(let ids):
      let actual = ids.map(label)
      if let wanted = expect["objects"], actual != wanted.texts { failures.append("\(actual), expected \(wanted)") }
      if let wanted = expect["set"], actual.sorted() != wanted.texts.sorted() {
        failures.append("\(actual), expected the set \(wanted)")
      }
    case .count(let count):
      if let wanted = expect["count"]?.number, count != wanted { failures.append("count \(count), expected \(wanted)") }
    case .dictionaries(let rows):
      if let wanted = expect["dictionaries"]?.items {
        let isEqual = rows.count == wanted.count && zip(rows, wanted).allSatisfy(equal)
        if !isEqual { failures.append("\(rows), expected \(wanted)") }
      }
      if var wanted = expect["dictionarySet"]?.items {
        let missing = rows.filter { row in
          guard let index = wanted.firstIndex(where: { equal(row, $0) }) else { return true }
          wanted.remove(at: index)
          return false
        }
        if !missing.isEmpty || !wanted.isEmpty { failures.append("rows \(missing) too many, \(wanted) missing") }
      }
    }
  }

  private func equal(_ row: [String: Value], _ json: JSONValue) -> Bool {
    let keys = Set(row.keys).union(json.fields?.keys.map { $0 } ?? [])
    return keys.allSatisfy { equal(row[$0] ?? .null, json[$0]) }
  }
}
