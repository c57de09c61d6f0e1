import Testing

@testable import ObjectGraph

/// A change to a part is a change to its owner: `EntityDescription.owner` and `ManagedObject.willSave`.
@Suite struct OwnerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns what a new context reads.
  private func stored(_ stack: ObjectStack, _ id: ObjectID) throws -> (version: Int64, name: Value, summary: Value)? {
    let context = stack.newContext()
    guard let object = try context.object(id) else { return nil }
    return (object.state.version, try object.value("name"), try object.value("summary"))
  }

  @Test(arguments: Wholes.Kind.allCases)
  func aChangeOfAPartChangesItsOwner(_ kind: Wholes.Kind) throws {
    let stack = try Wholes.stack(kind, folder)
    let context = stack.newContext()
    let whole = try Wholes.make(context)
    #expect(try stored(stack, whole.objectID)?.summary == "a,b")
    var version = try stored(stack, whole.objectID)?.version ?? 0
    func changed(_ summary: Value, _ change: () throws -> Void) throws {
      try change()
      try context.save()
      let now = try #require(try stored(stack, whole.objectID))
      #expect(now.summary == summary)
      #expect(kind == .marks || now.version == version + 1, "\(now) after \(version)")
      version = now.version
      #expect(!context.hasChanges)
    }
    let parts = try whole.objects("parts")
    try changed("c,b") { try parts[0].set("text", to: "c") }
    try changed("c,b,d") { try Wholes.add("d", to: whole) }
    try changed("b,c,d") { try whole.add([parts[1]], to: "parts", at: 0) }
    try changed("b,d") { try context.delete(parts[0]) }
    try changed("b,c,d") { context.undo() }
    try changed("b,c,d") { try whole.set("name", to: "two") }
  }

  @Test(arguments: Wholes.Kind.allCases)
  func movingAPartChangesBothOwners(_ kind: Wholes.Kind) throws {
    let stack = try Wholes.stack(kind, folder)
    let context = stack.newContext()
    let (first, second) = (try Wholes.make(context), try Wholes.make(context))
    let before = try [first, second].map { try stored(stack, $0.objectID)?.version ?? 0 }
    try first.objects("parts")[0].set("whole", to: second)
    try context.save()
    let after = try [first, second].map { try stored(stack, $0.objectID) }
    #expect(after.map { $0?.summary } == ["b", "a,b,a"])
    #expect(kind == .marks || after.map { $0?.version } == before.map { $0 + 1 })
  }

  /// One context changes a part, and the other the row of its owner.
  @Test(arguments: Wholes.Kind.allCases)
  func aPartAndItsOwnerConflictAndMerge(_ kind: Wholes.Kind) throws {
    let stack = try Wholes.stack(kind, folder)
    let (mine, theirs) = (stack.newContext(), stack.newContext())
    let whole = try Wholes.make(mine)
    let other = try #require(try theirs.object(whole.objectID))
    try other.objects("parts")[0].set("text", to: "x")
    try Wholes.add("y", to: other)
    try theirs.save()
    try whole.set("name", to: "mine")
    do {
      try mine.save()
      Issue.record("the save did not report that another context had saved the whole")
    } catch {
      guard case .conflicts(let conflicts) = error else { throw error }
      #expect(conflicts.map(\.object) == [whole.objectID])
    }
    #expect(try whole.value("summary") == "a,b")
    mine.mergePolicy = .byProperty
    try mine.save()
    let now = try #require(try stored(stack, whole.objectID))
    #expect(now.name == "mine")
    #expect(now.summary == "x,b,y")
    #expect(try whole.objects("parts").map { try $0.value("text") } == ["x", "b", "y"])
  }

  @Test(arguments: Wholes.Kind.allCases)
  func aPartThatBothSidesChangedIsAConflict(_ kind: Wholes.Kind) throws {
    let stack = try Wholes.stack(kind, folder)
    let mine = stack.newContext()
    let theirs = stack.newContext()
    mine.mergePolicy = .byProperty
    let whole = try Wholes.make(mine)
    let part = try whole.objects("parts")[0]
    let other = try #require(try theirs.object(whole.objectID))
    try other.objects("parts")[0].set("text", to: "x")
    try theirs.save()
    try part.set("text", to: "y")
    do {
      try mine.save()
      Issue.record("both changed the text")
    } catch {
      guard case .conflicts(let conflicts) = error else { throw error }
      #expect(conflicts.map(\.object) == [part.objectID])
      #expect(conflicts.first?.fields["text"] == SaveConflict.Field(base: "a", mine: "y", theirs: "x"))
    }
    mine.mergePolicy = .objectWins
    try mine.save()
    #expect(try stored(stack, whole.objectID)?.summary == "y,b")
  }

  /// A change to a part after its owner was deleted elsewhere is not silently lost.
  @Test(arguments: Wholes.Kind.allCases)
  func aPartOfADeletedOwnerIsAConflict(_ kind: Wholes.Kind) throws {
    let stack = try Wholes.stack(kind, folder)
    let (mine, theirs) = (stack.newContext(), stack.newContext())
    let whole = try Wholes.make(mine)
    try theirs.delete(try #require(try theirs.object(whole.objectID)))
    try theirs.save()
    try whole.objects("parts")[0].set("text", to: "y")
    do {
      try mine.save()
      Issue.record("the save did not report that the whole was deleted")
    } catch {
      guard case .conflicts = error else { throw error }
    }
    #expect(try stored(stack, whole.objectID) == nil)
  }

  @Test(arguments: Wholes.Kind.allCases)
  func aRefusedSaveRevertsDerivedChanges(_ kind: Wholes.Kind) throws {
    let stack = try Wholes.stack(kind, folder)
    let context = stack.newContext()
    let whole = try Wholes.make(context)
    let part = try whole.objects("parts")[0]
    try part.set("text", to: "too long")
    #expect(throws: ObjectGraphError.self) { try context.save() }
    #expect(try whole.value("summary") == "a,b")
    #expect(whole.hasChanges == false)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(try part.value("text") == "a")
  }

  @Test func anOwnerMustBeAToOneRelationship() throws {
    func model(_ owner: String) throws -> ObjectModel {
      try ObjectModel(entities: [
        EntityDescription("Whole", relationships: [.toMany("parts", "Part", inverse: "whole")]),
        EntityDescription(
          "Part", owner: owner, attributes: [AttributeDescription("text", .string)],
          relationships: [.toOne("whole", "Whole", inverse: "parts")]),
      ])
    }
    #expect(try model("whole").entity("Part").owner?.name == "whole")
    for wrong in ["text", "nothing"] {
      do {
        _ = try model(wrong)
        Issue.record("the owner \(wrong) was accepted")
      } catch ObjectGraphError.badModel(let entity, let property, reason: _) {
        #expect(entity == "Part" && property == wrong)
      }
    }
  }
}
