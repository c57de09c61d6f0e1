import GRDB
import Synchronization
import Testing

@testable import ResultsController

/// Lists sorted by expressions, and lists that get another order.
@Suite
struct OrderChangeTests {
  private static let byTag = ResultsRequest(
    table: "item", filter: .sql("+id > 0"), sectionKey: .expression("length(tag)"),
    sortKeys: [.expression("length(tag)", ascending: false), .expression("upper(tag)"), RowSortKey("key")])

  private func book() throws -> TestBook {
    let book = try TestBook()
    try book.write(
      """
      INSERT INTO item(id, sec, key, tag) VALUES
      (1, 0, 4, 'b'), (2, 0, 3, 'ccc'), (3, 1, 2, 'A'), (4, 1, 1, 'AAA'), (5, 2, 0, 'B'), (6, 2, 0, 'aa')
      """)
    return book
  }

  @Test func expressionsSortAndDivide() throws {
    let book = try book()
    try book.open(Self.byTag)
    #expect(PlainList(book.controller.snapshot).description == "3[4, 2] 2[6] 1[3, 5, 1]")
    #expect(book.controller.snapshot.request == Self.byTag)
  }

  @Test func anEditMovesARowOfAnExpression() throws {
    let book = try book()
    try book.open(Self.byTag)
    try book.write("UPDATE item SET tag = 'aaaa' WHERE id = 5", "UPDATE item SET body = 'x' WHERE id = 1")
    book.waitForUpdates()
    let changes = try #require(book.updates().first?.changes)
    #expect(changes.moves.map(\.id) == [5] && changes.updates.map(\.id) == [1])
    #expect(changes.insertedSections.map(\.info.title).count == 1)
    #expect(PlainList(book.controller.snapshot).description == "4[5] 3[4, 2] 2[6] 1[3, 1]")
  }

  @Test func anotherOrderIsOneUpdate() throws {
    let book = try book()
    try book.open(ContractRules.items)
    try book.controller.setRequest(Self.byTag)
    book.waitForUpdates()
    let updates = book.updates()
    #expect(updates.map(\.isReordered) == [true] && updates.map(\.keepsRows) == [false])
    #expect(PlainList(book.controller.snapshot).description == "3[4, 2] 2[6] 1[3, 5, 1]")
    try book.write("DELETE FROM item WHERE id = 4")
    book.waitForUpdates()
    let later = try #require(book.updates().first)
    #expect(!later.isReordered && later.changes.deletes.map(\.id) == [4])
  }

  /// The list then has another request, and a view that shows the sort order must be told.
  @Test func anotherOrderOfNoRowsIsAnUpdateToo() throws {
    let book = try book()
    var request = ContractRules.items
    request.ids = []
    try book.open(request)
    var other = Self.byTag
    other.ids = []
    try book.controller.setRequest(other)
    book.waitForUpdates()
    #expect(book.updates().map(\.isReordered) == [true])
    #expect(book.controller.snapshot.request == other && book.controller.snapshot.count == 0)
  }

  /// The rest of the first list is not read: the whole list of the new order completes the opening.
  @Test func anotherOrderAfterTheFirstPage() throws {
    let book = try book()
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: ContractRules.items, installsTriggers: true, deliver: ResultsDelivery { $0() })
    let told = controller.listen(includesWrites: true)
    try controller.performFetch(.firstRows)
    try controller.setRequest(Self.byTag)
    controller.fetchRest()
    for _ in 0..<3 { controller.engine.queue.sync {} }
    #expect(told.takeUpdates().map(\.completesOpening) == [true])
    #expect(PlainList(controller.snapshot).description == "3[4, 2] 2[6] 1[3, 5, 1]")
    #expect(told.takeWrites().flatMap(\.inserted).isEmpty, "nothing was written")
    try book.write("UPDATE item SET tag = 'aaaa' WHERE id = 5")
    for _ in 0..<3 { controller.engine.queue.sync {} }
    #expect(told.takeUpdates().last?.changes.moves.map(\.id) == [5])
  }

  /// The ids of a search limit a list in its new order, whichever comes first.
  @Test(arguments: [true, false]) func idsAndOrder(orderFirst: Bool) throws {
    let book = try book()
    try book.open(ContractRules.items)
    var request = orderFirst ? Self.byTag : ContractRules.items
    if !orderFirst { request.ids = [1, 2, 4, 5] }
    try book.controller.setRequest(request)
    request = Self.byTag
    request.ids = [1, 2, 4, 5]
    try book.controller.setRequest(request)
    book.waitForUpdates()
    #expect(book.errors().isEmpty)
    #expect(PlainList(book.controller.snapshot).description == "3[4, 2] 1[5, 1]")
  }

  @Test func theFocusedRowKeepsItsLine() throws {
    let book = try book()
    try book.open(ContractRules.items)
    var state = ListState(top: 1, height: 3, selection: [3], focus: 3)
    try book.controller.setRequest(Self.byTag)
    book.waitForUpdates()
    let update = try #require(book.updates().first)
    let line = try #require(update.before.flatRow(ofID: 3)) - 1
    state.apply(update)
    #expect(state.focus == 3 && state.selection == [3])
    #expect(try #require(update.after.flatRow(ofID: 3)) - state.top == line)
  }
}
