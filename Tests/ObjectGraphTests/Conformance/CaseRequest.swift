@testable import ObjectGraph

/// Makes requests from the fields of the case file.
struct CaseRequest {
  /// Returns the id of the object with a label.
  let id: (String) throws -> ObjectID

  func constant(_ json: JSONValue) throws -> PredicateConstant {
    if let items = json.items { return .list(try items.map(constant)) }
    if let label = json["object"]?.text { return .value(.object(try id(label))) }
    return .value(CaseValue.value(json) ?? .null)
  }

  /// Applies the fields of a step or a template to a request.
  func apply(_ json: JSONValue, to request: inout ObjectFetchRequest) throws {
    let arguments = try (json["args"]?.items ?? []).map(constant)
    if let text = json["predicate"]?.text {
      request.predicate = try ObjectPredicate(text, arguments: arguments)
    } else if !arguments.isEmpty {
      // In the library, arguments always belong to a predicate.
      throw InvalidPredicate.argumentCount(expected: 0, given: arguments.count)
    }
    if let variables = json["variables"]?.fields { request = request.binding(try variables.mapValues(constant)) }
    if let sort = json["sort"]?.items {
      request.sort = sort.map {
        SortKey($0["key"]?.text ?? "", ascending: $0["ascending"]?.flag ?? true, fold: fold($0["fold"]?.text ?? ""))
      }
    }
    if let limit = json["limit"]?.number { request.limit = limit }
    if let offset = json["offset"]?.number { request.offset = offset }
    if let flag = json["includesSubentities"]?.flag { request.includesSubentities = flag }
    if let flag = json["includesPendingChanges"]?.flag { request.includesPendingChanges = flag }
    if let prefetch = json["prefetch"] { request.prefetch = prefetch.texts }
    if let result = json["result"]?.text.flatMap(ObjectFetchRequest.Result.init) { request.result = result }
    if let properties = json["properties"]?.items { request.properties = properties.map(column) }
    if let groups = json["groupBy"] { request.groupBy = groups.texts }
    if let having = json["having"]?.text {
      request.having = try ObjectPredicate(having, arguments: try (json["havingArgs"]?.items ?? []).map(constant))
    }
    if let distinct = json["distinct"]?.flag { request.isDistinct = distinct }
  }

  private func fold(_ text: String) -> TextOptions {
    var options: TextOptions = []
    if text.contains("c") { options.insert(.caseInsensitive) }
    if text.contains("d") { options.insert(.diacriticInsensitive) }
    return options
  }

  private func column(_ json: JSONValue) -> FetchColumn {
    guard let name = json["name"]?.text else { return .keyPath(json.text ?? "") }
    let function = AggregateFunction(rawValue: json["function"]?.text ?? "") ?? .count
    return .function(name: name, function, keyPath: json["keyPath"]?.text ?? "")
  }
}
