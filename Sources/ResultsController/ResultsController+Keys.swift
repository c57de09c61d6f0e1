import ChangeLog

/// Looking up rows by primary key.
extension ResultsController {
  /// The id of a primary key in this controller's lists and change sets, whether or not there is such a row: the key
  /// itself if it is a single integer, otherwise a number that the controller assigns and that means nothing elsewhere.
  public func id(of key: RowKey) -> Int64 { key.integer ?? engine.identities.number(of: key) }

  /// The primary key of an id; nil for a number that this controller did not assign. Before the first fetch every
  /// number is taken for a key.
  public func primaryKey(ofID id: Int64) -> RowKey? {
    guard let plan = snapshot.plan, !plan.key.isRowID else { return RowKey(id) }
    return engine.identities.key(of: id)
  }
}
