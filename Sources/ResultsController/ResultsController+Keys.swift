import ChangeLog

/// Rows by their primary keys.
extension ResultsController {
  /// The id by which this controller's lists and change sets know the row with a primary key, whether or not there is one: the
  /// key itself where it is one whole number, and else a number that the controller gives, of no meaning elsewhere.
  public func id(of key: RowKey) -> Int64 { key.integer ?? engine.identities.number(of: key) }

  /// The primary key of the row with an id; nil for a number that this controller did not give. Before the first fetch every
  /// number is taken for a key.
  public func primaryKey(ofID id: Int64) -> RowKey? {
    guard let plan = snapshot.plan, !plan.key.isRowID else { return RowKey(id) }
    return engine.identities.key(of: id)
  }
}
