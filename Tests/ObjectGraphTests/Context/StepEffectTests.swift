import Foundation
import Synchronization
import Testing

@testable import ObjectGraph

/// What is an undo step, and what belongs to it.
struct StepEffectTests {
  final class Person: Object {
    @Attribute var name: String?
    @Attribute var made: String?
    @ToMany(symmetric: true, ordered: true) var friends: [Person]
    @ToOne(symmetric: true) var spouse: Person?
    @ToOne(inverse: \Team.people) var team: Team?
    override func awakeFromInsert() { made = "here" }
  }

  final class Team: Object {
    @ToMany(ordered: true) var people: [Person]
  }

  final class Refused: Object {
    struct Refusal: Error {}
    override func awakeFromInsert() throws { throw Refusal() }
  }

  private static func model() throws -> ObjectModel {
    try ObjectModel(classes: [Person.self, Team.self, Refused.self])
  }

  private func context() throws -> ObjectContext {
    try ObjectStack(model: Self.model(), store: .memory()).newContext()
  }

  @Test func aGroupWithoutEffectIsNoStep() throws {
    let context = try context()
    let people = try (0..<3).map { number in
      try context.insert(Person.self) { $0.name = "\(number)" }
    }
    let (team, other) = (try context.insert("Team"), try context.insert("Team"))
    try team.add(people, to: "people")
    try people[0].add([people[1]], to: "friends")
    try context.save()
    context.removeAllUndoSteps()
    try people[0].set("name", to: "before")
    context.undo()
    func group(_ body: () throws -> Void) throws -> Bool {
      try context.undoGroup { try body() }
      return context.canUndo
    }
    #expect(try !group {})
    #expect(
      try !group {
        try people[0].set("name", to: "x")
        try people[0].set("name", to: "0")
      })
    #expect(
      try !group {
        try people[0].set("spouse", to: people[1])
        try people[0].set("spouse", to: nil as ManagedObject?)
      })
    #expect(
      try !group {
        try people[0].add([people[2]], to: "friends")
        try people[0].remove([people[2]], from: "friends")
      })
    #expect(
      try !group {
        try people[2].set("team", to: other)
        try people[2].set("team", to: team)
      })
    #expect(
      try !group {
        try team.add([people[0]], to: "people", at: 2)
        try team.add([people[0]], to: "people", at: 0)
      })
    #expect(
      try !group {
        let new = try context.insert(Person.self)
        try new.set("team", to: team)
        try new.add([people[0]], to: "friends")
        try context.delete(new)
      })
    // None of these dropped the step to redo.
    #expect(context.canRedo && !context.hasChanges)
    #expect(
      try group {
        try people[0].set("team", to: other)
        try people[0].set("team", to: team)
      }, "it is the last of the team now")
    #expect(context.undo() && !context.canUndo)
    #expect(try team.objects("people").map(\.objectID) == people.map(\.objectID))
    #expect(
      try group {
        try people[0].set("name", to: "x")
        try people[0].set("name", to: "y")
      })
  }

  @Test func collectedChangesWithoutEffectAreNoStep() throws {
    let context = try context()
    let person = try context.insert(Person.self)
    context.collectsChanges = true
    try person.set("name", to: "x")
    try person.set("name", to: Value.null)
    #expect(context.canUndo)
    #expect(context.undo() && person.isDeleted)
  }

  @Test func valuesSetInAnInsertionBelongToIt() throws {
    let context = try context()
    let person = try context.insert(Person.self) { $0.name = "Ann" }
    #expect(person.name == "Ann" && person.made == "here")
    let named = try context.insert("Person") { try $0.set("name", to: "Bob") }
    #expect(context.undo() && named.isDeleted && !person.isDeleted)
    #expect(context.undo() && person.isDeleted && !context.canUndo)
    #expect(context.redo())
    #expect(person.name == "Ann")
    #expect(throws: ObjectGraphError.self) { try context.insert("Person") { try $0.set("nme", to: "x") } }
    #expect(context.changedObjects.count == 1)
  }

  @Test func anInsertionMayBeRefused() throws {
    let context = try context()
    do {
      try context.insert(Refused.self)
      Issue.record("it was inserted")
    } catch {
      guard case .refused(let reason) = error, reason is Refused.Refusal else { throw error }
    }
    #expect(!context.hasChanges && !context.canUndo)
  }

  /// The deleted object keeps its reference for the undo, but the other one has left it.
  @Test func aDeniedObjectOfAOneToOneMayLeave() throws {
    let model = try ObjectModel(entities: [
      EntityDescription("Seat", relationships: [.toOne("guest", "Guest", inverse: "seat", deleteRule: .deny)]),
      EntityDescription("Guest", relationships: [.toOne("seat", "Seat", inverse: "guest")]),
    ])
    for way in 0..<5 {
      let stack = try ObjectStack(model: model, store: .memory())
      let context = stack.newContext()
      let (seat, other) = (try context.insert("Seat"), try context.insert("Seat"))
      let guest = try context.insert("Guest")
      try guest.set("seat", to: seat)
      try context.save()
      if way == 0 { try guest.set("seat", to: other) }
      try context.delete(seat)
      switch way {
      case 1: try guest.set("seat", to: other)
      case 2: try guest.set("seat", to: nil as ManagedObject?)
      case 3: try context.delete(guest)
      default: break
      }
      if way == 4 {
        #expect(throws: ObjectGraphError.self) { try context.save() }
        context.rollback()
        #expect(try guest.object("seat") === seat)
        continue
      }
      try context.save()
      let after = stack.newContext()
      #expect(try after.object(seat.objectID) == nil)
      if way < 2 { #expect(try #require(try after.object(guest.objectID)).object("seat")?.objectID == other.objectID) }
    }
  }

  /// A program keeps the URI of what was selected.
  @Test func uriOfAStoreInMemoryBesideAFileOpensAgain() throws {
    let folder = try TemporaryFolder()
    let model = try ObjectModel(entities: [EntityDescription("Page"), EntityDescription("Draft")])
    let identifier = UUID()
    func open() throws -> ObjectContext {
      try ObjectStack(
        model: model,
        stores: [
          .sqlite(folder.path("pages")), .memory(MemoryStorage(identifier: identifier), entities: ["Draft"]),
        ]
      ).newContext()
    }
    let first = try open()
    let (page, draft) = (try first.insert("Page"), try first.insert("Draft"))
    try first.save()
    let second = try open()
    #expect(try second.object(uri: page.objectID.uri)?.objectID == page.objectID)
    #expect(try second.object(uri: draft.objectID.uri) == nil)
    let again = try second.insert("Draft")
    try second.save()
    #expect(try second.object(uri: draft.objectID.uri) === again)
  }

  /// What begins and ends transactions is not counted.
  @Test func theTraceHasTheStatementsThatReadAndWriteObjects() throws {
    let folder = try TemporaryFolder()
    let traced = Statements()
    let stack = try ObjectStack(
      model: Self.model(), store: .sqlite(folder.path("store")),
      options: StackOptions(trace: { event in traced.all.withLock { $0.append(event.sql) } }))
    #expect(traced.take().isEmpty)
    let context = stack.newContext()
    let person = try context.insert(Person.self)
    try context.save()
    let words = traced.take().map { $0.prefix { $0 != " " } }
    #expect(words == ["SELECT", "INSERT"], "\(words)")
    try person.set("name", to: "x")
    try context.save()
    #expect(traced.take().map { $0.prefix { $0 != " " } } == ["SELECT", "UPDATE"])
    #expect(try stack.newContext().count(Person.all) == 1)
    #expect(traced.take().count == 1)
  }

  private final class Statements: Sendable {
    let all = Mutex<[String]>([])
    func take() -> [String] {
      all.withLock { all in
        defer { all = [] }
        return all
      }
    }
  }
}
