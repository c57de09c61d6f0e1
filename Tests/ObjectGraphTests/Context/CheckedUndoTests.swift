import Testing

@testable import ObjectGraph

/// Undo and redo after others have saved the same objects.
@Suite struct CheckedUndoTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Two contexts with the same owner of parts.
  private struct Two {
    let stack: ObjectStack
    let mine: ObjectContext
    let theirs: ObjectContext
    let whole: ManagedObject

    init(_ kind: Wholes.Kind, _ folder: TemporaryFolder) throws {
      stack = try Wholes.stack(kind, folder)
      mine = stack.newContext()
      theirs = stack.newContext()
      whole = try Wholes.make(mine)
      mine.mergePolicy = .byProperty
    }

    /// Returns the owner in the other context, as it was last saved.
    func other() throws -> ManagedObject {
      try theirs.refresh()
      return try #require(try theirs.object(whole.objectID))
    }

    func step(_ change: () throws -> Void) throws {
      try mine.undoGroup("Step") { try change() }
      try mine.save()
    }

    func foreign(_ change: (ManagedObject) throws -> Void) throws {
      try change(try other())
      try theirs.save()
    }

    /// Returns the conflicts of an undo or redo. If there are none, saves the result and returns nil.
    func raisedConflicts(_ move: () throws -> Bool) throws -> [SaveConflict]? {
      do {
        #expect(try move())
        try mine.save()
        return nil
      } catch ObjectGraphError.conflicts(let conflicts) {
        #expect(!mine.hasChanges)
        return conflicts
      }
    }

    func stored(_ key: String) throws -> Value? {
      let context = stack.newContext()
      return try context.object(whole.objectID)?.value(key)
    }
  }

  @Test(arguments: Wholes.Kind.allCases)
  func undoingAFieldThatWasSavedSinceIsAConflict(_ kind: Wholes.Kind) throws {
    let two = try Two(kind, folder)
    try two.step {
      try two.whole.set("name", to: "two")
      try two.whole.set("note", to: "mine")
    }
    try two.foreign { try $0.set("name", to: "three") }
    let conflicts = try two.raisedConflicts { try two.mine.undo(.byProperty) }
    #expect(conflicts?.map(\.object) == [two.whole.objectID])
    #expect(conflicts?.first?.fields == ["name": SaveConflict.Field(base: "two", mine: "one", theirs: "three")])
    #expect(two.mine.undoName == "Step")
    #expect(try two.raisedConflicts { try two.mine.undo(.storeWins) } == nil)
    #expect(try two.stored("name") == "three" && two.stored("note") == .null)
    // A redo repeats what the undo reversed, and leaves the rest alone.
    #expect(try two.raisedConflicts { try two.mine.redo(.byProperty) } == nil)
    #expect(try two.stored("name") == "three" && two.stored("note") == "mine")
  }

  @Test(arguments: Wholes.Kind.allCases)
  func undoWithMineOverwritesLaterChanges(_ kind: Wholes.Kind) throws {
    let two = try Two(kind, folder)
    try two.step { try two.whole.set("name", to: "two") }
    try two.foreign { try $0.set("name", to: "three") }
    #expect(try two.raisedConflicts { try two.mine.undo(.objectWins) } == nil)
    #expect(try two.stored("name") == "one")
    #expect(try two.raisedConflicts { try two.mine.redo(.byProperty) } == nil)
    #expect(try two.stored("name") == "two")
  }

  @Test(arguments: Wholes.Kind.allCases)
  func undoLeavesOtherFieldsAlone(_ kind: Wholes.Kind) throws {
    let two = try Two(kind, folder)
    let part = try two.whole.objects("parts")[0]
    try two.step { try part.set("text", to: "c") }
    try two.foreign {
      try $0.set("name", to: "theirs")
      try $0.objects("parts")[1].set("text", to: "x")
      try Wholes.add("y", to: $0)
    }
    #expect(try two.raisedConflicts { try two.mine.undo(.byProperty) } == nil)
    #expect(try two.stored("name") == "theirs" && two.stored("summary") == "a,x,y")
  }

  @Test(arguments: Wholes.Kind.allCases)
  func undoingAnAddedPartThatOthersChangedIsAConflict(_ kind: Wholes.Kind) throws {
    let two = try Two(kind, folder)
    try two.step { try Wholes.add("c", to: two.whole) }
    try two.foreign { try $0.objects("parts")[2].set("text", to: "x") }
    let conflicts = try two.raisedConflicts { try two.mine.undo(.byProperty) }
    #expect(conflicts?.map(\.deleted) == [.mine])
    #expect(try two.raisedConflicts { try two.mine.undo(.storeWins) } == nil)
    #expect(try two.stored("summary") == "a,b,x")
  }

  @Test(arguments: Wholes.Kind.allCases)
  func undoRemovesAnAddedPartThatNobodyChanged(_ kind: Wholes.Kind) throws {
    let two = try Two(kind, folder)
    try two.step { try Wholes.add("c", to: two.whole) }
    try two.foreign { try $0.set("name", to: "theirs") }
    #expect(try two.raisedConflicts { try two.mine.undo(.byProperty) } == nil)
    #expect(try two.stored("summary") == "a,b" && two.stored("name") == "theirs")
    #expect(try two.raisedConflicts { try two.mine.redo(.byProperty) } == nil)
    #expect(try two.stored("summary") == "a,b,c")
  }

  @Test(arguments: Wholes.Kind.allCases)
  func undoingAChangeOfARemovedPartIsAConflict(_ kind: Wholes.Kind) throws {
    let two = try Two(kind, folder)
    let part = try two.whole.objects("parts")[0]
    try two.step { try part.set("text", to: "c") }
    try two.foreign { try two.theirs.delete($0.objects("parts")[0]) }
    let conflicts = try two.raisedConflicts { try two.mine.undo(.byProperty) }
    #expect(conflicts?.map(\.deleted) == [.theirs])
    #expect(try two.raisedConflicts { try two.mine.undo(.storeWins) } == nil)
    #expect(try two.stored("summary") == "b")
  }

  @Test(arguments: Wholes.Kind.allCases)
  func undoWithMineRestoresARemovedPart(_ kind: Wholes.Kind) throws {
    let two = try Two(kind, folder)
    let part = try two.whole.objects("parts")[0]
    try two.step { try part.set("text", to: "c") }
    try two.foreign { try two.theirs.delete($0.objects("parts")[0]) }
    #expect(try two.raisedConflicts { try two.mine.undo(.objectWins) } == nil)
    let context = two.stack.newContext()
    let parts = try context.object(two.whole.objectID)?.objects("parts") ?? []
    #expect(Set(try parts.map { try $0.value("text") }) == ["a", "b"])
    #expect(parts.contains { $0.objectID == part.objectID })
  }

  @Test(arguments: Wholes.Kind.allCases)
  func aDeletionIsUndoneAndRedone(_ kind: Wholes.Kind) throws {
    let two = try Two(kind, folder)
    try two.step { try two.mine.delete(two.whole) }
    #expect(try two.stored("name") == nil)
    #expect(try two.raisedConflicts { try two.mine.undo(.byProperty) } == nil)
    #expect(try two.stored("name") == "one" && two.stored("summary") == "a,b")
    #expect(try two.raisedConflicts { try two.mine.redo(.byProperty) } == nil)
    #expect(try two.stored("name") == nil)
    #expect(try two.raisedConflicts { try two.mine.undo(.byProperty) } == nil)
    // A change to a part by someone else is a change to its owner.
    try two.foreign { try $0.objects("parts")[0].set("text", to: "x") }
    let conflicts = try two.raisedConflicts { try two.mine.redo(.byProperty) }
    #expect(conflicts?.contains { $0.object == two.whole.objectID && $0.deleted == .mine } == true)
    #expect(try two.raisedConflicts { try two.mine.redo(.storeWins) } == nil)
    #expect(try two.stored("name") == "one" && two.stored("summary") == "x,b")
  }

  @Test func relationshipsAddedByOthersStay() throws {
    let two = try Two(.sqlite, folder)
    let circle = try two.mine.insert("Circle")
    try two.mine.save()
    try two.step { try circle.add([two.whole], to: "wholes") }
    try two.foreign { other in
      let theirs = try #require(try two.theirs.object(circle.objectID))
      try theirs.add([try two.theirs.insert("Whole")], to: "wholes")
      try other.set("note", to: "x")
    }
    #expect(try two.raisedConflicts { try two.mine.undo(.byProperty) } == nil)
    let context = two.stack.newContext()
    #expect(try context.object(circle.objectID)?.objects("wholes").count == 1)
    #expect(try context.object(two.whole.objectID)?.objects("circles").isEmpty == true)
  }

  @Test func withoutAStepUndoDoesNothing() throws {
    let two = try Two(.memory, folder)
    two.mine.removeAllUndoSteps()
    #expect(try !two.mine.undo(.error) && !two.mine.redo(.error))
  }
}
