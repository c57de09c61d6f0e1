import GRDB

/// A condition on ids of contacts, for statements that change many contacts or record their changes. It has one of two
/// texts, whatever the number of ids, so that the statements can be cached.
struct IDCondition {
  /// What follows the column.
  let sql: String
  let arguments: StatementArguments

  /// - Parameter ids: different ids, in ascending order.
  init(_ ids: [Int64]) {
    // A range is quicker than a list.
    if let first = ids.first, let last = ids.last, last - first == ids.count - 1 {
      (sql, arguments) = ("BETWEEN ? AND ?", [first, last])
    } else {
      (sql, arguments) = ("IN (SELECT value FROM json_each(?))", [ContactLoader.json(ids)])
    }
  }
}
