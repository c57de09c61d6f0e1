@testable import ObjectGraph

/// Models made from descriptions in the case file.
enum CaseModel {
  static func model(_ json: JSONValue) throws -> ObjectModel {
    var templates: [String: ObjectFetchRequest] = [:]
    let maker = CaseRequest(id: { label in throw CaseFailure("an object in a template: \(label)") })
    for (name, template) in json["templates"]?.fields ?? [:] {
      var request = ObjectFetchRequest(template["entity"]?.text ?? "")
      try maker.apply(template, to: &request)
      templates[name] = request
    }
    return try ObjectModel(entities: try (json["entities"]?.items ?? []).map(entity), templates: templates)
  }

  private static func entity(_ json: JSONValue) throws -> EntityDescription {
    let name = json["name"]?.text ?? ""
    return EntityDescription(
      name, parent: json["parent"]?.text, isAbstract: json["abstract"]?.flag ?? false,
      attributes: try (json["attributes"]?.items ?? []).map { try attribute($0, entity: name) },
      relationships: (json["relationships"]?.items ?? []).map(relationship), rules: rules(json),
      renamingID: json["renamingID"]?.text)
  }

  private static func attribute(_ json: JSONValue, entity: String) throws -> AttributeDescription {
    let name = json["name"]?.text ?? ""
    // Types are an enumeration, so an unknown type cannot be described.
    guard let type = AttributeType(rawValue: json["type"]?.text ?? "") else {
      throw ObjectGraphError.badModel(entity: entity, property: name, reason: "unknown type")
    }
    return AttributeDescription(
      name, type, isOptional: json["optional"]?.flag ?? true,
      default: json["default"].flatMap(CaseValue.value) ?? .null,
      minimum: json["min"].flatMap(CaseValue.value), maximum: json["max"].flatMap(CaseValue.value),
      minimumLength: json["minLength"]?.number, maximumLength: json["maxLength"]?.number, pattern: json["regex"]?.text,
      rules: rules(json), renamingID: json["renamingID"]?.text)
  }

  private static func relationship(_ json: JSONValue) -> RelationshipDescription {
    var relationship = RelationshipDescription(
      name: json["name"]?.text ?? "", destination: json["destination"]?.text ?? "",
      inverse: json["inverse"]?.text ?? "")
    relationship.isToMany = json["toMany"]?.flag ?? false
    relationship.isOrdered = json["ordered"]?.flag ?? false
    relationship.deleteRule = DeleteRule(rawValue: json["deleteRule"]?.text ?? "") ?? .nullify
    relationship.isOptional = json["optional"]?.flag ?? true
    relationship.minimumCount = json["minCount"]?.number ?? 0
    relationship.maximumCount = json["maxCount"]?.number ?? 0
    relationship.renamingID = json["renamingID"]?.text
    return relationship
  }

  private static func rules(_ json: JSONValue) -> [ValidationRule] {
    (json["rules"]?.items ?? []).map { ValidationRule($0["predicate"]?.text ?? "", message: $0["message"]?.text ?? "") }
  }
}
