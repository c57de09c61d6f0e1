import AddressBookModel
import ContactSearch
import GRDB
import Glibc
import IDSets

/// The conditions of a query on when contacts last wrote or were written to, which the index cannot check.
extension SearchQuery {
  /// Returns the contacts for which these conditions hold; nil if the query has none.
  func contacted(_ db: Database) throws -> IDSet? {
    guard !contacted.isEmpty else { return nil }
    let conditions = contacted.map { ($0.isNegated ? "NOT " : "") + "ifnull(\($0.time.sql), 0)" }
    let ids = try Int64.fetchAll(
      db,
      sql: """
        SELECT id FROM contact LEFT JOIN contacted ON contact_id = id
        WHERE deleted_at IS NULL AND \(conditions.joined(separator: " AND ")) ORDER BY id
        """)
    return IDSet(ids)
  }
}

extension LastContactTerm.Time {
  /// The condition in SQL on the column `at`.
  fileprivate var sql: String {
    switch self {
    case .within(let days): "at >= '\(Self.moment(days))'"
    case .before(let days): "at < '\(Self.moment(days))'"
    case .during(let year, let month, let day): Self.isDuring([year, month, day].compactMap(\.self))
    case .ever: "at IS NOT NULL"
    case .never: "at IS NULL"
    }
  }

  private static func moment(_ days: Int) -> String { Timestamp.text(secondsSince1970: time(nil) - days * 86_400) }

  private static func isDuring(_ numbers: [Int]) -> String {
    let conditions = zip(numbers, ["Y", "m", "d"]).map { number, part in
      "CAST(strftime('%\(part)', at, 'localtime') AS INTEGER) = \(number)"
    }
    return conditions.joined(separator: " AND ")
  }
}
