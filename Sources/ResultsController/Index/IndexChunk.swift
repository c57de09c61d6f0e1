import Glibc
import IDSets
import Synchronization

/// Several hundred adjacent rows: their ids and encoded keys in one block of memory. Immutable, so that the lists
/// before and after a change share all chunks except the few that the change touched.
///
/// The pointer is to memory that the chunk owns and never writes once another thread can see it, which makes the
/// chunk safe to share across threads.
///
/// A chunk can also be a selection of rows of another chunk. It then only has a bit for each row of that chunk, and
/// finds the indexes of its rows when they are first needed: of the two thousand chunks of a long list, a screen needs
/// one or two.
final class IndexChunk: @unchecked Sendable {
  /// The usual number of rows; a chunk is split when it has more than twice as many.
  static let targetCount = 512

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
  /// The ids, where each key ends, and the keys; or the indexes of the selected rows, nil until they are first needed.
  private let block: Atomic<UnsafeMutableRawPointer?>
  private let selection: Selection?

  /// Copies rows.
  /// - Parameters:
  ///   - ends: where the key of each row ends in `keys`.
  ///   - keys: the keys, one after the other.
  init(ids: [Int64], ends: [UInt32], keys: [UInt8]) {
    count = ids.count
    selection = nil
    let endsStart = count * 8
    let keysStart = endsStart + count * 4
    byteCount = keysStart + keys.count
    let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    memcpy(block, ids, endsStart)
    memcpy(block + endsStart, ends, count * 4)
    memcpy(block + keysStart, keys, keys.count)
    self.block = Atomic(block)
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
  }

  deinit { block.load(ordering: .relaxed)?.deallocate() }

  // MARK: Ids

  /// The ids of a chunk that is not a selection.
  @inline(__always)
  private var ids: UnsafeBufferPointer<Int64> {
    UnsafeBufferPointer(start: memory.assumingMemoryBound(to: Int64.self), count: count)
  }

  @inline(__always)
  func id(_ index: Int) -> Int64 {
    guard selection == nil else { return selectedID(index) }
    return ids[index]
  }

  private func selectedID(_ index: Int) -> Int64 {
    let (chunk, row) = stored(index)
    return chunk.id(row)
  }

  @inline(__always)
  func forEachID(in rows: Range<Int>, _ body: (Int64) -> Void) {
    if selection != nil {
      for row in rows { body(selectedID(row)) }
    } else {
      for id in ids[rows] { body(id) }
    }
  }

  /// Sets the bit of each row whose id is in a set, in order from the lowest bit of the first word; returns how many it
  /// set.
  /// - Parameter words: room for a bit for each row, all zero.
  func mark(_ set: IDSet, in words: UnsafeMutablePointer<UInt64>) -> Int {
    guard selection != nil else { return set.mark(ids, in: words) }
    return (0..<count).map { selectedID($0) }.withUnsafeBufferPointer { set.mark($0, in: words) }
  }

  func index(of id: Int64) -> Int? {
    guard let selection else { return ids.firstIndex(of: id) }
    guard let row = selection.chunk.index(of: id), selection.bits.holds(row, from: selection.firstWord) else {
      return nil
    }
    return selection.bits.count(below: row, from: selection.firstWord)
  }

  // MARK: Keys

  /// The key of a row, valid as long as the chunk.
  func key(_ index: Int) -> KeyView {
    let (chunk, row) = stored(index)
    let memory = chunk.memory + chunk.count &* 8
    let end = Int(memory.load(fromByteOffset: row &* 4, as: UInt32.self))
    let start = row == 0 ? 0 : Int(memory.load(fromByteOffset: (row &- 1) &* 4, as: UInt32.self))
    let keys = (memory + chunk.count &* 4).assumingMemoryBound(to: UInt8.self)
    return KeyView(UnsafeBufferPointer(start: keys + start, count: end &- start))
  }

  /// The chunk that stores a row, and the row's index there. For a selection, this is another chunk.
  @inline(__always)
  private func stored(_ index: Int) -> (chunk: IndexChunk, row: Int) {
    guard let selection else { return (self, index) }
    return selection.chunk.stored(Int(memory.load(fromByteOffset: index &* 2, as: UInt16.self)))
  }

  /// Negative if the row's key sorts before the other key, zero if they are equal.
  func compare(_ index: Int, _ key: KeyView) -> Int { KeyView.compare(self.key(index), key) }

  /// Negative if the row sorts before the key and id, zero if they are its own.
  func compare(_ index: Int, _ key: KeyView, _ id: Int64) -> Int {
    let order = compare(index, key)
    guard order == 0 else { return order }
    let own = self.id(index)
    return own < id ? -1 : (own == id ? 0 : 1)
  }

  /// The first row that does not sort before the key and id.
  func lowerBound(_ key: KeyView, _ id: Int64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if compare(middle, key, id) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
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

/// Gathers rows in order and cuts them into chunks.
struct ChunkBuilder {
  private(set) var chunks: [IndexChunk] = []
  private var ids: [Int64] = []
  /// Where the key of each pending row ends in `keys`.
  private var ends: [UInt32] = []
  private var keys: [UInt8] = []
  private let target: Int

  /// - Parameter target: the number of appended rows that make a chunk; a flush makes one of fewer rows.
  init(target: Int = IndexChunk.targetCount) { self.target = target }

  /// How many rows are not in a chunk yet.
  var pendingCount: Int { ids.count }

  /// Whether a row sorts after the last one.
  func canAppend(_ id: Int64, _ key: KeyView) -> Bool {
    guard let lastID = ids.last else {
      guard let chunk = chunks.last else { return true }
      return chunk.compare(chunk.count - 1, key, id) < 0
    }
    let start = ends.count > 1 ? Int(ends[ends.count - 2]) : 0
    let order = keys.withUnsafeBufferPointer {
      KeyView.compare(KeyView(UnsafeBufferPointer(rebasing: $0[start...])), key)
    }
    return order == 0 ? lastID < id : order < 0
  }

  /// Adds a row after the last one.
  mutating func append(_ id: Int64, _ key: KeyView) {
    ids.append(id)
    keys.append(contentsOf: key.bytes)
    ends.append(UInt32(keys.count))
    if ids.count == target { flush() }
  }

  /// Adds a chunk of another index unchanged; the rows appended before become a chunk of their own.
  mutating func append(_ chunk: IndexChunk) {
    flush()
    chunks.append(chunk)
  }

  mutating func flush() {
    guard !ids.isEmpty else { return }
    chunks.append(IndexChunk(ids: ids, ends: ends, keys: keys))
    ids.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
  }
}

/// Recognizes the chunks of an earlier list among rows that arrive in order, so that a list that is reread takes no
/// memory for unchanged parts.
///
/// Its position is before a chunk of the earlier list, or inside a chunk whose rows up to there have all arrived.
struct ChunkSharing {
  private let earlier: OrderedIndex
  private var position = 0
  /// How many rows of the chunk at `position` have arrived; nil while the rows differ from the earlier list.
  private var matched: Int? = 0

  init(_ earlier: OrderedIndex) { self.earlier = earlier }

  private var chunk: IndexChunk? { position < earlier.order.count ? earlier.chunk(at: position) : nil }

  /// True if the row is the next one of the chunk. The chunk's last row appends the whole chunk to the builder. If the
  /// row differs, the rows matched so far are copied.
  mutating func reuse(_ id: Int64, _ key: KeyView, _ builder: inout ChunkBuilder) -> Bool {
    guard let count = matched, let chunk else { return false }
    guard chunk.id(count) == id, chunk.compare(count, key) == 0 else {
      finish(&builder)
      return false
    }
    matched = count + 1
    if count + 1 == chunk.count {
      builder.append(chunk)
      position += 1
      matched = 0
    }
    return true
  }

  /// True if the row, which ``reuse(_:_:_:)`` did not accept, is the first one of a later chunk, and that chunk
  /// can be shared.
  mutating func begins(_ id: Int64, _ key: KeyView, _ builder: inout ChunkBuilder) -> Bool {
    while let chunk, chunk.compare(0, key, id) < 0 { position += 1 }
    guard let chunk, chunk.compare(0, key, id) == 0 else { return false }
    // Sharing this chunk turns the pending rows into a chunk of their own. If both fit into one chunk, copy the rows
    // instead.
    guard builder.pendingCount == 0 || builder.pendingCount + chunk.count > IndexChunk.targetCount else { return false }
    matched = 0
    return reuse(id, key, &builder)
  }

  /// Copies the rows of a partly matched chunk.
  mutating func finish(_ builder: inout ChunkBuilder) {
    if let matched, let chunk {
      for index in 0..<matched { builder.append(chunk.id(index), chunk.key(index)) }
    }
    matched = nil
  }
}
