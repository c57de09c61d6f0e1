/// The signatures and flags of all rows, in columns: for each of their 128 bits, one bit of every row. A term only
/// needs a few bits, and so reads only a few bits per row; one operation tests 64 rows.
///
/// Rows are in blocks of 512, so that rows can be appended: a column of a block is one cache line.
struct SignatureColumns {
  private var words: FlatArray<UInt64>
  private var rowCount: Int

  fileprivate static let columns = 128
  fileprivate static let wordsInColumn = 8
  private static let wordsInBlock = columns * wordsInColumn
  private static let rowsInBlock = wordsInColumn * 64

  init() {
    words = FlatArray()
    rowCount = 0
  }

  /// Creates the columns from stored words; nil if the size is wrong, or there are bits set after the last row.
  init?(stored words: FlatArray<UInt64>, rowCount: Int) {
    let blocks = (rowCount + SignatureColumns.rowsInBlock - 1) / SignatureColumns.rowsInBlock
    guard words.count == blocks * SignatureColumns.wordsInBlock else { return nil }
    self.words = words
    self.rowCount = rowCount
    let view = view
    for word in rowCount / 64..<blocks * SignatureColumns.wordsInColumn {
      let rows: UInt64 = word == rowCount / 64 ? 1 << UInt64(rowCount & 63) - 1 : 0
      let others = view.some(of: .max, word) | view.some(of: ContactFlags(rawValue: .max), word)
      if others & ~rows != 0 { return nil }
    }
  }

  /// The words as plain memory, as they are stored.
  var stored: UnsafeBufferPointer<UInt64> { words.view }

  /// The columns as plain memory, valid while these columns live unchanged.
  var view: View { View(words: words.view) }

  mutating func append(_ signature: UInt64, _ flags: ContactFlags) {
    if rowCount.isMultiple(of: SignatureColumns.rowsInBlock) {
      words.append(repeating: 0, count: SignatureColumns.wordsInBlock)
    }
    let row = rowCount
    words.update { words in
      func set(_ bits: UInt64, after column: Int) {
        View.forEachBit(of: bits) { words[View.index(column + $0, row >> 6)] |= 1 << UInt64(row & 63) }
      }
      set(signature, after: 0)
      set(flags.rawValue, after: View.firstFlag)
    }
    rowCount += 1
  }

  mutating func reserveCapacity(_ rows: Int) {
    words.reserveCapacity((rows / SignatureColumns.rowsInBlock + 1) * SignatureColumns.wordsInBlock)
  }

  mutating func shrink() { words.shrink() }

  /// The number of bytes, including spare capacity.
  var footprint: Int { words.footprint }

  /// Plain memory for the inner loops. A `word` of rows is 64 of them, the first in the lowest bit.
  struct View {
    fileprivate let words: UnsafeBufferPointer<UInt64>
    fileprivate static let firstFlag = 64

    /// Returns the rows of a word that have some of the signature bits.
    @inline(__always)
    func some(of signature: UInt64, _ word: Int) -> UInt64 { some(of: signature, after: 0, word) }

    /// Returns the rows of a word that have some of the flags.
    @inline(__always)
    func some(of flags: ContactFlags, _ word: Int) -> UInt64 { some(of: flags.rawValue, after: View.firstFlag, word) }

    /// Returns the rows of a word that have all of the flags.
    @inline(__always)
    func all(of flags: ContactFlags, _ word: Int) -> UInt64 {
      var rows = UInt64.max
      View.forEachBit(of: flags.rawValue) { rows &= words[View.index(View.firstFlag &+ $0, word)] }
      return rows
    }

    /// Returns the signature and the flags of a row.
    func row(_ row: Int) -> (signature: UInt64, flags: ContactFlags) {
      func bits(after column: Int) -> UInt64 {
        (0..<64).reduce(0) { bits, bit in
          bits | (words[View.index(column + bit, row >> 6)] >> UInt64(row & 63) & 1) << UInt64(bit)
        }
      }
      return (bits(after: 0), ContactFlags(rawValue: bits(after: View.firstFlag)))
    }

    @inline(__always)
    private func some(of bits: UInt64, after column: Int, _ word: Int) -> UInt64 {
      var rows: UInt64 = 0
      View.forEachBit(of: bits) { rows |= words[View.index(column &+ $0, word)] }
      return rows
    }

    /// Returns the offset of a word of a column.
    @inline(__always)
    fileprivate static func index(_ column: Int, _ word: Int) -> Int {
      let (block, rest) = UInt(bitPattern: word).quotientAndRemainder(dividingBy: UInt(wordsInColumn))
      return Int(bitPattern: (block &* UInt(columns) &+ UInt(bitPattern: column)) &* UInt(wordsInColumn) &+ rest)
    }

    @inline(__always)
    fileprivate static func forEachBit(of bits: UInt64, _ body: (Int) -> Void) {
      var rest = bits
      while rest != 0 {
        body(rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
  }
}
