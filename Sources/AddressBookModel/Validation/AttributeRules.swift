import Contacts
import GRDB

/// What the description of an entity alone demands of an object.
enum AttributeRules {
  static func issues(in object: ManagedObject) throws(StoreError) -> [ValidationIssue] {
    var issues: [ValidationIssue] = []
    for (place, attribute) in object.entity.attributes.enumerated() {
      let value = object.values[place]
      if value.isNull {
        if !attribute.isOptional { issues.append(issue(object, attribute.name, "missing")) }
        continue
      }
      guard holds(value, attribute.kind) else {
        issues.append(issue(object, attribute.name, "kind"))
        continue
      }
      if let limit = attribute.maximumLength, let text = String.fromDatabaseValue(value),
        text.utf8.count > limit, text.unicodeScalars.count > limit
      {
        issues.append(issue(object, attribute.name, "tooLong", [String(limit)]))
      }
    }
    for (place, relationship) in object.entity.relationships.enumerated() {
      if relationship.isToOne {
        if !relationship.isOptional, object.links[place] == nil {
          issues.append(issue(object, relationship.name, "missing"))
        }
      } else if !relationship.isOptional || relationship.maximumCount != nil {
        let count = try object.context.list(of: object, place).ids.count
        if !relationship.isOptional, count == 0 { issues.append(issue(object, relationship.name, "missing")) }
        if let most = relationship.maximumCount, count > most {
          issues.append(issue(object, relationship.name, "tooMany", [String(most)]))
        }
      }
    }
    return issues
  }

  /// Relationships whose rule forbids that the object is deleted.
  static func issuesOfDeletion(of object: ManagedObject) throws(StoreError) -> [ValidationIssue] {
    var issues: [ValidationIssue] = []
    for (place, relationship) in object.entity.relationships.enumerated() where relationship.deleteRule == .deny {
      let others =
        relationship.isToOne
        ? object.links[place].map { [$0] } ?? [] : try object.context.list(of: object, place).ids
      let count = try object.context.objects(others).count
      if count > 0 { issues.append(issue(object, relationship.name, "denied", [String(count)])) }
    }
    return issues
  }

  private static func issue(
    _ object: ManagedObject, _ property: String, _ rule: String, _ arguments: [String] = []
  ) -> ValidationIssue {
    ValidationIssue(entity: object.entity.name, property: property, rule: rule, arguments: arguments)
  }

  private static func holds(_ value: DatabaseValue, _ kind: AttributeDescription.Kind) -> Bool {
    switch (value.storage, kind) {
    case (.int64, .integer), (.double, .real), (.int64, .real), (.string, .text), (.blob, .data): return true
    default: return false
    }
  }
}
