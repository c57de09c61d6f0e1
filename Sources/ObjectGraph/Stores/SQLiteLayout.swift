/// Names that are the same in every SQLite store.
enum SQLiteLayout {
  /// Holds one row: the id of the store and the model that it was made with.
  static let metadataTable = "_object_graph"
}

extension String {
  /// The name of a table or column in SQL. GRDB's own quoting lets quotes in the name end it.
  var sqlIdentifier: String {
    // Asked for each column of each row that is written: most names need no replacing, which is slow.
    let name = utf8.contains(UInt8(ascii: "\"")) ? replacing("\"", with: "\"\"") : self
    return "\"" + name + "\""
  }
}
