import Glibc

/// Gathers rows in order and cuts them into chunks.
struct ChunkBuilder {
  /// The part of a chunk from one whole key to the next.
  struct Run {
    /// Where the whole key begins in `keys`; the stored parts of the other rows' keys follow it.
    let start: Int
    let keyCount: Int
  }

  private(set) var chunks: [IndexChunk] = []
  private(set) var pendingCount = 0
  private let ids: UnsafeMutablePointer<Int64>
  private var runs: [Run] = []
  private var keys: UnsafeMutablePointer<UInt8>
  private var keyCount = 0
  private var keyCapacity: Int
  /// How many bytes all pending keys have in common.
  private var prefixCount = 0
  /// The last key and its id.
  private var last: UnsafeMutablePointer<UInt8>
  private var lastCount = 0
  private var lastCapacity = 256
  private var lastID: Int64 = 0
  /// Whether the last row was appended with a whole chunk, so that `last` does not hold its key.
  private var endsWithChunk = false
  private let target: Int

  /// - Parameter target: the number of appended rows that make a chunk; a flush makes one of fewer rows.
  init(target: Int = IndexChunk.targetCount) {
    self.target = target
    keyCapacity = target * 16
    ids = .allocate(capacity: target)
    keys = .allocate(capacity: keyCapacity)
    last = .allocate(capacity: lastCapacity)
  }

  /// Frees the scratch memory; the builder must not be used afterwards.
  func deallocate() {
    ids.deallocate()
    keys.deallocate()
    last.deallocate()
  }

  /// How many bytes a key shares with the key of the last row; nil if the new row does not sort after the last one.
  mutating func shared(_ id: Int64, _ key: KeyView) -> Int? {
    guard pendingCount > 0 || !chunks.isEmpty else { return 0 }
    if endsWithChunk { readLastKey() }
    let shared = sharedCount(key)
    guard shared < lastCount else { return shared < key.count || lastID < id ? shared : nil }
    return shared < key.count && last[shared] < key.bytes[shared] ? shared : nil
  }

  @inline(__always)
  mutating func append(_ id: Int64, _ key: KeyView) {
    append(id, key, sharing: pendingCount > 0 ? sharedCount(key) : 0)
  }

  /// Adds a row after the last one.
  /// - Parameter shared: how many bytes the key shares with the key of the last row, if rows are pending.
  mutating func append(_ id: Int64, _ key: KeyView, sharing shared: Int) {
    let isFirstOfRun = pendingCount.isMultiple(of: IndexChunk.rowsPerRun)
    prefixCount = pendingCount == 0 ? key.count : min(prefixCount, shared)
    let stored = isFirstOfRun ? 0 : shared
    reserve(key.count - stored, whole: key.count)
    var next = keys + keyCount
    if isFirstOfRun {
      runs.append(Run(start: keyCount, keyCount: key.count))
    } else {
      ShortNumber.write(shared, &next)
      ShortNumber.write(key.count - shared, &next)
    }
    // Only the bytes of `last` that differ are replaced.
    let kept = pendingCount == 0 ? 0 : shared
    if let start = key.bytes.baseAddress {
      memcpy(next, start + stored, key.count - stored)
      next += key.count - stored
      memcpy(last + kept, start + kept, key.count - kept)
    }
    keyCount = next - keys
    lastCount = key.count
    lastID = id
    endsWithChunk = false
    ids[pendingCount] = id
    pendingCount += 1
    if pendingCount == target { flush() }
  }

  /// Adds a chunk of another index unchanged; the rows appended before become a chunk of their own.
  mutating func append(_ chunk: IndexChunk) {
    flush()
    chunks.append(chunk)
    endsWithChunk = true
  }

  mutating func flush() {
    guard pendingCount > 0 else { return }
    chunks.append(
      IndexChunk(
        ids: ids, count: pendingCount, runs: runs, keys: keys, keyCount: keyCount, prefixCount: prefixCount))
    runs.removeAll(keepingCapacity: true)
    pendingCount = 0
    keyCount = 0
  }

  @inline(__always)
  private func sharedCount(_ key: KeyView) -> Int {
    key.bytes.baseAddress.map { KeyView.sharedCount(last, $0, min(lastCount, key.count)) } ?? 0
  }

  private mutating func readLastKey() {
    guard let chunk = chunks.last else { return }
    let reader = KeyReader()
    defer { withExtendedLifetime(reader) {} }
    let key = reader.key(chunk.count - 1, of: chunk)
    lastCount = 0
    reserve(0, whole: key.count)
    if let start = key.bytes.baseAddress { memcpy(last, start, key.count) }
    lastCount = key.count
    lastID = chunk.id(chunk.count - 1)
    endsWithChunk = false
  }

  /// Makes room for one more key.
  /// - Parameters:
  ///   - stored: how many bytes of the key are stored.
  ///   - whole: the length of the key.
  @inline(__always)
  private mutating func reserve(_ stored: Int, whole: Int) {
    // Two numbers take at most nine bytes each.
    if keyCount + stored + 18 > keyCapacity { Self.grow(&keys, &keyCapacity, keyCount, keyCount + stored + 18) }
    if whole > lastCapacity { Self.grow(&last, &lastCapacity, lastCount, whole) }
  }

  private static func grow(
    _ bytes: inout UnsafeMutablePointer<UInt8>, _ capacity: inout Int, _ count: Int, _ needed: Int
  ) {
    let grown = max(capacity * 2, needed)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: grown)
    moved.update(from: bytes, count: count)
    bytes.deallocate()
    bytes = moved
    capacity = grown
  }
}
