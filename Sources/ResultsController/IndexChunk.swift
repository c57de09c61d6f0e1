import Glibc
import Synchronization

/// An encoded sort key: the prefix that a chunk's keys share, then the rest. Valid while its chunk is.
struct KeyView {
  let prefix: UnsafeBufferPointer<UInt8>
  let rest: UnsafeBufferPointer<UInt8>

  init(prefix: UnsafeBufferPointer<UInt8>, rest: UnsafeBufferPointer<UInt8>) {
    self.prefix = prefix
    self.rest = rest
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    prefix = bytes
    rest = UnsafeBufferPointer(start: nil, count: 0)
  }

  var count: Int { prefix.count + rest.count }

  /// Negative, zero or positive, as `memcmp` of the whole keys; a key sorts after its own prefixes.
  static func compare(_ left: KeyView, _ right: KeyView) -> Int {
    let common = min(left.prefix.count, right.prefix.count)
    var result = bytes(left.prefix, 0, right.prefix, 0, common)
    if result != 0 { return result }
    if left.prefix.count > common {
      let middle = min(left.prefix.count - common, right.rest.count)
      result = bytes(left.prefix, common, right.rest, 0, middle)
      if result != 0 { return result }
      guard common + middle == left.prefix.count else { return 1 }
      let tail = min(left.rest.count, right.rest.count - middle)
      result = bytes(left.rest, 0, right.rest, middle, tail)
    } else {
      let middle = min(right.prefix.count - common, left.rest.count)
      result = bytes(left.rest, 0, right.prefix, common, middle)
      if result != 0 { return result }
      guard common + middle == right.prefix.count else { return -1 }
      let tail = min(right.rest.count, left.rest.count - middle)
      result = bytes(left.rest, middle, right.rest, 0, tail)
    }
    return result != 0 ? result : left.count - right.count
  }

  @inline(__always)
  private static func bytes(
    _ left: UnsafeBufferPointer<UInt8>, _ leftStart: Int, _ right: UnsafeBufferPointer<UInt8>, _ rightStart: Int,
    _ count: Int
  ) -> Int {
    guard count > 0, let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return 0 }
    return Int(memcmp(leftBase + leftStart, rightBase + rightStart, count))
  }
}

/// Several hundred adjacent rows: their ids and encoded keys in one block of memory. Immutable, so that the lists
/// before and after a change share all chunks except the few that the change touched.
///
/// The pointers are to memory that the chunk owns and never writes after `init`, which makes it safe to share across
/// threads.
///
/// A chunk can also be some rows of another one. It then only has a bit for each row of that one, and finds its ids
/// when they are first needed: of the two thousand chunks of a long list, a screen needs one or two.
final class IndexChunk: @unchecked Sendable {
  /// New chunks have this many rows; a chunk is split when it has twice as many.
  static let targetCount = 512

  /// Some rows of a chunk that has keys.
  private struct Selection {
    let chunk: IndexChunk
    let bits: RowBits
    /// The first word of the chunk's bits, which begin in its lowest bit.
    let firstWord: Int
  }

  let count: Int
  /// The size of the chunk's memory.
  let byteCount: Int
  /// The ids, then ends and keys, or the indexes of the selected rows. Nil until a selection is first asked for them.
  private let block: Atomic<UnsafeMutableRawPointer?>
  private let selection: Selection?
  private let prefixCount: Int
  /// Where the ends and the keys begin in the block.
  private let endOffset: Int
  private let keyOffset: Int
  /// Whether the end of each key takes two bytes; four if the keys are too long for that.
  private let hasShortEnds: Bool

  var ids: UnsafeBufferPointer<Int64> {
    UnsafeBufferPointer(start: memory.assumingMemoryBound(to: Int64.self), count: count)
  }

  /// Copies rows out of a builder; `keys` are whole keys, `ends` their ends.
  init(ids: UnsafePointer<Int64>, ends: UnsafePointer<Int>, keys: UnsafePointer<UInt8>, count: Int) {
    self.count = count
    let firstCount = ends[0]
    let lastStart = count > 1 ? ends[count - 2] : 0
    let lastCount = ends[count - 1] - lastStart
    var shared = 0
    let limit = min(firstCount, lastCount)
    while shared < limit, keys[shared] == keys[lastStart + shared] { shared += 1 }
    prefixCount = shared

    let idBytes = count * 8
    let keyBytes = shared + ends[count - 1] - count * shared
    hasShortEnds = keyBytes <= Int(UInt16.max)
    let endBytes = count * (hasShortEnds ? 2 : 4)
    byteCount = idBytes + endBytes + keyBytes
    let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    let idCopy = block.bindMemory(to: Int64.self, capacity: count)
    idCopy.update(from: ids, count: count)
    let endCopy = block + idBytes
    let keyCopy = (block + idBytes + endBytes).bindMemory(to: UInt8.self, capacity: keyBytes)
    keyCopy.update(from: keys, count: shared)
    var written = shared
    var start = 0
    for index in 0..<count {
      let length = ends[index] - start - shared
      memcpy(keyCopy + written, keys + start + shared, length)
      written += length
      if hasShortEnds {
        endCopy.storeBytes(of: UInt16(written), toByteOffset: index * 2, as: UInt16.self)
      } else {
        endCopy.storeBytes(of: UInt32(written), toByteOffset: index * 4, as: UInt32.self)
      }
      start = ends[index]
    }
    endOffset = idBytes
    keyOffset = idBytes + endBytes
    self.block = Atomic(block)
    selection = nil
  }

  /// Some rows of another chunk, without a copy of their keys.
  /// - Parameters:
  ///   - bits: a bit for each row of that chunk, from the lowest bit of a word on.
  ///   - firstWord: that word.
  ///   - count: how many bits are set; at least one.
  init(_ bits: RowBits, from firstWord: Int, count: Int, of chunk: IndexChunk) {
    self.count = count
    byteCount = count * 10
    block = Atomic(nil)
    selection = Selection(chunk: chunk, bits: bits, firstWord: firstWord)
    (prefixCount, endOffset, keyOffset, hasShortEnds) = (0, 0, 0, true)
  }

  deinit { block.load(ordering: .relaxed)?.deallocate() }

  func key(_ index: Int) -> KeyView {
    let memory = memory
    if let selection {
      return selection.chunk.key(Int(memory.load(fromByteOffset: count * 8 + index * 2, as: UInt16.self)))
    }
    let start = index == 0 ? prefixCount : end(index - 1, memory)
    let keys = (memory + keyOffset).assumingMemoryBound(to: UInt8.self)
    return KeyView(
      prefix: UnsafeBufferPointer(start: keys, count: prefixCount),
      rest: UnsafeBufferPointer(start: keys + start, count: end(index, memory) - start))
  }

  @inline(__always)
  private func end(_ index: Int, _ memory: UnsafeRawPointer) -> Int {
    hasShortEnds
      ? Int(memory.load(fromByteOffset: endOffset + index * 2, as: UInt16.self))
      : Int(memory.load(fromByteOffset: endOffset + index * 4, as: UInt32.self))
  }

  private var memory: UnsafeRawPointer {
    if let block = block.load(ordering: .acquiring) { return UnsafeRawPointer(block) }
    return UnsafeRawPointer(findRows())
  }

  /// Finds the ids and indexes of the selected rows. Two threads may do it at once; the second one's are not used.
  private func findRows() -> UnsafeMutableRawPointer {
    guard let selection else { preconditionFailure("a chunk has neither rows nor those of another") }
    let made = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 8)
    let all = selection.chunk.ids
    var written = 0
    for word in 0..<(all.count + 63) / 64 {
      var rest = selection.bits.words[selection.firstWord + word]
      while rest != 0, written < count {
        let row = word << 6 + rest.trailingZeroBitCount
        made.storeBytes(of: all[row], toByteOffset: written * 8, as: Int64.self)
        made.storeBytes(of: UInt16(row), toByteOffset: count * 8 + written * 2, as: UInt16.self)
        written += 1
        rest &= rest - 1
      }
    }
    let (isFirst, other) = block.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
    guard !isFirst, let other else { return made }
    made.deallocate()
    return other
  }

  /// Negative if the row sorts before the key and id.
  func compare(_ index: Int, _ key: KeyView, _ id: Int64) -> Int {
    let order = KeyView.compare(self.key(index), key)
    return order != 0 ? order : (ids[index] < id ? -1 : (ids[index] == id ? 0 : 1))
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

  func index(of id: Int64) -> Int? { ids.firstIndex(of: id) }
}

/// Gathers rows in order and cuts them into chunks.
struct ChunkBuilder {
  private(set) var chunks: [IndexChunk] = []
  private(set) var pendingCount = 0
  private let ids: UnsafeMutablePointer<Int64>
  private let ends: UnsafeMutablePointer<Int>
  private var keys: UnsafeMutablePointer<UInt8>
  private var keyCount = 0
  private var keyCapacity: Int
  private let target: Int

  /// `target`: the number of rows in each chunk except the last.
  init(target: Int = IndexChunk.targetCount) {
    self.target = target
    keyCapacity = target * 48
    ids = .allocate(capacity: target)
    ends = .allocate(capacity: target)
    keys = .allocate(capacity: keyCapacity)
  }

  /// Frees the scratch memory; the builder must not be used afterwards.
  func deallocate() {
    ids.deallocate()
    ends.deallocate()
    keys.deallocate()
  }

  /// The key of the last appended row, unless it has just filled a chunk.
  var lastKey: (key: KeyView, id: Int64)? {
    if pendingCount > 0 {
      let start = pendingCount > 1 ? ends[pendingCount - 2] : 0
      return (KeyView(UnsafeBufferPointer(start: keys + start, count: keyCount - start)), ids[pendingCount - 1])
    }
    return chunks.last.map { ($0.key($0.count - 1), $0.ids[$0.count - 1]) }
  }

  @inline(__always)
  mutating func append(_ id: Int64, _ key: KeyView) {
    let length = key.count
    if keyCount + length > keyCapacity { grow(keyCount + length) }
    if let start = key.prefix.baseAddress { memcpy(keys + keyCount, start, key.prefix.count) }
    if let start = key.rest.baseAddress { memcpy(keys + keyCount + key.prefix.count, start, key.rest.count) }
    keyCount += length
    ids[pendingCount] = id
    ends[pendingCount] = keyCount
    pendingCount += 1
    if pendingCount == target { flush() }
  }

  /// Adds a chunk of another index unchanged; the rows appended before become a chunk of their own.
  mutating func append(_ chunk: IndexChunk) {
    flush()
    chunks.append(chunk)
  }

  mutating func flush() {
    guard pendingCount > 0 else { return }
    chunks.append(IndexChunk(ids: ids, ends: ends, keys: keys, count: pendingCount))
    pendingCount = 0
    keyCount = 0
  }

  private mutating func grow(_ needed: Int) {
    let capacity = max(keyCapacity * 2, needed)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    moved.update(from: keys, count: keyCount)
    keys.deallocate()
    keys = moved
    keyCapacity = capacity
  }
}
