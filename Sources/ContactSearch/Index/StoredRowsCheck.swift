/// A check of the rows of a stored index before it is used, in blocks, so that not all of them need be in memory at
/// once.
struct StoredRowsCheck {
  private let rows: PackedContactsView
  /// The number of entries in the lexicon.
  private let entries: Int

  private static let rowsInBlock = 1 << 16

  init(_ rows: PackedContactsView, entries: Int) {
    self.rows = rows
    self.entries = entries
  }

  /// Returns whether the rows ascend by id, their literals and phone numbers begin with a mark, and their tokens only
  /// refer to entries of the lexicon.
  /// - Parameter checked: called with the rows of each valid block.
  func areValid(checked: (Range<Int>) -> Void) -> Bool {
    let count = rows.rowCount
    guard rows.presences.count == count, covers(rows.tokenStarts, rows.tokens.count),
      covers(rows.literalStarts, rows.literals.count), covers(rows.phoneStarts, rows.phones.count)
    else { return false }
    for start in stride(from: 0, to: count, by: StoredRowsCheck.rowsInBlock) {
      let block = start..<min(count, start + StoredRowsCheck.rowsInBlock)
      guard areValid(block) else { return false }
      checked(block)
    }
    return true
  }

  /// Returns whether the starts of the rows begin with 0 and end with the length of the array.
  private func covers(_ starts: UnsafeBufferPointer<UInt32>, _ length: Int) -> Bool {
    starts.count == rows.rowCount + 1 && starts[0] == 0 && starts[rows.rowCount] == length
  }

  private func areValid(_ block: Range<Int>) -> Bool {
    guard ascends(rows.tokenStarts, block, below: rows.tokens.count),
      ascends(rows.literalStarts, block, below: rows.literals.count),
      ascends(rows.phoneStarts, block, below: rows.phones.count)
    else { return false }
    for row in block {
      if row > 0, rows.ids[row - 1] >= rows.ids[row] { return false }
      let (literal, phone) = (rows.literalRange(row), rows.phoneRange(row))
      if !literal.isEmpty, rows.literals[literal.lowerBound] > LiteralPattern.urlMark { return false }
      if !phone.isEmpty, rows.phones[phone.lowerBound] > PhoneNumber.dialedInternational { return false }
    }
    var highest: UInt16 = 0
    let tokens = rows.tokens[PackedContactsView.range(rows.tokenStarts, block.lowerBound, block.upperBound)]
    for token in tokens { highest = max(highest, token) }
    if highest < Token.escape { return highest < entries || tokens.isEmpty }
    return block.allSatisfy { Token.areValid(rows.units($0), below: entries) }
  }

  /// Returns whether the starts of the rows of a block, and the end of the last row, ascend and are within the array.
  private func ascends(_ starts: UnsafeBufferPointer<UInt32>, _ block: Range<Int>, below length: Int) -> Bool {
    var isAscending = starts[block.upperBound] <= length
    for row in block { isAscending = isAscending && starts[row] <= starts[row + 1] }
    return isAscending
  }
}
