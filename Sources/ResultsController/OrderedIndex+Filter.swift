/// The rows of a list that are in a set of ids.
extension OrderedIndex {
  /// The rows whose ids are in a set, in the same order and sections.
  ///
  /// Many rows share the keys of this list, chunk by chunk, and its identity map: a tenth of the time of copying them.
  func filtered(_ ids: IDSet) -> OrderedIndex {
    if ids.count < count / 64 { return lookingUp(ids) }
    return ids.count < count / 16 ? copying(ids) : sharing(ids)
  }

  /// For a few rows: looks up each one instead of walking the list.
  private func lookingUp(_ ids: IDSet) -> OrderedIndex {
    var builder = ChunkBuilder()
    defer { builder.deallocate() }
    var counts = [Int](repeating: 0, count: sectionCount)
    for row in ids.compactMap({ flatRow(of: $0) }).sorted() {
      let position = position(ofFlatRow: row)
      let chunk = chunk(at: position)
      builder.append(chunk.ids[row - starts[position]], chunk.key(row - starts[position]))
      counts[section(ofFlatRow: row)] += 1
    }
    return OrderedIndex(builder.finish(), counts, like: self)
  }

  /// Copies the rows. The plain way: the others give what this one gives.
  func copying(_ ids: IDSet) -> OrderedIndex {
    var builder = ChunkBuilder()
    defer { builder.deallocate() }
    var counts = [Int](repeating: 0, count: sectionCount)
    var section = 0
    for position in order.indices {
      let chunk = chunk(at: position)
      for index in 0..<chunk.count where ids.contains(chunk.ids[index]) {
        builder.append(chunk.ids[index], chunk.key(index))
        while starts[position] + index >= sectionStarts[section + 1] { section += 1 }
        counts[section] += 1
      }
    }
    return OrderedIndex(builder.finish(), counts, like: self)
  }

  /// Keeps the serials, so that the identity map fits: a row that is left out is not found in its chunk.
  func sharing(_ ids: IDSet) -> OrderedIndex {
    var result = self
    result.order = []
    result.starts = [0]
    var counts = [Int](repeating: 0, count: sectionCount)
    var section = 0
    var total = 0
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: largestChunk) { rows in
      guard let room = rows.baseAddress else { return }
      for position in order.indices {
        let serial = Int(order[position])
        let chunk = chunk(at: position)
        let found = ids.select(chunk.ids, into: room)
        let (page, place) = (serial / Self.chunksPerPage, serial % Self.chunksPerPage)
        guard found > 0 else {
          result.pages[page][place] = nil
          result.freeSerials.append(UInt32(serial))
          continue
        }
        let selected = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(rows)[..<found])
        if found < chunk.count { result.pages[page][place] = IndexChunk(selected, of: chunk) }
        total += found
        result.order.append(UInt32(serial))
        result.starts.append(total)
        for row in selected {
          while starts[position] + Int(row) >= sectionStarts[section + 1] { section += 1 }
          counts[section] += 1
        }
      }
    }
    for (position, serial) in result.order.enumerated() { result.positions[Int(serial)] = UInt32(position) }
    result.takeSections(counts)
    return result
  }

  private var largestChunk: Int { zip(starts, starts.dropFirst()).reduce(1) { max($0, $1.1 - $1.0) } }

  /// Keeps the sections that have rows.
  private mutating func takeSections(_ counts: [Int]) {
    let kept = isSectioned ? zip(sectionValues, counts).filter { $0.1 > 0 } : [(.null, count)]
    sectionValues = kept.map(\.0)
    sectionStarts = kept.reduce(into: [0]) { starts, section in starts.append(starts[starts.count - 1] + section.1) }
  }

  private init(_ chunks: [IndexChunk], _ counts: [Int], like other: OrderedIndex) {
    let sections = zip(other.sectionValues, counts).filter { $0.1 > 0 }.map { (value: $0.0, count: $0.1) }
    self.init(chunks: chunks, sections: sections, isSectioned: other.isSectioned)
  }
}

extension ChunkBuilder {
  /// All chunks.
  fileprivate mutating func finish() -> [IndexChunk] {
    flush()
    return chunks
  }
}
