import SeededRandom

@testable import ObjectGraph

/// Plays random steps in a context and on dictionaries.
struct RandomPlayer {
  private let model: RandomModel
  private let store: StoreDescription
  private var stack: ObjectStack
  private var context: ObjectContext
  private var ids: [Int: ObjectID] = [:]
  private var world = DictionaryWorld()
  private var saved = DictionaryWorld()
  private var undo: [DictionaryWorld] = []
  private var redo: [DictionaryWorld] = []
  private var savedStacks: (undo: [DictionaryWorld], redo: [DictionaryWorld]) = ([], [])

  init(_ model: RandomModel, store: StoreDescription) throws {
    self.model = model
    self.store = store
    stack = try ObjectStack(model: model.model, store: store)
    context = stack.newContext()
  }

  /// Returns how the context or the store differs from the dictionaries; nil if neither does.
  func problem() throws -> String? {
    let actual = try context.world(ids)
    if actual != world.normalized { return "context \(actual), expected \(world.normalized)" }
    let hasChanges = world.normalized != saved.normalized
    if context.hasChanges != hasChanges { return "hasChanges is not \(hasChanges)" }
    if context.canUndo == undo.isEmpty { return "canUndo is not \(!undo.isEmpty)" }
    if context.canRedo == redo.isEmpty { return "canRedo is not \(!redo.isEmpty)" }
    let stored = try stack.newContext().world(ids)
    return stored == saved.normalized ? nil : "store \(stored), expected \(saved.normalized)"
  }

  // MARK: - Steps

  mutating func play(_ random: inout SeededGenerator) throws -> String {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return try save()
    case 1: return try reopen()
    case 2, 3:
      if context.undo(), let world = undo.popLast() {
        redo.append(self.world)
        self.world = world
      }
      return "undo"
    case 4:
      if context.redo(), let world = redo.popLast() {
        undo.append(self.world)
        self.world = world
      }
      return "redo"
    case 5:
      context.rollback()
      world = saved
      (undo, redo) = savedStacks
      return "rollback"
    case 6:
      let before = world
      var names: [String] = []
      try context.undoGroup { names = try [edit(&random), edit(&random), edit(&random)] }
      return record(before, "group \(names)")
    default:
      let before = world
      let name = try edit(&random)
      return record(before, name)
    }
  }

  private mutating func record(_ before: DictionaryWorld, _ name: String) -> String {
    // The context's log decides: an edit and its opposite in one group are a step, but a single edit without effect is
    // not.
    if context.undoLog.undo.count > undo.count || before.normalized != world.normalized {
      undo.append(before)
      redo = []
    }
    return name
  }

  private mutating func save() throws -> String {
    try context.save()
    saved = world
    savedStacks = (undo, redo)
    for (label, id) in ids {
      if let object = try context.object(id) { ids[label] = object.objectID }
    }
    return "save"
  }

  private mutating func reopen() throws -> String {
    try context.save()
    for (label, id) in ids {
      if let object = try context.object(id) { ids[label] = object.objectID }
    }
    try stack.close()
    stack = try ObjectStack(model: model.model, store: store)
    context = stack.newContext()
    saved = world
    (undo, redo, savedStacks) = ([], [], ([], []))
    return "reopen"
  }

  private mutating func edit(_ random: inout SeededGenerator) throws -> String {
    guard let label = world.items.keys.sorted().randomElement(using: &random), let item = world.items[label],
      let id = ids[label], let object = try context.object(id), Int.random(in: 0..<5, using: &random) > 0
    else { return try insert(&random) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      try context.delete(object)
      world.delete(label)
      return "delete \(label)"
    case 1:
      let value: Value = Bool.random(using: &random) ? .null : .string("\(Int.random(in: 0..<3, using: &random))")
      guard item.values["text"] != nil else { return "nothing" }
      try object.set("text", to: value)
      world.items[label]?.values["text"] = value
      return "set \(label).text"
    default:
      guard let relationship = item.entity.relationships.randomElement(using: &random) else { return "nothing" }
      return try relate(object, label, relationship, &random)
    }
  }

  private mutating func insert(_ random: inout SeededGenerator) throws -> String {
    guard let entity = model.entities.randomElement(using: &random) else { return "nothing" }
    let label = ids.count
    ids[label] = try context.insert(entity.name).objectID
    world.insert(label, entity)
    return "insert \(label)"
  }

  private mutating func relate(
    _ object: ManagedObject, _ label: Int, _ relationship: Relationship, _ random: inout SeededGenerator
  ) throws -> String {
    let candidates = world.items.filter { $0.value.entity.isKind(of: relationship.destination) }.keys.sorted()
    guard let other = candidates.randomElement(using: &random), let id = ids[other], let member = try context.object(id)
    else { return "nothing" }
    let name = "\(label).\(relationship.name)"
    if !relationship.isToMany {
      let isNil = Int.random(in: 0..<4, using: &random) == 0
      try object.set(relationship.name, to: isNil ? nil : member)
      for old in world.members(label, relationship) where isNil || old != other {
        world.unlink(label, relationship, old)
      }
      if !isNil { world.link(label, relationship, other) }
      return "set \(name) to \(isNil ? -1 : other)"
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      try object.remove([member], from: relationship.name)
      if world.members(label, relationship).contains(other) { world.unlink(label, relationship, other) }
      return "remove \(other) from \(name)"
    case 1:
      let others = Array(candidates.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
      try object.set(relationship.name, to: others.map { try context.object(ids[$0]!)! })
      world.replace(label, relationship, with: others)
      return "set \(name) to \(others)"
    case 2 where relationship.isOrdered:
      let index = Int.random(in: 0...4, using: &random)
      try object.add([member], to: relationship.name, at: index)
      if world.members(label, relationship).contains(other) {
        world.move(label, relationship, other, to: index)
      } else {
        world.link(label, relationship, other, at: index)
      }
      return "add \(other) to \(name) at \(index)"
    default:
      try object.add([member], to: relationship.name)
      world.link(label, relationship, other)
      return "add \(other) to \(name)"
    }
  }
}
