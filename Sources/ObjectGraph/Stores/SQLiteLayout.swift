/// Names that are the same in every SQLite store.
enum SQLiteLayout {
  /// Has one row: the id of the store and the model that it was made with.
  static let metadataTable = "_object_graph"
}

extension String {
  /// The quoted name of a table or column. GRDB's own quoting does not escape quotes in the name.
  var sqlIdentifier: String {
    // Called for each column of each written row: most names need no replacing, which is slow.
    let name = utf8.contains(UInt8(ascii: "\"")) ? replacing("\"", with: "\"\"") : self
    return "\"" + name + "\""
  }
}
