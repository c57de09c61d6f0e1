import SeededRandom
import Testing

@testable import ObjectGraph

/// Two contexts that edit and save the same objects with random merge policies. Whatever the policy, both ends of
/// relationships agree everywhere, a successful save leaves nothing to save, and after a rollback and a refresh all
/// contexts see the same.
struct TwoContextsTests {
  @Test(arguments: 0..<40)
  func bothContextsSeeTheSameAtTheEnd(_ run: Int) throws {
    let seed = TestSeed.seed(run)
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let model = try RandomModel(&random, rules: run % 3 == 0 ? DeleteRule.allCases : [.nullify, .cascade])
    let store: StoreDescription = run % 2 == 0 ? .sqlite(folder.path("store.db")) : .memory()
    var pair = try ContextPair(model, store)
    for number in 0..<60 {
      let step: String
      do { step = try pair.play(&random) } catch { throw CaseFailure("seed \(seed), step \(number): \(error)") }
      let problem = try pair.problem()
      try #require(problem == nil, "seed \(seed), step \(number) \(step): \(problem ?? "")")
    }
    let difference = try pair.difference()
    #expect(difference == nil, "seed \(seed): \(difference ?? "")")
  }
}

private struct ContextPair {
  let model: RandomModel
  let stack: ObjectStack
  let contexts: [ObjectContext]
  /// The objects that the test retains, by context.
  var held: [[ManagedObject]] = [[], []]

  init(_ model: RandomModel, _ store: StoreDescription) throws {
    self.model = model
    stack = try ObjectStack(model: model.model, store: store)
    contexts = [stack.newContext(), stack.newContext()]
  }

  mutating func play(_ random: inout SeededGenerator) throws -> String {
    let index = Int.random(in: 0...1, using: &random)
    let context = contexts[index]
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      context.mergePolicy = MergePolicy.allCases.randomElement(using: &random) ?? .error
      if let refusal = save(context) {
        switch refusal {
        case .conflicts, .validation: break
        default: throw refusal
        }
        if Bool.random(using: &random) { context.rollback() }
        return "\(index): refused save"
      }
      if context.hasChanges { throw CaseFailure("a save left \(context.changedObjects.map(\.objectID))") }
      return "\(index): save \(context.mergePolicy)"
    case 1:
      try context.refresh()
      return "\(index): refresh"
    case 2:
      if let object = try objects(index).randomElement(using: &random) {
        try context.refresh(object, keepsChanges: Bool.random(using: &random))
      }
      return "\(index): refresh one"
    case 3:
      if Bool.random(using: &random) { context.undo() } else { context.redo() }
      return "\(index): undo or redo"
    case 4:
      for object in try stackObjects(context) { held[index].append(object) }
      return "\(index): fetch"
    default: return "\(index): \(try edit(index, &random))"
    }
  }

  private func save(_ context: ObjectContext) -> ObjectGraphError? {
    do {
      try context.save()
      return nil
    } catch {
      return error
    }
  }

  private mutating func edit(_ index: Int, _ random: inout SeededGenerator) throws -> String {
    guard let object = try objects(index).randomElement(using: &random), Int.random(in: 0..<4, using: &random) > 0
    else {
      guard let entity = model.entities.randomElement(using: &random) else { return "nothing" }
      held[index].append(try contexts[index].insert(entity.name))
      return "insert"
    }
    if Int.random(in: 0..<8, using: &random) == 0 {
      try contexts[index].delete(object)
      return "delete \(object.objectID.key)"
    }
    guard let relationship = object.entity.relationships.randomElement(using: &random),
      let other = try objects(index).filter({ $0.entity.isKind(of: relationship.destination) })
        .randomElement(using: &random)
    else {
      try object.set("number", to: .integer(Int64.random(in: 0..<5, using: &random)))
      return "set"
    }
    let name = relationship.name
    if !relationship.isToMany {
      try object.set(name, to: Bool.random(using: &random) ? other : nil)
    } else if Bool.random(using: &random) {
      try object.add([other], to: name)
    } else {
      try object.remove([other], from: name)
    }
    return "relate \(object.objectID.key) \(name) \(other.objectID.key)"
  }

  private func objects(_ index: Int) throws -> [ManagedObject] { held[index].filter { !$0.isDeleted } }

  private func stackObjects(_ context: ObjectContext) throws -> [ManagedObject] {
    try model.entities.filter { $0.parent == nil }.flatMap { try context.fetch(ObjectFetchRequest($0.name)) }
  }

  // MARK: - Checks

  func problem() throws -> String? {
    for (index, context) in contexts.enumerated() {
      if let problem = try disagreement(context, held[index]) { return "context \(index): \(problem)" }
    }
    let fresh = stack.newContext()
    return try disagreement(fresh, stackObjects(fresh)).map { "store: \($0)" }
  }

  private func disagreement(_ context: ObjectContext, _ objects: [ManagedObject]) throws -> String? {
    for object in objects where !object.isDeleted {
      for relationship in object.entity.relationships {
        for other in try members(object, relationship) {
          if try !members(other, relationship.inverse).contains(where: { $0 === object }) {
            return "\(object.objectID) has \(other.objectID) by \(relationship.name), which does not have it"
          }
        }
      }
    }
    return nil
  }

  private func members(_ object: ManagedObject, _ relationship: Relationship) throws -> [ManagedObject] {
    relationship.isToMany
      ? try object.objects(relationship.name) : try object.object(relationship.name).map { [$0] } ?? []
  }

  /// Discards what is unsaved, and returns what a context sees differently from the store.
  func difference() throws -> String? {
    let fresh = stack.newContext()
    let all = try stackObjects(fresh)
    let ids = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($0, $1.objectID) })
    let expected = try fresh.world(ids)
    for (index, context) in contexts.enumerated() {
      context.rollback()
      try context.refresh()
      if context.hasChanges { return "context \(index) has changes after a rollback" }
      let actual = try context.world(ids)
      if actual != expected { return "context \(index) \(actual), store \(expected)" }
      let dead = held[index].filter { !$0.isDeleted && !ids.values.contains($0.objectID) }
      if !dead.isEmpty { return "context \(index) has \(dead.map(\.objectID))" }
    }
    return nil
  }
}
