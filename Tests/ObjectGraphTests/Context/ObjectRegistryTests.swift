import Foundation
import SeededRandom
import Testing

@testable import ObjectGraph

@Suite struct ObjectRegistryTests {
  @Test(arguments: 1...20) func aRegistryEqualsADictionary(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let model = try ObjectModel(entities: [EntityDescription("Person"), EntityDescription("Company")])
    let stack = try ObjectStack(model: model, store: .memory())
    let context = stack.newContext()
    let store = UUID()
    let keys =
      (1...60).map { ObjectID.Key.permanent($0 << Int64(seed % 40)) } + (1...20).map { _ in .temporary(UUID()) }
    let ids = keys.flatMap { key in
      ["Person", "Company"].map { ObjectID(store: store, entity: $0, key: key) }
    }
    let objects = try (ids + ids).map {
      ManagedObject(entity: try model.entity($0.entity), objectID: $0, context: context)
    }
    var registry = ObjectRegistry()
    var dictionary: [ObjectID: ManagedObject] = [:]
    for _ in 0..<3000 {
      let object = try #require(objects.randomElement(using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2:
        registry.insert(object)
        dictionary[object.objectID] = object
      case 3:
        registry.remove(object)
        if dictionary[object.objectID] === object { dictionary[object.objectID] = nil }
      case 4:
        #expect(registry.remove(object.objectID) === dictionary.removeValue(forKey: object.objectID))
      default: registry.reserve(Int.random(in: 0..<40, using: &random))
      }
      #expect(registry.count == dictionary.count)
      #expect(registry.object(object.objectID) === dictionary[object.objectID])
    }
    for id in ids { #expect(registry.object(id) === dictionary[id]) }
    #expect(Set(registry.objects.map(ObjectIdentifier.init)) == Set(dictionary.values.map(ObjectIdentifier.init)))
  }

  @Test func anObjectOutlivesItsContext() throws {
    let model = try ObjectModel(entities: [
      EntityDescription("Person", attributes: [AttributeDescription("name", .string)])
    ])
    let stack = try ObjectStack(model: model, store: .memory())
    var context: ObjectContext? = stack.newContext()
    let person = try #require(try context?.insert("Person"))
    try person.set("name", to: "李斌")
    #expect(person.context === context)
    context = nil
    #expect(person.context == nil)
    #expect(try person.value("name") == "李斌")
  }
}
