import Foundation
import Testing

@testable import ResultsController

/// Lists that are opened in stages.
@Suite
struct StagedOpeningTests {
  /// Opens a list of three rows, without reading the rest.
  private func firstRows() throws -> (TestBook, FetchedRecordsController<AnyRecord>, Told) {
    let book = try TestBook()
    try book.write("INSERT INTO item(id, sec, key) VALUES (1, 0, 1), (2, 0, 2), (3, 1, 1)")
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: ContractRules.items, installsTriggers: true, deliver: ResultsDelivery { $0() })
    let told = controller.listen()
    try controller.performFetch(.firstRows)
    return (book, controller, told)
  }

  @Test func stagedOpeningShowsFirstRowsAndLosesNothing() throws {
    let book = try TestBook()
    try book.write(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO item(id, sec, key) SELECT i, i % 5, i FROM n"
    )
    let held = HeldQueue()
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: ContractRules.items, installsTriggers: true, deliver: ResultsDelivery { held.add($0) })
    let told = controller.listen()
    try controller.performFetch(.firstRows)
    controller.fetchRest()
    #expect(!controller.snapshot.isComplete)
    #expect(controller.sections.map(\.count) == [200, 200, 200, 200, 200])
    #expect(try controller.object(atFlatRow: 0).id == 5)
    #expect(try controller.object(at: RowPath(section: 2, row: 150)).id == 752)
    #expect(throws: ResultsError.outOfRange) { try controller.object(at: RowPath(section: 5, row: 0)) }
    try book.write("DELETE FROM item WHERE id = 5")
    for _ in 0..<3 { controller.engine.queue.sync {} }
    held.run()
    #expect(told.takeUpdates().first?.completesOpening == true)
    #expect(controller.snapshot.isComplete)
    #expect(controller.snapshot.count == 999)
    #expect(PlainList(controller.snapshot) == (try TestBookFresh.list(book.pool, ContractRules.items)))
  }

  @Test func theRestIsReadOnRequest() throws {
    let (book, controller, told) = try firstRows()
    controller.engine.queue.sync {}
    #expect(!controller.snapshot.isComplete)
    #expect(controller.snapshot.count == 3)
    try book.write("DELETE FROM item WHERE id = 1")
    controller.engine.queue.sync {}
    #expect(told.takeUpdates().isEmpty, "nothing is tracked before the rest is asked for")
    controller.fetchRest()
    controller.fetchRest()
    controller.engine.queue.sync {}
    #expect(told.takeUpdates().map(\.completesOpening) == [true])
    #expect(PlainList(controller.snapshot) == (try TestBookFresh.list(book.pool, ContractRules.items)))
    try book.write("DELETE FROM item WHERE id = 2")
    for _ in 0..<3 { controller.engine.queue.sync {} }
    #expect(PlainList(controller.snapshot) == (try TestBookFresh.list(book.pool, ContractRules.items)))
  }

  @Test func anotherRequestReplacesTheRest() throws {
    let (book, controller, told) = try firstRows()
    var request = ContractRules.items
    request.filter = .sql("id = 3")
    try controller.setRequest(request)
    for _ in 0..<3 { controller.engine.queue.sync {} }
    #expect(PlainList(controller.snapshot) == (try TestBookFresh.list(book.pool, request)))
    // The rest of the older list is not read; the list of the new request completes the opening.
    #expect(told.takeUpdates().first?.completesOpening == true)
  }
}
