/// Finds the chunks of an earlier list among rows that come in order, so that a list that is read again takes no memory
/// for what has not changed.
///
/// It stands before a chunk of the earlier list, or inside one of which all rows came so far.
struct ChunkSharing {
  private let earlier: OrderedIndex
  private var place = 0
  /// How many rows of the chunk at `place` came; nil while rows come that the earlier list does not have there.
  private var matched: Int? = 0

  init(_ earlier: OrderedIndex) { self.earlier = earlier }

  private var chunk: IndexChunk? { place < earlier.order.count ? earlier.chunk(at: place) : nil }

  /// True when the row is the next one of the chunk. The chunk goes into the builder with its last row; the rows of one
  /// that was left in the middle are copied.
  mutating func takes(_ id: Int64, _ key: KeyView, _ builder: inout ChunkBuilder) -> Bool {
    guard let count = matched, let chunk else { return false }
    guard chunk.compare(count, key, id) == 0 else {
      finish(&builder)
      return false
    }
    matched = count + 1
    if count + 1 == chunk.count {
      builder.append(chunk)
      place += 1
      matched = 0
    }
    return true
  }

  /// True when the row, which `takes` did not take, is the first one of a later chunk.
  mutating func begins(_ id: Int64, _ key: KeyView, _ builder: inout ChunkBuilder) -> Bool {
    while let chunk, chunk.compare(0, key, id) < 0 { place += 1 }
    guard let chunk, chunk.compare(0, key, id) == 0 else { return false }
    // What came before is a chunk of its own, unless it is a few rows that are better copied together with these.
    guard builder.pendingCount == 0 || builder.pendingCount + chunk.count > IndexChunk.targetCount else { return false }
    matched = 0
    return takes(id, key, &builder)
  }

  /// Copies the rows that came of a chunk.
  mutating func finish(_ builder: inout ChunkBuilder) {
    if let matched, let chunk {
      for index in 0..<matched { builder.append(chunk.ids[index], chunk.key(index)) }
    }
    matched = nil
  }
}
