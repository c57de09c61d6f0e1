/// The arrays of ``PackedContacts`` as plain memory. Valid only inside `withView`.
struct PackedContactsView {
  let ids: UnsafeBufferPointer<Int64>
  let columns: SignatureColumns.View
  let presences: UnsafeBufferPointer<UInt16>
  let codeStarts: UnsafeBufferPointer<UInt32>
  let literalStarts: UnsafeBufferPointer<UInt32>
  let phoneStarts: UnsafeBufferPointer<UInt32>
  let codes: UnsafeBufferPointer<UInt16>
  let literals: UnsafeBufferPointer<UInt8>
  let phones: UnsafeBufferPointer<UInt8>

  var rowCount: Int { ids.count }

  @inline(__always)
  func codes(_ row: Int) -> UnsafeBufferPointer<UInt16> {
    UnsafeBufferPointer(rebasing: codes[PackedContactsView.range(codeStarts, row, row + 1)])
  }

  @inline(__always)
  func literalRange(_ row: Int) -> Range<Int> { PackedContactsView.range(literalStarts, row, row + 1) }

  @inline(__always)
  func phoneRange(_ row: Int) -> Range<Int> { PackedContactsView.range(phoneStarts, row, row + 1) }

  /// Returns the part of an array from the start of one row to the start of a later row.
  @inline(__always)
  static func range(_ starts: UnsafeBufferPointer<UInt32>, _ row: Int, _ end: Int) -> Range<Int> {
    Range(uncheckedBounds: (Int(starts[row]), Int(starts[end])))
  }

  /// Calls `body` with each part of a row of bytes; a part begins with a byte below a limit.
  @inline(__always)
  static func forEachPart(
    of bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>, below limit: UInt8,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, bytes[end] >= limit { end += 1 }
      body(UnsafeBufferPointer(rebasing: bytes[start..<end]))
      start = end
    }
  }
}

/// The check of stored rows before they are used.
extension PackedContactsView {
  /// Returns whether the rows ascend by id, their literals and phone numbers begin with a mark, and their codes only
  /// refer to entries of the lexicon.
  /// - Parameter entries: the number of entries in the lexicon.
  func areValid(entries: Int) -> Bool {
    guard presences.count == rowCount, covers(codeStarts, codes.count), covers(literalStarts, literals.count),
      covers(phoneStarts, phones.count)
    else { return false }
    for row in 0..<rowCount {
      if row > 0, ids[row - 1] >= ids[row] { return false }
      let (literal, phone) = (literalRange(row), phoneRange(row))
      if !literal.isEmpty, literals[literal.lowerBound] > LiteralPattern.urlMark { return false }
      if !phone.isEmpty, phones[phone.lowerBound] > PhoneNumber.dialedInternational { return false }
    }
    var highest: UInt16 = 0
    for code in codes { highest = max(highest, code) }
    if highest < TokenCode.escape { return highest < entries || codes.isEmpty }
    return (0..<rowCount).allSatisfy { TokenCode.areValid(codes($0), below: entries) }
  }

  /// Returns whether the starts of the rows ascend from 0 to the length of the array.
  private func covers(_ starts: UnsafeBufferPointer<UInt32>, _ length: Int) -> Bool {
    guard starts.count == rowCount + 1, starts[0] == 0, starts[rowCount] == length else { return false }
    var isAscending = true
    for row in 0..<rowCount { isAscending = isAscending && starts[row] <= starts[row + 1] }
    return isAscending
  }
}
