import Foundation
import Testing

@testable import ObjectGraph

/// What a stack reports about writes by anyone, and what a context rereads.
struct HistoryTests {
  private let folder: TemporaryFolder
  private let stack: ObjectStack
  private var path: String { folder.path("college") }

  init() throws {
    folder = try TemporaryFolder()
    stack = try ObjectStack(model: try Self.model(), store: .sqlite(folder.path("college")))
  }

  private static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription("Person", isAbstract: true, attributes: [AttributeDescription("name", .string)]),
      EntityDescription(
        "Student", parent: "Person", relationships: [.toMany("courses", "Course", inverse: "students")]),
      EntityDescription("Guest", parent: "Person"),
      EntityDescription(
        "Course", attributes: [AttributeDescription("title", .string)],
        relationships: [.toMany("students", "Student", inverse: "courses")]),
    ])
  }

  private func changes(since token: HistoryToken) throws -> ObjectChanges {
    guard case .changes(let changes, _) = try stack.history(since: token) else {
      Issue.record("the history was lost")
      return ObjectChanges()
    }
    return changes
  }

  @Test func historyIsKeptOnRequest() throws {
    func isRefused(_ body: () throws -> Void) -> Bool {
      do {
        try body()
        return false
      } catch {
        if case ObjectGraphError.noHistory = error { return true }
        return false
      }
    }
    #expect(isRefused { _ = try stack.historyToken() })
    #expect(isRefused { _ = try stack.history(since: HistoryToken()) })
    try stack.enableHistoryTracking()
    try stack.enableHistoryTracking()
    #expect(try changes(since: stack.historyToken()).isEmpty)
    guard case .lost = try stack.history(since: HistoryToken()) else {
      Issue.record("no token reaches back to before the history")
      return
    }
  }

  @Test func historyTellsWhatHappenedToObjects() throws {
    try stack.enableHistoryTracking()
    let context = stack.newContext()
    let (ada, carl) = (try context.insert("Student"), try context.insert("Student"))
    let guest = try context.insert("Guest")
    let (algebra, optics) = (try context.insert("Course"), try context.insert("Course"))
    try context.save()
    let start = try stack.historyToken()
    // Encoded and decoded, as if kept for another run.
    let kept = try JSONDecoder().decode(HistoryToken.self, from: try JSONEncoder().encode(start))
    #expect(kept == start)
    let emmy = try context.insert("Student")
    try ada.set("name", to: "Ada")
    try carl.add([algebra], to: "courses")
    try context.delete(guest)
    try context.delete(optics)
    let passing = try context.insert("Course")
    try context.save()
    try context.delete(passing)
    try context.save()
    let changes = try changes(since: kept)
    #expect(changes.inserted == [emmy.objectID])
    #expect(changes.updated == [ada.objectID, carl.objectID, algebra.objectID])
    #expect(changes.deleted.count == 2)
    #expect(changes.deleted.compactMap(\.id) == [optics.objectID])
    #expect(changes.deleted.contains { $0.candidates.contains(guest.objectID) && $0.id == nil })
    #expect(try self.changes(since: stack.historyToken()).isEmpty)
  }

  @Test func theHistoryOfSeveralStoresIsRead() throws {
    let entities = ["Book", "Note", "Draft"].map {
      EntityDescription($0, attributes: [AttributeDescription("title", .string)])
    }
    let stack = try ObjectStack(
      model: try ObjectModel(entities: entities),
      stores: [
        .sqlite(folder.path("books")), .sqlite(folder.path("notes"), entities: ["Note"]), .memory(entities: ["Draft"]),
      ])
    try stack.enableHistoryTracking()
    let context = stack.newContext()
    let (book, note) = (try context.insert("Book"), try context.insert("Note"))
    try context.save()
    let token = try stack.historyToken()
    try book.set("title", to: "a")
    try context.delete(note)
    let other = try context.insert("Note")
    try context.insert("Draft")
    try context.save()
    guard case .changes(let changes, _) = try stack.history(since: token) else {
      Issue.record("the history was lost")
      return
    }
    #expect(changes.inserted == [other.objectID])
    #expect(changes.updated == [book.objectID])
    #expect(changes.deleted.map(\.id) == [note.objectID])
  }

  @Test func aContextMergesTheHistoryOfOthers() throws {
    try stack.enableHistoryTracking()
    let context = stack.newContext()
    let (ada, carl, guest) = (try context.insert("Student"), try context.insert("Student"), try context.insert("Guest"))
    let algebra = try context.insert("Course")
    try context.save()
    #expect(try ada.objects("courses").isEmpty)
    let token = try stack.historyToken()
    let other = try ObjectStack(model: Self.model(), store: .sqlite(path)).newContext()
    let theirs = try other.objects([ada.objectID, carl.objectID, guest.objectID, algebra.objectID])
    try theirs[0].set("name", to: "Ada")
    try theirs[0].add([theirs[3]], to: "courses")
    try theirs[1].set("name", to: "Carl")
    try other.delete(theirs[2])
    try other.save()
    try carl.set("name", to: "mine")
    let history = try stack.history(since: token)
    try context.merge(history)
    #expect(try ada.value("name") == "Ada")
    #expect(try ada.objects("courses").map(\.objectID) == [algebra.objectID])
    #expect(try algebra.objects("students").map(\.objectID) == [ada.objectID])
    #expect(try carl.value("name") == "mine" && carl.hasChanges)
    #expect(guest.isDeleted)
    #expect(throws: ObjectGraphError.self) { try context.save() }
    // If the history is lost, everything is read again.
    try theirs[0].set("name", to: "Countess")
    try other.save()
    try context.merge(.lost(next: token))
    #expect(try ada.value("name") == "Countess")
  }
}
