import GRDB
import Testing

@testable import ObjectGraph

@Suite struct StatementCellsTests {
  @Test func statementCellsEqualThoseOfARow() throws {
    let sql = """
      SELECT 7, -9223372036854775808, 1.5, 9e999, '', 'Zoë 曾', CAST(x'C3' AS TEXT), 'a' || char(0) || 'b', x'00FF', x'', NULL
      """
    try DatabaseQueue().read { db in
      let expected = try #require(try Row.fetchOne(db, sql: sql))
      var count = 0
      try db.makeStatement(sql: sql).forEachRow { row in
        count += 1
        for column in 0..<expected.count {
          #expect(row[column] == expected[column] as DatabaseValue)
        }
        #expect(row.integer(0) == 7 && row.integer(2) == nil && row.integer(10) == nil)
      }
      #expect(count == 1)
    }
  }

  @Test func everyRowIsRead() throws {
    try DatabaseQueue().read { db in
      var numbers: [Int64?] = []
      try db.makeStatement(sql: "SELECT value FROM json_each(?)").forEachRow(["[1, 2, 3]".databaseValue]) {
        numbers.append($0.integer(0))
      }
      #expect(numbers == [1, 2, 3])
    }
  }

  /// Values are compared with those of `AttributeType.decode`.
  @Test func valuesEqualThoseOfTheirCells() throws {
    let sql = """
      SELECT 7, 0, -9223372036854775808, 1.5, 9e999, '', 'Zoë 曾', CAST(x'C3' AS TEXT), 'a' || char(0) || 'b', x'00FF',
        x'', NULL, 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f', 'E621E1F8'
      """
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: sql)
      try statement.forEachRow { row in
        for column in 0..<statement.columnCount {
          for type in AttributeType.allCases {
            let value = try? row.value(column, type)
            let expected = try? type.decode(row[column])
            #expect(value == expected)
          }
        }
      }
    }
  }

  @Test func namesAreFoundLikeStrings() throws {
    let names = ["Person", "Per", "Zoë", "曾"]
    let candidates = names.map { (name: StoredName($0), value: $0) }
    let texts = names + ["", "Persona", "person", "Zoe\u{308}", "Zoe"]
    try DatabaseQueue().read { db in
      let list = texts.map { "'\($0)'" }.joined(separator: ", ")
      let statement = try db.makeStatement(sql: "SELECT \(list), NULL, 7, x'506572'")
      try statement.forEachRow { row in
        for (column, text) in texts.enumerated() {
          let expected = names.first { $0 == text }
          #expect(row.first(of: candidates, namedIn: column) == expected)
        }
        for column in texts.count..<statement.columnCount { #expect(row.first(of: candidates, namedIn: column) == nil) }
      }
    }
  }

  @Test func aFailureSaysWhatSQLiteSays() throws {
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: "SELECT json(?)")
      let error = #expect(throws: DatabaseError.self) { try statement.forEachRow(["{".databaseValue]) { _ in } }
      #expect(error?.message == "malformed JSON" && error?.sql == "SELECT json(?)")
      var count = 0
      try statement.forEachRow(["{}".databaseValue]) { _ in count += 1 }
      #expect(count == 1)
    }
  }
}
