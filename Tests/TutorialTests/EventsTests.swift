import Foundation
import ObjectGraph
import ResultsController
import Testing

/// The list that Xcode's template makes: events, newest first, and one inserted at the top.
@Suite(.timeLimit(.minutes(1)))
struct EventsTests {
  private final class Event: ManagedObject {
    static let text = AttributeKey<Event, String>("text")
    static let timestamp = AttributeKey<Event, Date?>("timestamp")
  }

  private let store: LiveStore
  private let list: LiveList

  init() async throws {
    let model = try ObjectModel(entities: [
      EntityDescription(
        "Event", attributes: [AttributeDescription("text", .string), AttributeDescription("timestamp", .date)],
        class: Event.self)
    ])
    store = try LiveStore(model)
    for number in 1...100 { try Self.insert("event \(number)", number * 60, store.context) }
    try store.context.save()
    list = try await store.list(ResultsRequest(table: "Event", sortKeys: [.init("timestamp", ascending: false)]))
  }

  private static func insert(_ text: String, _ time: Int?, _ context: ObjectContext) throws {
    let event = try context.insert(Event.self)
    try event.set(Event.text, to: text)
    try event.set(Event.timestamp, to: time.map { Date(timeIntervalSinceReferenceDate: Double($0)) })
  }

  @Test func aNewEventIsInsertedAtTheTop() async throws {
    #expect(try list.controller.object(at: RowPath(section: 0, row: 0)).text == "event 100")
    try Self.insert("now", 7000, store.context)
    try store.context.save()
    #expect(try await list.changes() == ["+ [0, 0]"])
    #expect(try list.controller.object(at: RowPath(section: 0, row: 0)).text == "now")
    #expect(try list.controller.object(at: RowPath(section: 0, row: 1)).text == "event 100")
  }

  @Test func eventsAtTheSameTimeAreOrderedByID() async throws {
    try Self.insert("first", 7000, store.context)
    try Self.insert("second", 7000, store.context)
    try Self.insert("whenever", nil, store.context)
    try store.context.save()
    #expect(try await list.changes() == ["+ [0, 0]", "+ [0, 1]", "+ [0, 102]"])
    #expect(try (0..<3).map { try list.controller.object(atFlatRow: $0).text } == ["first", "second", "event 100"])
  }

  @Test func deletingARowReportsItsOldIndexPath() async throws {
    let gone = try store.context.fetch(Event.self, where: Event.text.isIn(["event 100", "event 98", "event 1"]))
    for event in gone { try store.context.delete(event) }
    try store.context.save()
    #expect(try await list.changes() == ["- [0, 0]", "- [0, 2]", "- [0, 99]"])
  }

  @Test func theScrollPositionIsKept() async throws {
    var state = ListState(top: 10, height: 5, focus: list.controller.snapshot.id(atFlatRow: 12))
    try Self.insert("now", 7000, store.context)
    try store.context.save()
    let update = try #require(try await list.update())
    state.apply(update)
    #expect(state.top == 11)
    #expect(state.focus.flatMap { list.controller.snapshot.flatRow(ofID: $0) } == 13)
  }
}
