/// The signatures and marks of all rows, by columns: for each of their 128 bits a bit of every row. A term looks at a few
/// bits only, and so reads a few bits a row; 64 rows are told by one operation on each.
///
/// Rows lie in blocks of 512, so that rows can be added: a column of a block is one cache line.
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

  /// The columns of stored words; nil when they are too few or too many, or have something after the last row.
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

  /// All of it as plain memory, as it is stored.
  var stored: UnsafeBufferPointer<UInt64> { words.view }

  /// The columns without the checks and counts of arrays, valid as long as these live unchanged.
  var view: View { View(words: words.view) }

  mutating func append(_ signature: UInt64, _ marks: ContactFlags) {
    if rowCount.isMultiple(of: SignatureColumns.rowsInBlock) {
      words.append(repeating: 0, count: SignatureColumns.wordsInBlock)
    }
    let row = rowCount
    words.update { words in
      func set(_ bits: UInt64, after column: Int) {
        View.forEachBit(of: bits) { words[View.place(column + $0, row >> 6)] |= 1 << UInt64(row & 63) }
      }
      set(signature, after: 0)
      set(marks.rawValue, after: View.firstMark)
    }
    rowCount += 1
  }

  mutating func reserveCapacity(_ rows: Int) {
    words.reserveCapacity((rows / SignatureColumns.rowsInBlock + 1) * SignatureColumns.wordsInBlock)
  }

  /// Gives back spare room.
  mutating func shrink() { words.shrink() }

  /// Bytes in use.
  var footprint: Int { words.footprint }

  /// Plain memory for the inner loops. A `word` of rows is 64 of them, the first in the lowest bit.
  struct View {
    fileprivate let words: UnsafeBufferPointer<UInt64>
    fileprivate static let firstMark = 64

    /// Which rows of a word have some bits of a signature.
    @inline(__always)
    func some(of signature: UInt64, _ word: Int) -> UInt64 { some(of: signature, after: 0, word) }

    /// Which rows of a word have some of the marks.
    @inline(__always)
    func some(of marks: ContactFlags, _ word: Int) -> UInt64 { some(of: marks.rawValue, after: View.firstMark, word) }

    /// Which rows of a word have all of the marks.
    @inline(__always)
    func all(of marks: ContactFlags, _ word: Int) -> UInt64 {
      var rows = UInt64.max
      View.forEachBit(of: marks.rawValue) { rows &= words[View.place(View.firstMark &+ $0, word)] }
      return rows
    }

    /// Whether a row has all of the marks.
    @inline(__always)
    func has(_ marks: ContactFlags, _ row: Int) -> Bool { all(of: marks, row >> 6) & 1 << UInt64(row & 63) != 0 }

    /// The signature and the marks of a row.
    func row(_ row: Int) -> (signature: UInt64, marks: ContactFlags) {
      func bits(after column: Int) -> UInt64 {
        (0..<64).reduce(0) { bits, bit in
          bits | (words[View.place(column + bit, row >> 6)] >> UInt64(row & 63) & 1) << UInt64(bit)
        }
      }
      return (bits(after: 0), ContactFlags(rawValue: bits(after: View.firstMark)))
    }

    @inline(__always)
    private func some(of bits: UInt64, after column: Int, _ word: Int) -> UInt64 {
      var rows: UInt64 = 0
      View.forEachBit(of: bits) { rows |= words[View.place(column &+ $0, word)] }
      return rows
    }

    /// Where a word of a column lies.
    @inline(__always)
    fileprivate static func place(_ column: Int, _ word: Int) -> Int {
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
