import GRDB
import SeededRandom
import Testing

@testable import ResultsController

/// Sections of columns whose collation treats different texts as equal, and databases whose texts SQLite does not order
/// by UTF-8.
@Suite
struct CollationTests {
  private static let schema = """
    CREATE TABLE item(
      id INTEGER PRIMARY KEY, team TEXT COLLATE NOCASE, name TEXT NOT NULL DEFAULT '', city TEXT COLLATE RTRIM);
    """
  private static let byTeam = ResultsRequest(
    table: "item", sectionKey: .column("team"), sortKeys: [RowSortKey("team"), RowSortKey("name")])

  private func sections(_ book: TestBook) -> [String] {
    book.controller.sections.map { "\($0.title) \($0.count)" }
  }

  /// Values that the collation treats as equal are one section, named after the value that was seen first.
  @Test func aSectionIgnoresCaseAsItsColumnDoes() throws {
    let book = try TestBook(schema: Self.schema)
    try book.write(
      "INSERT INTO item(id, team, name) VALUES (1, 'Red', 'a'), (2, 'red', 'b'), (3, 'RED', 'c'), (4, 'blue', 'd')")
    try book.open(Self.byTeam)
    #expect(sections(book) == ["blue 1", "Red 3"])
    // The section stays the same, whichever of its rows comes first.
    try book.write("UPDATE item SET name = 'z' WHERE id = 1", "INSERT INTO item VALUES (5, 'rED', '0', NULL)")
    book.waitForUpdates()
    var changes = try #require(book.updates().first?.changes)
    #expect(changes.deletedSections.isEmpty && changes.insertedSections.isEmpty)
    #expect(sections(book) == ["blue 1", "Red 4"])
    try book.write("UPDATE item SET team = 'BLUE' WHERE id = 2")
    book.waitForUpdates()
    changes = try #require(book.updates().first?.changes)
    #expect(changes.moves.map(\.to) == [RowPath(section: 0, row: 0)])
    // A list that is read again finds the same sections.
    try book.write("DELETE FROM results_log_item", "DELETE FROM item WHERE id = 3")
    book.waitForUpdates()
    changes = try #require(book.updates().first?.changes)
    #expect(changes.deletes.map(\.id) == [3])
    #expect(changes.deletedSections.isEmpty && changes.insertedSections.isEmpty)
    #expect(sections(book) == ["blue 2", "Red 2"])
    #expect(book.errors().isEmpty)
  }

  /// The first page and the whole list give the sections the same names, whether SQLite or the controller sorts.
  @Test(arguments: [true, false])
  func theFirstPageAndTheListNameSectionsAlike(isFiltered: Bool) throws {
    let book = try TestBook(schema: Self.schema)
    try book.write(
      "INSERT INTO item(id, team, name) VALUES (1, 'b', 'x'), (2, 'B', 'y'), (3, 'a', 'x'), (4, 'A', 'y'), (5, NULL, 'n')"
    )
    var request = Self.byTeam
    if isFiltered { request.filter = .sql("name <> ''") }
    let controller = FetchedRecordsController<AnyRecord>(
      book.pool, request: request, installsTriggers: true, deliver: ResultsDelivery { book.held.add($0) })
    _ = controller.listen()
    try controller.performFetch(.firstRows)
    controller.fetchRest()
    let first = controller.sections
    #expect(first.map(\.count) == [1, 2, 2])
    for _ in 0..<3 { controller.engine.queue.sync {} }
    book.held.run()
    #expect(controller.snapshot.isComplete)
    #expect(controller.sections == first)
  }

  /// Texts that look the same may have different bytes, and other rows may come between them.
  @Test func textsThatLookTheSameAreDifferentSections() throws {
    let book = try TestBook(schema: Self.schema)
    try book.write("INSERT INTO item(id, name) VALUES (1, 'e' || char(0x301)), (2, 'f'), (3, char(0xE9))")
    try book.open(ResultsRequest(table: "item", sectionKey: .column("name"), sortKeys: [RowSortKey("name")]))
    #expect(PlainList(book.controller.snapshot).sections.map(\.ids) == [[1], [2], [3]])
    try book.write("UPDATE item SET name = char(0xE9) WHERE id = 1")
    book.waitForUpdates()
    #expect(book.updates().count == 1)
    #expect(PlainList(book.controller.snapshot).sections.map(\.ids) == [[2], [1, 3]])
    #expect(book.errors().isEmpty)
    let texts = ["e\u{301}", "\u{E9}", "f"].map { SectionValue.text($0) }
    #expect(Set(texts).count == 3)
    #expect(SectionValue.text("e\u{301}") == texts[0] && SectionValue.text("1") != .integer(1))
  }

  @Test func trailingSpacesMakeNoSection() throws {
    let book = try TestBook(schema: Self.schema)
    try book.write("INSERT INTO item(id, city, name) VALUES (1, 'Bonn', 'a'), (2, 'Bonn  ', 'b'), (3, 'Bonn', 'c')")
    try book.open(
      ResultsRequest(table: "item", sectionKey: .column("city"), sortKeys: [RowSortKey("city"), RowSortKey("name")]))
    #expect(sections(book) == ["Bonn 3"])
    #expect(PlainList(book.controller.snapshot).sections.map(\.ids) == [[1, 2, 3]])
  }

  /// SQLite's order of these texts is not that of their keys. In SQLite's order, the first and the last key share a
  /// prefix that is longer than the keys between them.
  @Test func shortKeysBetweenLongOnes() throws {
    let book = try TestBook(schema: Self.schema, encoding: "UTF-16le")
    let count = IndexChunk.targetCount - 2
    try book.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO item(name) SELECT '.' FROM n UNION ALL SELECT '中' UNION ALL SELECT '丮'
      """)
    let request = ResultsRequest(table: "item", sectionKey: .column("name"), sortKeys: [RowSortKey("name")])
    try book.open(request)
    #expect(sections(book) == [". \(count)", "中 1", "丮 1"])
    try book.write("DELETE FROM results_log_item", "DELETE FROM item WHERE id = 2")
    book.waitForUpdates()
    #expect(book.updates().flatMap(\.changes.deletes).map(\.id) == [2])
    #expect(sections(book) == [". \(count - 1)", "中 1", "丮 1"])
  }

  /// SQLite orders UTF-16 texts differently from their encoded keys. Long and short texts are mixed.
  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func aDatabaseInUTF16IsListed(encoding: String) throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("UTF-16: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let letters = ["a", "b", "é", "Ā", "中", "\u{FFEE}", "😀", "𝄞"]
    for _ in 0..<20 {
      let book = try TestBook(schema: Self.schema, encoding: encoding)
      try book.pool.write { db in
        for _ in 0..<60 {
          let team = (0..<Int.random(in: 0...30, using: &random)).map { _ in letters.randomElement(using: &random) ?? ""
          }
          try db.execute(
            sql: "INSERT INTO item(team, name, city) VALUES (?1, ?2, ?1)",
            arguments: [team.joined(), letters.randomElement(using: &random)])
        }
      }
      for column in ["team", "city", "name"] {
        let request = ResultsRequest(
          table: "item", sectionKey: .column(column), sortKeys: [RowSortKey(column), RowSortKey("team")])
        try book.open(request)
        #expect(PlainList(book.controller.snapshot) == (try expected(book, column)), "seed \(seed)")
        try book.write("UPDATE item SET name = 'b' WHERE id % 7 = 1", "DELETE FROM results_log_item WHERE seq % 2")
        book.waitForUpdates()
        #expect(PlainList(book.controller.snapshot) == (try expected(book, column)), "seed \(seed)")
      }
    }
  }

  /// Returns the rows ordered by the UTF-8 of a column, then of `team`, then by id, in sections by the column.
  private func expected(_ book: TestBook, _ column: String) throws -> PlainList {
    let rows = try book.pool.read { try Row.fetchAll($0, sql: "SELECT \(column), team, id FROM item") }
    let items = rows.map { (value: $0[0] as String, team: $0[1] as String, id: $0[2] as Int64) }
    let ordered = items.sorted { one, other in
      for (left, right) in [(one.value, other.value), (one.team, other.team)] where left != right {
        return left.utf8.lexicographicallyPrecedes(right.utf8)
      }
      return one.id < other.id
    }
    var list = PlainList()
    for item in ordered {
      if list.sections.last?.value != .text(item.value) { list.sections.append((.text(item.value), [])) }
      list.sections[list.sections.count - 1].ids.append(item.id)
    }
    return list
  }
}
