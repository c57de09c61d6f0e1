import Testing

@testable import ObjectGraph

/// Which changes are steps, and what the steps are called.
@Suite struct UndoStepTests {
  /// Counts its saves. During each, it also tries an undo, which must be refused, and a group that fails, which must
  /// leave nothing behind.
  final class Page: ManagedObject {
    struct Failure: Error {}

    override func willSave() throws {
      guard let context, case .integer(let count) = try value("saves") else { return }
      if context.undo() { throw Failure() }
      try? context.undoGroup("Failing") {
        try set("text", to: "changed")
        throw Failure()
      }
      try context.undoGroup("Counting") { try set("saves", to: .integer(count + 1)) }
    }
  }

  private static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Page",
        attributes: [
          AttributeDescription("text", .string),
          AttributeDescription("saves", .integer, isOptional: false, default: 0),
        ], class: Page.self)
    ])
  }

  private let context: ObjectContext
  private let page: ManagedObject

  init() throws {
    context = try ObjectStack(model: Self.model(), store: .memory()).newContext()
    page = try context.insert("Page")
    try page.set("text", to: "a")
    try context.save()
    context.removeAllUndoSteps()
  }

  @Test func changesAreNoLongerCollectedWhenTheFlagIsOff() throws {
    context.collectsChanges = true
    try page.set("text", to: "b")
    try page.set("text", to: "c")
    context.collectsChanges = false
    try page.set("text", to: "d")
    try page.set("text", to: "e")
    for expected in ["d", "c", "a"] {
      #expect(context.undo())
      #expect(try page.value("text") == .string(expected))
    }
    #expect(!context.canUndo)
  }

  @Test func collectedChangesBeyondTheLimitCannotBeUndone() throws {
    try context.undoGroup("Rename") { try page.set("text", to: "b") }
    context.collectsChanges = true
    context.undoLimit = 0
    #expect(context.canUndo && context.undoName == "Rename")
    try page.set("text", to: "c")
    #expect(!context.canUndo && context.undoName == nil && !context.undo())
    #expect(try page.value("text") == "c")
  }

  @Test func theSaveOfAChildIsNamedAfterItsLatestSteps() throws {
    let child = context.newChild()
    let copy = try #require(try child.object(page.objectID))
    func save(_ text: Value, _ name: String = "") throws -> String? {
      try child.undoGroup(name) { try copy.set("text", to: text) }
      try child.save()
      return context.undoName
    }
    #expect(try save("b", "Rename") == "Rename")
    #expect(try save("c") == "")
    child.undo()
    child.undo()
    try child.save()
    #expect(context.undoName == "")
    #expect(child.redo())
    try child.save()
    #expect(context.undoName == "Rename")
  }

  @Test func aFailingGroupInASaveIsUndone() throws {
    try page.set("text", to: "b")
    try context.undoGroup("Rename") {
      try page.set("text", to: "c")
      try context.save()
      #expect(try page.value("text") == "c" && page.value("saves") == 2)
    }
    try page.set("text", to: "d")
    try context.save()
    for expected in ["c", "b", "a"] {
      #expect(context.undo())
      #expect(try page.value("text") == .string(expected) && page.value("saves") == 3)
    }
    #expect(!context.canUndo)
  }
}
