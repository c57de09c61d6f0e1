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
