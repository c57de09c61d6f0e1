import GRDB
import Testing

@testable import ObjectGraph

@Suite struct StatementCellsTests {
  /// GRDB's `Row` is the plain way to read a cell.
  @Test func statementCellsEqualThoseOfARow() throws {
    let sql = """
      SELECT 7, -9223372036854775808, 1.5, 9e999, '', 'Zoë 曾', CAST(x'C3' AS TEXT), 'a' || char(0) || 'b', x'00FF', x'', NULL
      """
    try DatabaseQueue().read { db in
      let expected = try #require(try Row.fetchOne(db, sql: sql))
      var count = 0
      try db.makeStatement(sql: sql).forEachRow { row in
        count += 1
        #expect(row.count == expected.count)
        for column in 0..<row.count {
          #expect(row[column] == expected[column] as DatabaseValue)
        }
        #expect(row.integer(0) == 7 && row.integer(2) == nil && row.integer(10) == nil)
        #expect(row.text(5) == "Zoë 曾" && row.text(0) == nil && row.text(10) == nil)
      }
      #expect(count == 1)
    }
  }

  @Test func rowsComeOneByOne() throws {
    try DatabaseQueue().read { db in
      var numbers: [Int64?] = []
      try db.makeStatement(sql: "SELECT value FROM json_each(?)").forEachRow(["[1, 2, 3]"]) {
        numbers.append($0.integer(0))
      }
      #expect(numbers == [1, 2, 3])
    }
  }
}
