import Foundation

@testable import ObjectGraph

/// Plays one case and collects what is not as expected.
final class CasePlayer {
  let header: JSONValue
  let item: JSONValue
  let world: CaseWorld
  var failures: [String] = []
  /// How often a declared property was set, or read.
  var propertiesSet = 0
  var propertiesRead = 0
  var contexts: [String: ObjectContext] = [:]
  /// The objects that the player retains, by context. A context itself retains only those with unsaved changes or undo
  /// steps.
  var held: [String: [ObjectIdentifier: ManagedObject]] = [:]
  var labels: [String: ObjectID] = [:]
  var uris: [String: String] = [:]
  var model: ObjectModel
  var modelJSON: JSONValue

  init(header: JSONValue, item: JSONValue, backend: CaseWorld.Backend) throws {
    self.header = header
    self.item = item
    world = try CaseWorld(item, backend: backend)
    modelJSON = Self.resolve(item["model"] ?? .null, header["models"])
    model = try Self.model(item["model"], modelJSON)
  }

  /// Makes the model of classes if there are classes for its name, and of descriptions otherwise.
  private static func model(_ name: JSONValue?, _ json: JSONValue) throws -> ObjectModel {
    let described = try CaseModel.model(json)
    guard let classes = name?.text.flatMap(CaseClasses.classes) else { return described }
    return try ObjectModel(classes: classes, templates: described.templates)
  }

  /// Returns the entry that the JSON names, or the JSON itself if it names none.
  static func resolve(_ json: JSONValue, _ named: JSONValue?) -> JSONValue {
    json.text.flatMap { named?[$0] } ?? json
  }

  /// Plays a case.
  /// - Returns: what is not as expected, and how often a declared property was set and read.
  static func play(
    header: JSONValue, item: JSONValue, backend: CaseWorld.Backend
  ) throws -> (failures: [String], set: Int, read: Int) {
    let player: CasePlayer
    do {
      player = try CasePlayer(header: header, item: item, backend: backend)
    } catch let error as ObjectGraphError {
      return (Self.check(error, item["expect"]), 0, 0)
    }
    defer { try? player.world.remove() }
    player.run()
    return (player.failures, player.propertiesSet, player.propertiesRead)
  }

  private static func check(_ error: ObjectGraphError, _ expect: JSONValue?) -> [String] {
    guard let expected = expect?["error"] else { return ["the model: \(error)"] }
    return CaseError(error, label: { _ in "?" }).mismatch(expected).map { [$0] } ?? []
  }

  private func run() {
    do {
      try world.open(model)
    } catch {
      failures += Self.check(ObjectGraphError(error), item["expect"])
      return
    }
    if item["steps"] == nil, item["expect"]?["error"] != nil {
      failures.append("opening should have failed")
      return
    }
    do {
      try newContext("main", policy: .error, load: false)
      try insertFixture()
      try load("main")
    } catch {
      failures.append("the fixture: \(error)")
      return
    }
    for (index, step) in (item["steps"]?.items ?? []).enumerated() {
      let before = failures.count
      play(step)
      for number in before..<failures.count {
        failures[number] = "step \(index) \(step["do"]?.text ?? ""): \(failures[number])"
      }
    }
  }

  // MARK: - Setting up

  private func insertFixture() throws {
    let fixture = Self.resolve(item["fixture"] ?? .null, header["fixtures"]).items ?? []
    let context = try context("main")
    guard !fixture.isEmpty else { return }
    for object in fixture {
      let entity = try model.entity(object["entity"]?.text ?? "")
      let new = try context.insert(entity.name)
      if let label = object["label"]?.text { labels[label] = new.objectID }
      hold(new, "main")
      let values = object["values"]?.fields ?? [:]
      try set(new, values.filter { entity.relationship(named: $0.key) == nil }, "main")
    }
    for object in fixture {
      let entity = try model.entity(object["entity"]?.text ?? "")
      let values = (object["values"]?.fields ?? [:]).filter { entity.relationship(named: $0.key) != nil }
      try set(try self.object(object["label"]?.text ?? "", "main"), values, "main")
    }
    try context.save()
    context.removeAllUndoSteps()
    learnIDs()
  }

  func newContext(_ name: String, policy: MergePolicy, load wanted: Bool) throws {
    guard let stack = world.stack else { throw CaseFailure("no stack") }
    contexts[name] = stack.newContext(mergePolicy: policy)
    held[name] = [:]
    if wanted { try load(name) }
  }

  /// Reads the labeled objects and their relationships, and retains the objects.
  func load(_ name: String) throws {
    let context = try context(name)
    for id in labels.values where id.store == (try? context.source.storeIdentifier(of: model.entity(id.entity))) {
      guard let object = try context.object(id) else { continue }
      hold(object, name)
      for relationship in object.entity.relationships {
        if relationship.isToMany {
          _ = try object.objects(relationship.name)
        } else {
          _ = try object.object(relationship.name)
        }
      }
    }
  }

  // MARK: - Objects

  func context(_ name: String) throws -> ObjectContext {
    guard let context = contexts[name] else { throw CaseFailure("no context \(name)") }
    return context
  }

  func hold(_ object: ManagedObject, _ name: String) {
    held[name, default: [:]][ObjectIdentifier(object)] = object
  }

  /// Returns the live object of a label; nil if there is none.
  func live(_ label: String, _ name: String) throws -> ManagedObject? {
    guard let id = labels[label] else { return nil }
    guard model.entity(named: id.entity) != nil else { return nil }
    let object = try context(name).object(id)
    if let object {
      if try context(name).object(id) !== object { failures.append("\(label) is not one instance") }
      if held[name]?.values.contains(where: { $0 !== object && $0.objectID == object.objectID && !$0.isDeleted })
        == true
      {
        failures.append("\(label) has two instances")
      }
      hold(object, name)
    }
    return object
  }

  /// Returns the object of a label, deleted or not.
  func object(_ label: String, _ name: String) throws -> ManagedObject {
    if let object = try live(label, name) { return object }
    guard let id = labels[label] else { throw CaseFailure("no object \(label)") }
    guard let object = held[name]?.values.first(where: { $0.objectID == id }) else {
      throw ObjectGraphError.deletedObject(id)
    }
    return object
  }

  func label(_ id: ObjectID) -> String {
    labels.first { $0.value == id }?.key ?? id.description
  }

  /// Replaces temporary ids with those that objects get in their first save.
  func learnIDs() {
    for (label, id) in labels where id.isTemporary {
      for name in contexts.keys {
        if let object = try? live(label, name), !object.objectID.isTemporary { labels[label] = object.objectID }
      }
      for object in held.values.flatMap(\.values) where object.objectID == id { labels[label] = object.objectID }
    }
  }

  // MARK: - Edits

  func set(_ object: ManagedObject, _ values: [String: JSONValue], _ name: String) throws {
    for (key, json) in values {
      guard let relationship = object.entity.relationship(named: key) else {
        guard let value = CaseValue.value(json) else {
          throw ObjectGraphError.typeMismatch(entity: object.entity.name, property: key)
        }
        if try !setProperty(key, of: object, to: value) { try object.set(key, to: value) }
        continue
      }
      if let items = json.items {
        let members = try items.map { try self.object(reference($0) ?? "", name) }
        if try !setProperty(key, of: object, to: members) { try object.set(key, to: members) }
      } else if let label = reference(json) {
        let other = try self.object(label, name)
        if try !setProperty(key, of: object, to: other) { try object.set(key, to: other) }
      } else if json == .null, !relationship.isToMany {
        if try !setProperty(key, of: object, to: nil) { try object.set(key, to: nil as ManagedObject?) }
      } else {
        throw ObjectGraphError.typeMismatch(entity: object.entity.name, property: key)
      }
    }
  }

  /// Sets the property that the object's class declares.
  /// - Returns: false if it has none, or the compiler would refuse the value.
  private func setProperty(_ name: String, of object: ManagedObject, to value: Any?) throws -> Bool {
    guard let property = CaseProperty.of(object, name), property.set(object, value) else { return false }
    propertiesSet += 1
    try object.context?.throwFailure()
    return true
  }

  func reference(_ json: JSONValue) -> String? { json.text ?? json["object"]?.text }
}

/// A disagreement between the case file and the harness.
struct CaseFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
