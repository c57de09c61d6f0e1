import GRDB
import ObjectGraph
import ResultsController

/// A placeholder record: contexts read the objects.
struct ObjectRow: FetchableRecord, Sendable {
  init(row: Row) {}
}

extension ResultsRequest {
  /// The rows of a followed request.
  init(_ followed: FollowedRequest) {
    self.init(
      table: followed.table,
      source: JoinedSource(
        from: followed.from, alias: followed.alias, condition: followed.condition, arguments: followed.arguments,
        section: followed.section, order: followed.order.map { JoinedSource.Order($0.sql, ascending: $0.isAscending) },
        related: followed.related.map { JoinedSource.Related(table: $0.table, referrer: $0.referrer) }))
  }
}
