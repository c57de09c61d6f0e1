import Glibc

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
final class IndexChunk: @unchecked Sendable {
  /// New chunks have this many rows; a chunk is split when it has twice as many.
  static let targetCount = 512

  let count: Int
  /// The size of the chunk's memory.
  let byteCount: Int
  private let block: UnsafeMutableRawPointer
  /// For some rows of another chunk: that chunk, which has the keys, and the indexes of the rows in it.
  private let source: (chunk: IndexChunk, rows: UnsafePointer<UInt16>)?
  private let prefixCount: Int
  /// The end of each key in `keys`: two bytes each, or four if the keys are too long for that.
  private let ends: UnsafeRawPointer
  private let hasShortEnds: Bool
  private let keys: UnsafePointer<UInt8>
  let ids: UnsafeBufferPointer<Int64>

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
    block = .allocate(byteCount: byteCount, alignment: 8)
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
    self.ids = UnsafeBufferPointer(start: idCopy, count: count)
    self.ends = UnsafeRawPointer(endCopy)
    self.keys = UnsafePointer(keyCopy)
    source = nil
  }

  /// Some rows of another chunk, without a copy of their keys.
  /// - Parameter rows: their indexes, ascending; at least one.
  init(_ rows: UnsafeBufferPointer<UInt16>, of chunk: IndexChunk) {
    count = rows.count
    let idBytes = count * 8
    byteCount = idBytes + count * 2
    block = .allocate(byteCount: byteCount, alignment: 8)
    let idCopy = block.bindMemory(to: Int64.self, capacity: count)
    let rowCopy = (block + idBytes).bindMemory(to: UInt16.self, capacity: count)
    for (index, row) in rows.enumerated() {
      idCopy[index] = chunk.ids[Int(row)]
      rowCopy[index] = row
    }
    ids = UnsafeBufferPointer(start: idCopy, count: count)
    source = (chunk, UnsafePointer(rowCopy))
    (prefixCount, hasShortEnds, ends, keys) = (0, true, UnsafeRawPointer(block), chunk.keys)
  }

  deinit { block.deallocate() }

  func key(_ index: Int) -> KeyView {
    if let source { return source.chunk.key(Int(source.rows[index])) }
    let start = index == 0 ? prefixCount : end(index - 1)
    return KeyView(
      prefix: UnsafeBufferPointer(start: keys, count: prefixCount),
      rest: UnsafeBufferPointer(start: keys + start, count: end(index) - start))
  }

  @inline(__always)
  private func end(_ index: Int) -> Int {
    hasShortEnds
      ? Int(ends.load(fromByteOffset: index * 2, as: UInt16.self))
      : Int(ends.load(fromByteOffset: index * 4, as: UInt32.self))
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
