/// A bit for each row of a list, in its order: set for rows that a filter keeps. The bits of each chunk begin with a
/// new word.
///
/// Once the bits are set, the memory is only read, so threads can share it.
final class RowBits: @unchecked Sendable {
  let words: UnsafeMutableBufferPointer<UInt64>

  init(wordCount: Int) {
    words = .allocate(capacity: wordCount)
    words.initialize(repeating: 0)
  }

  deinit { words.deallocate() }

  /// Whether a row of a chunk is kept.
  /// - Parameter firstWord: the index of the word where the bits of the chunk begin.
  func holds(_ row: Int, from firstWord: Int) -> Bool { words[firstWord + row >> 6] >> UInt64(row & 63) & 1 == 1 }

  /// How many of the rows of a chunk before `row` are kept.
  /// - Parameter firstWord: the index of the word where the bits of the chunk begin.
  func count(below row: Int, from firstWord: Int) -> Int {
    guard row > 0 else { return 0 }
    var count = 0
    for word in 0..<row >> 6 { count += words[firstWord + word].nonzeroBitCount }
    let rest = UInt64(row & 63)
    return rest == 0 ? count : count + (words[firstWord + row >> 6] & (1 << rest - 1)).nonzeroBitCount
  }
}
