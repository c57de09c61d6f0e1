import Testing

@testable import ObjectGraph

struct ObjectModelTests {
  private func failure(_ entities: [EntityDescription]) -> String? {
    do {
      _ = try ObjectModel(entities: entities)
      return nil
    } catch {
      guard case .badModel(let entity, let property, reason: _) = error else { return "\(error)" }
      return "\(entity).\(property ?? "")"
    }
  }

  @Test func aWrongDescriptionIsNamed() {
    let inverse = RelationshipDescription.toMany("all", "A", inverse: "one")
    let a = EntityDescription("A", relationships: [.toOne("one", "B", inverse: "all")])
    #expect(failure([a, EntityDescription("B", relationships: [inverse])]) == nil)
    #expect(failure([a]) == "A.one")
    #expect(failure([a, EntityDescription("B", relationships: [.toMany("all", "B", inverse: "one")])]) == "A.one")
    #expect(failure([EntityDescription("A"), EntityDescription("A")]) == "A.")
    #expect(failure([EntityDescription("A", parent: "A")]) == "A.")
    #expect(failure([EntityDescription("A", attributes: [AttributeDescription("n", .boolean, default: 1)])]) == "A.n")
    #expect(
      failure([EntityDescription("A", attributes: [AttributeDescription("n", .date, minimum: 1)])]) == "A.n")
  }

  /// Without an inverse, a deletion could not tell which objects it has to change. Core Data only warns about this.
  @Test func aRelationshipWithoutAnInverseIsRefused() {
    let alone = [
      RelationshipDescription.toOne("one", "B", inverse: ""), .toMany("many", "B", inverse: ""),
      .toMany("many", "B", inverse: "", isOrdered: true, deleteRule: .cascade),
      .toOne("one", "B", inverse: "", deleteRule: .deny), .toOne("one", "A", inverse: "", deleteRule: .noAction),
    ]
    for relationship in alone {
      let a = EntityDescription("A", relationships: [relationship])
      #expect(failure([a, EntityDescription("B")]) == "A.\(relationship.name)")
      // Even if the other entity has a relationship back, with another inverse.
      let related = EntityDescription("A", relationships: [.toOne("other", "B", inverse: "back"), relationship])
      let b = EntityDescription("B", relationships: [.toOne("back", "A", inverse: "other")])
      #expect(failure([related, b]) == "A.\(relationship.name)")
    }
  }

  /// Names are quoted, and names that SQLite cannot tell apart get numbers.
  @Test func anyNameWorksInSQLite() throws {
    let folder = try TemporaryFolder()
    let names = ["_id", "_Version", "name", "Name", "NAME#2", "select", "a\"b", "a'b]`", "sqlite_x", "é"]
    let entities = ["Select", "select", "sqlite_Table", "SQLITE_TABLE", "_object_graph", "a\"; DROP TABLE x; --"].map {
      entity in
      EntityDescription(
        entity, attributes: names.map { AttributeDescription($0, .string) },
        relationships: [
          .toMany("group", entity, inverse: "group", isOrdered: true), .toOne("order", entity, inverse: "table"),
          .toMany("table", entity, inverse: "order", isOrdered: true),
        ])
    }
    let model = try ObjectModel(entities: entities)
    let stack = try ObjectStack(model: model, store: .sqlite(folder.path("store")))
    let context = stack.newContext()
    var objects: [ManagedObject] = []
    for entity in entities {
      let object = try context.insert(entity.name)
      for name in names { try object.set(name, to: .string("\(entity.name) \(name)")) }
      try object.set("group", to: [object])
      try object.set("order", to: object)
      objects.append(object)
    }
    try context.save()
    let fresh = stack.newContext()
    for object in objects {
      let copy = try #require(try fresh.object(uri: object.objectID.uri))
      for name in names { #expect(try copy.value(name) == .string("\(object.entity.name) \(name)")) }
      #expect(try copy.objects("group").first === copy)
      #expect(try copy.objects("table").first === copy)
    }
  }

  @Test func stringsAreFoundByCoreDatasKeys() {
    let strings = LocalizationDictionary([
      "Entity/Person": "Kontakt", "Property/name": "Name", "Property/name/Entity/Person": "Voller Name",
      "ErrorString/missing": "fehlt",
    ])
    #expect(strings.name(ofEntity: "Person") == "Kontakt")
    #expect(strings.name(ofEntity: "Group") == "Group")
    #expect(strings.name(ofProperty: "name", entity: "Person") == "Voller Name")
    #expect(strings.name(ofProperty: "name", entity: "Group") == "Name")
    #expect(strings.name(ofProperty: "age", entity: "Group") == "age")
    #expect(strings.message("missing") == "fehlt")
    #expect(strings.message("other") == "other")
  }
}
