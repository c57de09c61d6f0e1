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
