/// The nearest rows that two lists of one order have in common, such as a list and its rows that match a search.
extension OrderedIndex {
  /// The first row from a flat row on that is also in the other list.
  ///
  /// It alternates between the lists, and goes each time to the next row that may be in both. This takes a few searches
  /// if one list has a million rows and the other has ten of them.
  func firstCommonID(from row: Int, with other: OrderedIndex) -> Int64? {
    var row = row
    while let (key, id) = entry(atFlatRow: row) {
      let flatRow = other.lowerBound(key, id)
      guard let (nextKey, next) = other.entry(atFlatRow: flatRow) else { return nil }
      if next == id || location(of: next) != nil { return next }
      row = lowerBound(nextKey, next)
    }
    return nil
  }

  /// The last row before a flat row that is also in the other list.
  func lastCommonID(before row: Int, with other: OrderedIndex) -> Int64? {
    var row = row
    while let (key, id) = entry(atFlatRow: row - 1) {
      let flatRow = other.lowerBound(key, id)
      if other.id(atFlatRow: flatRow) == id { return id }
      guard let (lastKey, last) = other.entry(atFlatRow: flatRow - 1) else { return nil }
      if location(of: last) != nil { return last }
      row = lowerBound(lastKey, last)
    }
    return nil
  }

  /// The key and the id of a flat row; nil if there is no such row.
  private func entry(atFlatRow row: Int) -> (key: KeyView, id: Int64)? {
    guard row >= 0, row < count else { return nil }
    let position = position(ofFlatRow: row)
    let chunk = chunk(at: position)
    return (chunk.key(row - starts[position]), chunk.id(row - starts[position]))
  }

  /// The first flat row that does not sort before a key and id.
  private func lowerBound(_ key: KeyView, _ id: Int64) -> Int {
    guard !order.isEmpty else { return 0 }
    let position = position(of: key, id)
    return starts[position] + chunk(at: position).lowerBound(key, id)
  }
}
