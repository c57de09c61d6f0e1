import Foundation
import Testing

@testable import ObjectGraph

/// Changes that are made inside the transaction of their save.
@Suite struct LockedSaveTests {
  private static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription("Tally", attributes: [AttributeDescription("count", .integer, isOptional: false, default: 0)])
    ])
  }

  private struct Stop: Error {}

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func count(_ tally: ManagedObject) throws -> Int64 {
    guard case .integer(let count) = try tally.value("count") else { throw Stop() }
    return count
  }

  /// Two stacks on one file count at once: with ``MergePolicy/error``, no save is refused.
  @Test func countersNeedNoRetry() async throws {
    let path = folder.path("tallies")
    let stack = try ObjectStack(model: try Self.model(), store: .sqlite(path))
    let first = stack.newContext()
    let id = try first.save(locking: ["Tally"]) { try first.insert("Tally") }.objectID
    #expect(id.number != nil && !first.hasChanges)
    try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          let context = try ObjectStack(model: try Self.model(), store: .sqlite(path)).newContext()
          let tally = try #require(try context.object(uri: id.uri))
          for _ in 0..<200 {
            try context.save(locking: ["Tally"]) {
              try context.refresh()
              try tally.set("count", to: .integer(try Self.count(tally) + 1))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try first.refresh()
    #expect(try Self.count(try #require(try first.object(id))) == 400)
  }

  @Test func aRefusedChangeLeavesTheContextAsItWas() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let context = stack.newContext()
    let tally = try context.insert("Tally")
    try context.save()
    try tally.set("count", to: 1)
    let error = #expect(throws: ObjectGraphError.self) {
      try context.save(locking: ["Tally"]) {
        try tally.set("count", to: 2)
        try context.insert("Tally")
        throw Stop()
      }
    }
    guard case .refused(let reason)? = error, reason is Stop else { return #expect(Bool(false)) }
    #expect(try Self.count(tally) == 1 && context.changedObjects.count == 1)
    #expect(try context.fetch(ObjectFetchRequest("Tally")).count == 1)
    // What was changed before is saved together with what is changed now.
    try context.save(locking: []) {}
    #expect(try stack.newContext().fetch(ObjectFetchRequest("Tally")).map { try Self.count($0) } == [1])
  }

  @Test func aChildMakesItsChangesInTheParent() throws {
    let stack = try ObjectStack(model: try Self.model(), store: .memory())
    let context = stack.newContext()
    let child = context.newChild()
    _ = try child.save(locking: ["Tally"]) { try child.insert("Tally") }
    #expect(context.changedObjects.count == 1 && !child.hasChanges)
    try context.save()
    #expect(try stack.newContext().fetch(ObjectFetchRequest("Tally")).count == 1)
  }
}
