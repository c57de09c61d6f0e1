import Glibc
import IDSets
import Synchronization

/// Several hundred adjacent rows: their ids and encoded keys in one block of memory. Immutable, so that the lists
/// before and after a change share all chunks except the few that the change touched.
///
/// An id is stored in four bytes as its offset from the smallest id, unless an offset is too large. A key is stored
/// without the bytes that it shares with the key before it: most names of a long list begin like their neighbors. The
/// first key of each run of rows is stored whole, except for the prefix that all keys of the chunk share.
///
/// The pointers are to memory that the chunk owns and never writes once another thread can see it, which makes the
/// chunk safe to share across threads.
///
/// A chunk can also be a selection of rows of another chunk. It then only has a bit for each row of that chunk, and
/// finds the indexes of its rows when they are first needed: of the two thousand chunks of a long list, a screen needs
/// one or two.
final class IndexChunk: @unchecked Sendable {
  /// The usual number of rows; a chunk is split when it has more than twice as many.
  static let targetCount = 512
  /// How many rows a run has: a search reads half a run on average.
  static let rowsPerRun = 16

  /// Some rows of another chunk.
  private struct Selection {
    let chunk: IndexChunk
    let bits: RowBits
    /// The index of the first word of the chunk's bits, which begin at the word's lowest bit.
    let firstWord: Int
  }

  let count: Int
  /// The size of the chunk's memory.
  let byteCount: Int
  /// The ids, the start of each run, the prefix and the runs; or the indexes of the selected rows, nil until they are
  /// first needed.
  private let block: Atomic<UnsafeMutableRawPointer?>
  private let selection: Selection?
  /// The smallest id, if ids take four bytes.
  private let firstID: Int64
  private let hasShortIDs: Bool
  /// Where the starts of the runs and the prefix begin in the block.
  private let startOffset: Int
  private let prefixOffset: Int
  private let prefixCount: Int
  /// Whether the start of each run takes two bytes; four if the keys are too long for that.
  private let hasShortStarts: Bool

  /// Copies rows out of a builder.
  /// - Parameters:
  ///   - runs: where the runs are in `keys`.
  ///   - keys: the first key of each run, and the stored parts of the others.
  ///   - prefixCount: how many bytes all keys share.
  init(
    ids: UnsafePointer<Int64>, count: Int, runs: [ChunkBuilder.Run], keys: UnsafePointer<UInt8>, keyCount: Int,
    prefixCount: Int
  ) {
    self.count = count
    self.prefixCount = prefixCount
    var (lowest, highest) = (ids[0], ids[0])
    for id in UnsafeBufferPointer(start: ids, count: count) { (lowest, highest) = (min(lowest, id), max(highest, id)) }
    hasShortIDs = UInt64(bitPattern: highest &- lowest) <= UInt64(UInt32.max)
    firstID = hasShortIDs ? lowest : 0

    let runBytes = runs.reduce(keyCount) { bytes, run in
      let rest = run.keyCount - prefixCount
      return bytes - prefixCount + ShortNumber.byteCount(rest)
    }
    hasShortStarts = runBytes <= Int(UInt16.max)
    startOffset = count * (hasShortIDs ? 4 : 8)
    prefixOffset = startOffset + runs.count * (hasShortStarts ? 2 : 4)
    byteCount = prefixOffset + prefixCount + runBytes
    let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    self.block = Atomic(block)
    selection = nil

    if hasShortIDs {
      let offsets = block.bindMemory(to: UInt32.self, capacity: count)
      for index in 0..<count { offsets[index] = UInt32(truncatingIfNeeded: ids[index] &- lowest) }
    } else {
      block.bindMemory(to: Int64.self, capacity: count).initialize(from: ids, count: count)
    }
    let prefix = (block + prefixOffset).bindMemory(to: UInt8.self, capacity: prefixCount + runBytes)
    memcpy(prefix, keys, prefixCount)
    let first = prefix + prefixCount
    var next = first
    for (number, run) in runs.enumerated() {
      if hasShortStarts {
        block.storeBytes(of: UInt16(next - first), toByteOffset: startOffset + number * 2, as: UInt16.self)
      } else {
        block.storeBytes(of: UInt32(next - first), toByteOffset: startOffset + number * 4, as: UInt32.self)
      }
      let end = number + 1 < runs.count ? runs[number + 1].start : keyCount
      let start = run.start + prefixCount
      ShortNumber.write(run.keyCount - prefixCount, &next)
      memcpy(next, keys + start, end - start)
      next += end - start
    }
  }

  /// Some rows of another chunk, without a copy of their keys.
  /// - Parameters:
  ///   - bits: has a bit for each row of that chunk, from the lowest bit of a word on.
  ///   - firstWord: the index of that word.
  ///   - count: how many bits are set; at least one.
  init(_ bits: RowBits, from firstWord: Int, count: Int, of chunk: IndexChunk) {
    self.count = count
    byteCount = count * 2
    block = Atomic(nil)
    selection = Selection(chunk: chunk, bits: bits, firstWord: firstWord)
    (firstID, hasShortIDs, hasShortStarts) = (0, true, true)
    (startOffset, prefixOffset, prefixCount) = (0, 0, 0)
  }

  deinit { block.load(ordering: .relaxed)?.deallocate() }

  // MARK: Ids

  @inline(__always)
  func id(_ index: Int) -> Int64 {
    guard selection == nil else { return selectedID(index) }
    return hasShortIDs
      ? firstID &+ Int64(memory.load(fromByteOffset: index &* 4, as: UInt32.self))
      : memory.load(fromByteOffset: index &* 8, as: Int64.self)
  }

  private func selectedID(_ index: Int) -> Int64 {
    let (chunk, row) = stored(index)
    return chunk.id(row)
  }

  @inline(__always)
  func forEachID(in rows: Range<Int>, _ body: (Int64) -> Void) {
    let memory = memory
    if selection != nil {
      for row in rows { body(selectedID(row)) }
    } else if hasShortIDs {
      let offsets = memory.assumingMemoryBound(to: UInt32.self)
      for row in rows { body(firstID &+ Int64(offsets[row])) }
    } else {
      let ids = memory.assumingMemoryBound(to: Int64.self)
      for row in rows { body(ids[row]) }
    }
  }

  /// Sets the bit of each row whose id is in a set, in order from the lowest bit of the first word; returns how many it
  /// set.
  /// - Parameter words: room for a bit for each row, all zero.
  func mark(_ set: IDSet, in words: UnsafeMutablePointer<UInt64>) -> Int {
    let memory = memory
    if selection == nil, hasShortIDs {
      let offsets = UnsafeBufferPointer(start: memory.assumingMemoryBound(to: UInt32.self), count: count)
      return set.mark(offsets, from: firstID, in: words)
    }
    guard selection != nil else {
      return set.mark(UnsafeBufferPointer(start: memory.assumingMemoryBound(to: Int64.self), count: count), in: words)
    }
    return (0..<count).map { selectedID($0) }.withUnsafeBufferPointer { set.mark($0, in: words) }
  }

  func index(of id: Int64) -> Int? {
    if let selection {
      guard let row = selection.chunk.index(of: id), selection.bits.holds(row, from: selection.firstWord) else {
        return nil
      }
      return selection.bits.count(below: row, from: selection.firstWord)
    }
    let memory = memory
    guard hasShortIDs else {
      return UnsafeBufferPointer(start: memory.assumingMemoryBound(to: Int64.self), count: count).firstIndex(of: id)
    }
    guard let offset = UInt32(exactly: UInt64(bitPattern: id &- firstID)), id >= firstID else { return nil }
    // Sixteen at a time, without a branch for each.
    var index = 0
    while index &+ 16 <= count {
      let offsets = memory.loadUnaligned(fromByteOffset: index &* 4, as: SIMD16<UInt32>.self)
      if any(offsets .== offset) { break }
      index &+= 16
    }
    while index < count {
      if memory.load(fromByteOffset: index &* 4, as: UInt32.self) == offset { return index }
      index &+= 1
    }
    return nil
  }

  // MARK: Keys

  /// The chunk that stores the key of a row, and the row's index there. For a selection, this is another chunk.
  @inline(__always)
  func stored(_ index: Int) -> (chunk: IndexChunk, row: Int) {
    guard let selection else { return (self, index) }
    return selection.chunk.stored(Int(memory.load(fromByteOffset: index &* 2, as: UInt16.self)))
  }

  /// The bytes that all keys begin with. Not for a selection.
  var prefix: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: (memory + prefixOffset).assumingMemoryBound(to: UInt8.self), count: prefixCount)
  }

  /// The stored keys of a run. For the first key: the number of bytes after the prefix, and these bytes. For each other
  /// key: how many bytes it shares with the key before it, the number of its other bytes, and these bytes. Not for a
  /// selection.
  func run(_ number: Int) -> UnsafePointer<UInt8> {
    let memory = memory
    let start =
      hasShortStarts
      ? Int(memory.load(fromByteOffset: startOffset &+ number &* 2, as: UInt16.self))
      : Int(memory.load(fromByteOffset: startOffset &+ number &* 4, as: UInt32.self))
    return (memory + (prefixOffset &+ prefixCount &+ start)).assumingMemoryBound(to: UInt8.self)
  }

  /// Negative if the row's key sorts before the other key, zero if they are equal.
  func compare(_ index: Int, _ key: KeyView) -> Int {
    let (chunk, row) = stored(index)
    var walk = KeyWalk(row / Self.rowsPerRun, of: chunk, with: key)
    for _ in 0..<row % Self.rowsPerRun {
      guard walk.order <= 0 else { break }
      walk.advance()
    }
    return walk.order
  }

  /// Negative if the row sorts before the key and id, zero if they are its own.
  func compare(_ index: Int, _ key: KeyView, _ id: Int64) -> Int {
    let order = compare(index, key)
    guard order == 0 else { return order }
    let own = self.id(index)
    return own < id ? -1 : (own == id ? 0 : 1)
  }

  /// The first row that does not sort before the key and id.
  func lowerBound(_ key: KeyView, _ id: Int64) -> Int {
    if let selection {
      return selection.bits.count(below: selection.chunk.lowerBound(key, id), from: selection.firstWord)
    }
    var low = 0
    var high = (count - 1) / Self.rowsPerRun + 1
    while low < high {
      let middle = (low + high) / 2
      if compare(middle * Self.rowsPerRun, key, id) < 0 { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    // The previous run begins before the key.
    var row = (low - 1) * Self.rowsPerRun
    let end = min(row + Self.rowsPerRun, count)
    var walk = KeyWalk(low - 1, of: self, with: key)
    while walk.order < 0 || (walk.order == 0 && self.id(row) < id) {
      row += 1
      guard row < end else { break }
      walk.advance()
    }
    return row
  }

  // MARK: Memory

  @inline(__always)
  private var memory: UnsafeRawPointer {
    if let block = block.load(ordering: .acquiring) { return UnsafeRawPointer(block) }
    return UnsafeRawPointer(findRows())
  }

  /// Finds the indexes of the selected rows. If two threads do it at once, the second result is discarded.
  private func findRows() -> UnsafeMutableRawPointer {
    guard let selection else { preconditionFailure("a chunk has neither rows nor a selection") }
    let made = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    var written = 0
    for word in 0..<(selection.chunk.count + 63) / 64 {
      var rest = selection.bits.words[selection.firstWord + word]
      while rest != 0, written < count {
        let row = word << 6 + rest.trailingZeroBitCount
        made.storeBytes(of: UInt16(row), toByteOffset: written * 2, as: UInt16.self)
        written += 1
        rest &= rest - 1
      }
    }
    let (isFirst, other) = block.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
    guard !isFirst, let other else { return made }
    made.deallocate()
    return other
  }
}
