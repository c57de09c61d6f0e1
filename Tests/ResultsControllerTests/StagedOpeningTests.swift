import Foundation
import Synchronization
import Testing

@testable import ResultsController

/// Lists that are opened in stages.
@Suite
struct StagedOpeningTests {
  /// Updates in the order of their delivery.
  private final class Received: Sendable {
    private let updates = Mutex<[ResultsUpdate]>([])

    func add(_ update: ResultsUpdate) { updates.withLock { $0.append(update) } }
    var all: [ResultsUpdate] { updates.withLock { $0 } }
  }

  /// Opens a list of three rows, without reading the rest.
  private func firstRows() throws -> (TestBook, ResultsController<AnyRecord>, Received) {
    let book = try TestBook()
    try book.write("INSERT INTO item(id, sec, key) VALUES (1, 0, 1), (2, 0, 2), (3, 1, 1)")
    let received = Received()
    let controller = ResultsController<AnyRecord>(
      book.pool, request: ContractRules.items, installsTriggers: true, deliver: { $0() })
    controller.onChange = { received.add($0) }
    try controller.performFetch(.firstRows)
    return (book, controller, received)
  }

  @Test func stagedOpeningShowsFirstRowsAndLosesNothing() throws {
    let book = try TestBook()
    try book.write(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO item(id, sec, key) SELECT i, i % 5, i FROM n"
    )
    let held = HeldQueue()
    let received = Received()
    let controller = ResultsController<AnyRecord>(
      book.pool, request: ContractRules.items, installsTriggers: true, deliver: { held.add($0) })
    controller.onChange = { received.add($0) }
    try controller.performFetch(.staged)
    #expect(!controller.snapshot.isComplete)
    #expect(controller.sections.map(\.count) == [200, 200, 200, 200, 200])
    #expect(try controller.object(atFlatRow: 0).id == 5)
    #expect(try controller.object(at: RowPath(section: 2, row: 150)).id == 752)
    #expect(throws: ResultsError.outOfRange) { try controller.object(at: RowPath(section: 5, row: 0)) }
    try book.write("DELETE FROM item WHERE id = 5")
    for _ in 0..<3 { controller.engine.queue.sync {} }
    held.run()
    #expect(received.all.first?.completesOpening == true)
    #expect(controller.snapshot.isComplete)
    #expect(controller.snapshot.count == 999)
    #expect(PlainList(controller.snapshot) == (try TestBookFresh.list(book.pool, ContractRules.items)))
  }

  @Test func theRestIsReadOnRequest() throws {
    let (book, controller, received) = try firstRows()
    controller.engine.queue.sync {}
    #expect(!controller.snapshot.isComplete)
    #expect(controller.snapshot.count == 3)
    try book.write("DELETE FROM item WHERE id = 1")
    controller.engine.queue.sync {}
    #expect(received.all.isEmpty, "nothing is tracked before the rest is asked for")
    controller.fetchRest()
    controller.fetchRest()
    controller.engine.queue.sync {}
    #expect(received.all.map(\.completesOpening) == [true])
    #expect(PlainList(controller.snapshot) == (try TestBookFresh.list(book.pool, ContractRules.items)))
    try book.write("DELETE FROM item WHERE id = 2")
    for _ in 0..<3 { controller.engine.queue.sync {} }
    #expect(PlainList(controller.snapshot) == (try TestBookFresh.list(book.pool, ContractRules.items)))
  }

  @Test func anotherRequestReplacesTheRest() throws {
    let (book, controller, received) = try firstRows()
    var request = ContractRules.items
    request.filter = .sql("id = 3")
    try controller.setRequest(request)
    for _ in 0..<3 { controller.engine.queue.sync {} }
    #expect(PlainList(controller.snapshot) == (try TestBookFresh.list(book.pool, request)))
    // The rest of the older list is not read; the list of the new request completes the opening.
    #expect(received.all.first?.completesOpening == true)
  }
}
