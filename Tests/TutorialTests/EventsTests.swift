import Foundation
import LiveResults
import Testing

/// The list that Xcode's template makes: events, newest first, and one inserted at the top.
@Suite(.timeLimit(.minutes(1)))
struct EventsTests {
  private final class Event: Object {
    @Attribute var text = ""
    @Attribute var timestamp: Date?
  }

  private let store: LiveStore
  private let events: FollowedList<Event>

  init() async throws {
    store = try LiveStore([Event.self])
    for number in 1...100 { try Self.insert("event \(number)", number * 60, store.context) }
    try store.context.save()
    events = try await FollowedList(store.stack.list(Event.all.sorted(by: \.timestamp, ascending: false)))
  }

  private static func insert(_ text: String, _ time: Int?, _ context: ObjectContext) throws {
    try context.insert(Event.self) {
      $0.text = text
      $0.timestamp = time.map { Date(timeIntervalSinceReferenceDate: Double($0)) }
    }
  }

  /// The texts of the first rows.
  private func texts(_ count: Int) -> [String] { events.list.sections[0].prefix(count).map(\.text) }

  @Test func aNewEventIsInsertedAtTheTop() async throws {
    #expect(texts(1) == ["event 100"])
    try Self.insert("now", 7000, store.context)
    try store.context.save()
    #expect(try await events.changes() == ["+ [0, 0]"])
    #expect(texts(2) == ["now", "event 100"])
  }

  @Test func eventsAtTheSameTimeAreOrderedByID() async throws {
    try Self.insert("first", 7000, store.context)
    try Self.insert("second", 7000, store.context)
    try Self.insert("whenever", nil, store.context)
    try store.context.save()
    #expect(try await events.changes() == ["+ [0, 0]", "+ [0, 1]", "+ [0, 102]"])
    #expect(texts(3) == ["first", "second", "event 100"])
  }

  @Test func deletingARowReportsItsOldIndexPath() async throws {
    let gone = try store.context.fetch(Event.where { $0.text.isIn(["event 100", "event 98", "event 1"]) })
    for event in gone { try store.context.delete(event) }
    try store.context.save()
    #expect(try await events.changes() == ["- [0, 0]", "- [0, 2]", "- [0, 99]"])
  }

  @Test func theScrollPositionIsKept() async throws {
    var state = ListState(top: 10, height: 5, focus: events.list.snapshot.id(atFlatRow: 12))
    try Self.insert("now", 7000, store.context)
    try store.context.save()
    state.apply(try await events.update())
    #expect(state.top == 11)
    #expect(state.focus.flatMap { events.list.snapshot.flatRow(ofID: $0) } == 13)
  }
}
