import Foundation
import Synchronization
import Testing

@testable import ObjectGraph

struct ObjectContextTests {
  private static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Node", attributes: [AttributeDescription("name", .string), AttributeDescription("real", .double)],
        relationships: [
          .toOne("next", "Node", inverse: "previous", deleteRule: .cascade),
          .toOne("previous", "Node", inverse: "next"), .toOne("group", "Group", inverse: "nodes"),
        ]),
      EntityDescription(
        "Group", attributes: [AttributeDescription("name", .string)],
        relationships: [.toMany("nodes", "Node", inverse: "group")]),
    ])
  }

  /// Counts the statements that read objects.
  private final class Counter: Sendable {
    private let count = Mutex(0)
    func add(_ sql: String) { if sql.hasPrefix("SELECT t.") { count.withLock { $0 += 1 } } }
    func take() -> Int {
      count.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  /// A context does not retain objects that it only read, and an object that outlives its context does not retain
  /// related objects.
  @Test func unreferencedObjectsAreReleased() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let filling = stack.newContext()
    let (node, group) = (try filling.insert("Node"), try filling.insert("Group"))
    try node.set("name", to: "a")
    try node.set("group", to: group)
    try filling.save()
    var context: ObjectContext? = stack.newContext()
    for _ in 0..<3 {
      weak var gone: ManagedObject?
      do {
        let read = try #require(try context?.object("Group", number: group.objectID.number ?? 0))
        gone = read
        #expect(context?.registeredObjects.count == 1)
      }
      #expect(gone == nil)
      #expect(context?.registeredObjects.isEmpty == true)
    }
    let survivor = try #require(try context?.object(node.objectID))
    weak let other = try survivor.object("group")
    #expect(other != nil)
    context = nil
    #expect(other == nil)
    #expect(try survivor.value("name") == "a")
  }

  @Test func aOneToOneIsClearedOnAnUnreadObject() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let filling = stack.newContext()
    let (first, second) = (try filling.insert("Node"), try filling.insert("Node"))
    try first.set("next", to: second)
    try filling.save()
    let context = stack.newContext()
    let read = try #require(try context.object(first.objectID))
    try read.set("next", to: nil as ManagedObject?)
    try context.save()
    let after = stack.newContext()
    #expect(try #require(try after.object(second.objectID)).object("previous") == nil)
  }

  @Test func aMemberIsRemovedFromAnUnreadObject() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let filling = stack.newContext()
    let (node, group) = (try filling.insert("Node"), try filling.insert("Group"))
    try node.set("group", to: group)
    try filling.save()
    let context = stack.newContext()
    let read = try #require(try context.object(node.objectID))
    try read.set("group", to: nil as ManagedObject?)
    try context.save()
    let after = stack.newContext()
    #expect(try after.object(group.objectID)?.objects("nodes").isEmpty == true)
  }

  @Test func faultsAreReadTogether() throws {
    let folder = try TemporaryFolder()
    let counter = Counter()
    let stack = try ObjectStack(
      model: try Self.model(), store: .sqlite(folder.path("store")),
      options: StackOptions(trace: { counter.add($0.sql) }))
    let filling = stack.newContext()
    let nodes = try (0..<50).map { number in
      let (node, group) = (try filling.insert("Node"), try filling.insert("Group"))
      try group.set("name", to: .string("\(number)"))
      try node.set("group", to: group)
      return node
    }
    try filling.save()
    let context = stack.newContext()
    let read = try context.objects(nodes.map(\.objectID))
    _ = counter.take()
    let groups = try read.map { try #require(try $0.object("group")) }
    #expect(groups.allSatisfy { $0.isFault })
    #expect(try groups.map { try $0.value("name") } == (0..<50).map { .string("\($0)") })
    #expect(counter.take() == 1)
    try context.prefetch(["nodes"], of: groups)
    #expect(counter.take() == 1)
    #expect(try groups.allSatisfy { try $0.objects("nodes").count == 1 })
    #expect(counter.take() == 0)
  }

  @Test func aLongChainNeedsNoDeepStack() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    var context: ObjectContext? = stack.newContext()
    context?.undoLimit = 1
    let count = 20_000
    let first = try #require(try context?.insert("Node"))
    var last = first
    try context?.undoGroup {
      for _ in 1..<count {
        guard let node = try context?.insert("Node") else { return }
        try last.set("next", to: node)
        last = node
      }
    }
    try context?.save()
    try context?.delete(first)
    #expect(last.isDeleted)
    try context?.save()
    context = nil
    #expect(last.context == nil)
  }

  /// Attributes that were read remain; no object and no list is made up.
  @Test func anObjectWithoutItsContextThrows() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    var context: ObjectContext? = stack.newContext()
    let node = try #require(try context?.insert("Node"))
    let group = try #require(try context?.insert("Group"))
    try node.set("name", to: "left")
    try node.set("group", to: group)
    try context?.save()
    let new = try #require(try context?.insert("Group"))
    context = nil
    let fetched = try stack.newContext().fetch(ObjectFetchRequest("Group"))[0]
    #expect(try node.value("name") == "left" && fetched.value("name").isNull)
    func refused(_ use: () throws(ObjectGraphError) -> Void) -> Bool {
      do throws(ObjectGraphError) {
        try use()
        return false
      } catch {
        if case .contextGone = error { return true }
        return false
      }
    }
    #expect(refused { () throws(ObjectGraphError) in _ = try node.value("group") })
    #expect(refused { () throws(ObjectGraphError) in _ = try node.object("group") })
    #expect(refused { () throws(ObjectGraphError) in try node.set("name", to: "x") })
    for group in [group, new, fetched] {
      #expect(refused { () throws(ObjectGraphError) in _ = try group.objects("nodes") })
      #expect(refused { () throws(ObjectGraphError) in try group.add([], to: "nodes") })
    }
    #expect(node.context == nil && !node.hasChanges)
  }

  @Test func everyReadOfAnObjectThatIsGoneThrowsUnlessItWasReadBefore() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let filling = stack.newContext()
    let (first, second) = (try filling.insert("Node"), try filling.insert("Node"))
    try second.set("name", to: "b")
    try first.set("next", to: second)
    try filling.save()
    let (context, other) = (stack.newContext(), stack.newContext())
    let fault = try #require(try context.object(first.objectID)?.object("next"))
    let read = try #require(try other.object(second.objectID))
    try filling.delete(second)
    try filling.save()
    for _ in 0..<2 {
      for name in ["name", "group"] { #expect(throws: ObjectGraphError.self) { try fault.value(name) } }
      #expect(throws: ObjectGraphError.self) { try fault.object("group") }
      #expect(fault.isDeleted && !fault.isFault)
    }
    try other.refresh()
    #expect(read.isDeleted)
    #expect(try read.value("name") == "b")
    #expect(filling.undo())
    try filling.save()
    try context.refresh()
    #expect(try fault.value("name") == "b")
  }

  @Test func valuesThatSomeStoresCannotHoldAreRefused() throws {
    let context = try ObjectStack(model: try Self.model(), store: .memory()).newContext()
    let node = try context.insert("Node")
    #expect(throws: ObjectGraphError.self) { try node.set("real", to: .double(.nan)) }
    #expect(throws: ObjectGraphError.self) { try node.set("name", to: "a\u{0}b") }
    #expect(try node.value("name").isNull)
  }

  @Test func objectsOfAnotherContextAreRefused() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let (here, there) = (stack.newContext(), stack.newContext())
    let (node, other) = (try here.insert("Node"), try there.insert("Node"))
    do {
      try node.set("next", to: other)
      Issue.record("it was related")
    } catch {
      guard case .foreignObject(other.objectID) = error else { throw error }
    }
    #expect(try node.object("next") == nil)
  }

  @Test func onlyALiveObjectOfTheContextGetsANewObject() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let (here, there) = (stack.newContext(), stack.newContext())
    let (node, other) = (try here.insert("Node"), try there.insert("Node"))
    try here.delete(node)
    #expect(throws: ObjectGraphError.self) { try here.insert("next", of: node) }
    #expect(throws: ObjectGraphError.self) { try here.insert("next", of: other) }
    #expect(!here.hasChanges && there.changedObjects.count == 1)
  }

  @Test func aTemporaryURILeadsToTheObjectAfterTheSave() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let context = stack.newContext()
    let child = context.newChild()
    let node = try child.insert("Node")
    let uri = node.objectID.uri
    try child.save()
    try context.save()
    #expect(!node.objectID.isTemporary)
    #expect(try child.object(uri: uri) === node)
    #expect(try context.object(uri: uri)?.objectID == node.objectID)
    #expect(try stack.newContext().object(uri: uri) == nil)
    #expect(try stack.newContext().object(uri: node.objectID.uri) != nil)
  }

  @Test func undoStepsHaveNames() throws {
    let context = try ObjectStack(model: try Self.model(), store: .memory()).newContext()
    try context.undoGroup("Rename") { try context.insert("Node").set("name", to: "a") }
    #expect(context.undoName == "Rename")
    #expect(context.undo())
    #expect(context.redoName == "Rename")
    #expect(!context.canUndo && context.canRedo && !context.hasChanges)
  }

  /// A step that was kept would be undone on top of the unrecorded change.
  @Test func aChangeThatIsNotRecordedDropsAllSteps() throws {
    let context = try ObjectStack(model: try Self.model(), store: .memory()).newContext()
    let node = try context.insert("Node")
    for name in ["a", "b", "c"] { try node.set("name", to: .string(name)) }
    #expect(context.undo())
    context.undoLimit = 0
    #expect(context.undo() && context.redo())
    try node.set("name", to: "d")
    #expect(!context.canUndo && !context.canRedo)
    context.undoLimit = 1
    try node.set("name", to: "e")
    #expect(context.undo() && !context.undo())
    #expect(try node.value("name") == "d")
  }

  @Test func changesOutsideOfGroupsCanBeOneStep() throws {
    let context = try ObjectStack(model: try Self.model(), store: .memory()).newContext()
    context.collectsChanges = true
    let node = try context.insert("Node")
    try node.set("name", to: "a")
    try node.set("real", to: 1)
    #expect(context.canUndo && context.undoName == "")
    try context.undoGroup("Rename") { try node.set("name", to: "b") }
    try node.set("name", to: "c")
    try context.save()
    try node.set("name", to: "d")
    for expected in ["c", "b", "a"] {
      #expect(context.undo())
      #expect(try node.value("name") == .string(expected))
    }
    #expect(context.undo())
    #expect(node.isDeleted && !context.canUndo)
    while context.redo() {}
    #expect(try node.value("name") == "d")
    context.rollback()
    #expect(try node.value("name") == "c")
    // A group that fails reverts its own changes only.
    try node.set("real", to: 2)
    #expect(throws: ObjectGraphError.self) {
      try context.undoGroup {
        try node.set("real", to: 3)
        try node.set("name", to: 3)
      }
    }
    #expect(try node.value("real") == 2.0)
  }

  /// Undo and redo do nothing in the body of a group, and neither a group inside it nor a save divides it.
  @Test(arguments: ["", "Outer"], [false, true]) func aRunningGroupIsOneStep(_ name: String, collects: Bool) throws {
    let context = try ObjectStack(model: try Self.model(), store: .memory()).newContext()
    context.collectsChanges = collects
    let node = try context.insert("Node")
    try node.set("name", to: "a")
    try context.save()
    try context.undoGroup(name) {
      try node.set("name", to: "b")
      #expect(!context.undo() && !context.redo())
      #expect(try !context.undo(.objectWins) && !context.redo(.objectWins))
      try context.undoGroup("Inner") { try node.set("real", to: 1) }
      try context.save()
      try node.set("name", to: "c")
    }
    #expect(context.undoName == name)
    #expect(context.undo())
    #expect(try node.value("name") == "a" && node.value("real") == .null)
    #expect(throws: ObjectGraphError.self) {
      try context.undoGroup(name) {
        try node.set("name", to: "d")
        try context.save()
        try node.set("name", to: 3)
      }
    }
    #expect(try node.value("name") == "a")
  }

  @Test func collectedChangesAreRemovedWithAllSteps() throws {
    let context = try ObjectStack(model: try Self.model(), store: .memory()).newContext()
    context.collectsChanges = true
    let node = try context.insert("Node")
    try node.set("name", to: "a")
    context.removeAllUndoSteps()
    #expect(!context.canUndo && !context.undo())
    try node.set("name", to: "b")
    #expect(context.undo() && !context.undo())
    #expect(try node.value("name") == "a")
  }

  @Test func aChainOfContextsEditsAndUndoes() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let context = stack.newContext()
    let node = try context.insert("Node")
    try context.save()
    let form = context.newChild()
    let sheet = form.newChild()
    let edited = try #require(try sheet.object(node.objectID))
    try edited.set("group", to: try sheet.insert("Group"))
    try sheet.save()
    #expect(!context.hasChanges && form.hasChanges)
    try form.save()
    #expect(try node.object("group")?.isInserted == true)
    context.undo()
    #expect(try node.object("group") == nil)
    context.redo()
    try context.save()
    #expect(try edited.object("group")?.objectID == node.object("group")?.objectID)
  }
}

extension ObjectContextTests {
  @Test(arguments: MergePolicy.allCases)
  func bothContextsCanRestoreAnObject(_ policy: MergePolicy) throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let (here, there) = (stack.newContext(), stack.newContext(mergePolicy: .objectWins))
    let node = try here.insert("Node")
    try here.save()
    let copy = try #require(try there.object(node.objectID))
    try here.delete(node)
    try here.save()
    try copy.set("name", to: "there")
    try there.save()
    #expect(here.undo())
    try node.set("name", to: "here")
    here.mergePolicy = policy
    if policy == .error || policy == .byProperty {
      do {
        try here.save()
        Issue.record("the save did not report that both contexts had restored the object")
      } catch {
        guard case .conflicts(let conflicts) = error else { throw error }
        #expect(conflicts.map(\.object) == [node.objectID])
      }
      return
    }
    try here.save()
    let saved = try #require(try stack.newContext().object(node.objectID))
    #expect(try saved.value("name") == (policy == .storeWins || policy == .rollback ? "there" : "here"))
    #expect(try node.value("name") == saved.value("name"))
    #expect(!here.hasChanges)
  }

  @Test func anInverseThatWasNotReadIsUpdated() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let filling = stack.newContext()
    let (node, group) = (try filling.insert("Node"), try filling.insert("Group"))
    try node.set("group", to: group)
    try filling.save()
    let context = stack.newContext()
    let read = try #require(try context.object(node.objectID))
    let left = try #require(try read.object("group"))
    try read.set("group", to: nil as ManagedObject?)
    #expect(left.isFault)
    try context.save()
    let after = stack.newContext()
    #expect(try after.object(group.objectID)?.objects("nodes").isEmpty == true)
    #expect(!context.hasChanges)
  }

  @Test func issuesComeInTheOrderOfFirstSaves() throws {
    let model = try ObjectModel(entities: [
      EntityDescription("Thing", attributes: [AttributeDescription("rank", .integer, maximum: 0)])
    ])
    let stack = try ObjectStack(model: model, store: .memory())
    let filling = stack.newContext()
    for _ in 0..<20 { try filling.insert("Thing").set("rank", to: 0) }
    try filling.save()
    let context = stack.newContext()
    let things = try context.fetch(ObjectFetchRequest("Thing"))
    for (number, thing) in things.enumerated().reversed() { try thing.set("rank", to: .integer(Int64(number + 1))) }
    let new = try context.insert("Thing")
    try new.set("rank", to: 1)
    do {
      try context.save()
      Issue.record("it was saved")
    } catch {
      guard case .validation(let issues) = error else { throw error }
      #expect(issues.map(\.object) == (things + [new]).map(\.objectID))
    }
  }

  /// The objects are put side by side at an index among the other members.
  @Test(arguments: [
    ("ab", 2, "cdab"), ("cd", 0, "cdab"), ("bc", 1, "abcd"), ("cb", 1, "acbd"), ("da", 1, "bdac"), ("aa", 1, "bacd"),
    ("ea", 1, "beacd"), ("ab", Int.max, "cdab"), ("dc", -1, "dcab"),
  ])
  func movedMembersStayTogether(_ moved: String, to index: Int, expected: String) throws {
    let context = try Wholes.stack(.memory, try TemporaryFolder()).newContext()
    let whole = try context.insert("Whole")
    var parts: [Character: ManagedObject] = [:]
    for text: Character in ["a", "b", "c", "d"] { parts[text] = try Wholes.add(.string(String(text)), to: whole) }
    try context.save()
    let other = try context.insert("Part")
    try other.set("text", to: "e")
    parts["e"] = other
    func order() throws -> String {
      let texts: [String] = try whole.objects("parts").compactMap { part in try part.value("text").text }
      return texts.joined()
    }
    try whole.add(moved.compactMap { parts[$0] }, to: "parts", at: index)
    #expect(try order() == expected)
    #expect(whole.hasChanges == (expected != "abcd"))
    context.undo()
    #expect(try order() == "abcd")
  }

  @Test func allObjectsComeInTheOrderOfTheirNumbers() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let (context, other) = (stack.newContext(), stack.newContext())
    let saved = try context.insert("Node")
    try context.save()
    let others = try (0..<20).map { _ in try other.insert("Node") }
    try other.save()
    let read = try context.objects(others.reversed().map(\.objectID))
    let new = try (0..<2).map { _ in try context.insert("Node") }
    let found = try ContextReader(context).objects(of: [saved.entity])
    #expect(found == withExtendedLifetime(read) { ([saved] + others + new).map(\.objectID) })
  }

  @Test func removingAnObjectOfAnotherEntityIsRefused() throws {
    let context = try ObjectStack(model: try Self.model(), store: .memory()).newContext()
    let (group, other) = (try context.insert("Group"), try context.insert("Group"))
    #expect(throws: ObjectGraphError.self) { try group.remove([other], from: "nodes") }
  }

  @Test func removingAnObjectOfAnotherContextIsRefused() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let filling = stack.newContext()
    let (node, group) = (try filling.insert("Node"), try filling.insert("Group"))
    try node.set("group", to: group)
    try filling.save()
    let (here, there) = (stack.newContext(), stack.newContext())
    let read = try #require(try here.object(group.objectID))
    let foreign = try #require(try there.object(group.objectID)?.objects("nodes").first)
    do {
      try read.remove([foreign], from: "nodes")
      Issue.record("it was removed")
    } catch {
      guard case .foreignObject(foreign.objectID) = error else { throw error }
    }
    #expect(try read.objects("nodes").map(\.objectID) == [node.objectID])
  }

  @Test func aTemporaryIDLeadsToAnObjectThatWasReleased() throws {
    let context = try ObjectStack(model: try Self.model(), store: .memory()).newContext()
    func insert() throws -> ObjectID {
      let id = try context.insert("Node").objectID
      try context.save()
      context.removeAllUndoSteps()
      return id
    }
    let id = try insert()
    #expect(context.registeredObjects.isEmpty)
    #expect(try context.newChild().object(id)?.objectID.number == 1)
    #expect(try context.object(id)?.objectID.number == 1)
  }
}
