extension StoreReader {
  /// Evaluates the request in memory, for stores without SQL.
  func result(_ run: RequestRun, onRow: ((StoredRow) -> Void)?) throws -> FetchResult {
    try run.result()
  }
}

extension SQLiteReader {
  func result(_ run: RequestRun, onRow: ((StoredRow) -> Void)?) throws -> FetchResult {
    let layout = try schema.layout(run.request.entity.root)
    guard let onRow else { return try run.result(db, tables) }
    return try run.result(db, tables, reading: layout.columns) { row in
      onRow(try layout.decode(row, model: schema.model))
    }
  }
}
