extension StoreReader {
  /// Evaluates the request in memory, for stores without SQL.
  func result(_ run: RequestRun, onRow: ((StoredRow) -> Void)?) throws -> FetchResult {
    try run.result()
  }
}

extension SQLiteReader {
  func result(_ run: RequestRun, onRow: ((StoredRow) -> Void)?) throws -> FetchResult {
    guard let onRow else { return try run.result(db, tables) }
    let layout = try schema.layout(run.request.entity.root)
    return try run.result(
      db, tables,
      reading: ObjectColumns(sql: layout.columns) { row in
        let stored = try layout.decode(row)
        onRow(stored)
        return ObjectID(store: run.store, entity: stored.entity.name, key: .permanent(stored.number))
      })
  }
}
