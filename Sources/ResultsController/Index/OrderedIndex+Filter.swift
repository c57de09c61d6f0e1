import IDSets

/// The rows of a list that are in a set of ids.
extension OrderedIndex {
  /// The rows whose ids are in a set, in the same order and sections.
  ///
  /// The result has a bit for each row of this list, in its order, and the counts by chunk and section; keys and the
  /// identity map are shared, and ids are found chunk by chunk when they are needed. If the set is small, its rows are
  /// looked up and copied instead.
  func filtered(_ ids: IDSet) -> OrderedIndex {
    ids.count < count / (ids.hasBits ? 1024 : 16) ? lookingUp(ids) : selecting(ids)
  }

  /// For a few rows: looks up each one instead of walking the list.
  private func lookingUp(_ ids: IDSet) -> OrderedIndex {
    var builder = ChunkBuilder()
    var counts = [Int](repeating: 0, count: sectionCount)
    for row in ids.compactMap({ flatRow(of: $0) }).sorted() {
      let position = position(ofFlatRow: row)
      let chunk = chunk(at: position)
      builder.append(chunk.id(row - starts[position]), chunk.key(row - starts[position]))
      counts[section(ofFlatRow: row)] += 1
    }
    builder.flush()
    return OrderedIndex(builder.chunks, counts, like: self)
  }

  /// Keeps the serials, so that the identity map still fits: a row that is left out is not found in its chunk.
  func selecting(_ ids: IDSet) -> OrderedIndex {
    var result = self
    result.order = []
    result.order.reserveCapacity(order.count)
    result.starts = [0]
    result.starts.reserveCapacity(starts.count)
    var counts = [Int](repeating: 0, count: sectionCount)
    var section = 0
    var total = 0
    let firstWords = order.indices.reduce(into: [0]) { words, position in
      words.append(words[position] + (starts[position + 1] - starts[position] + 63) / 64)
    }
    let bits = RowBits(wordCount: firstWords[order.count])
    for position in order.indices {
      let serial = Int(order[position])
      let chunk = chunk(at: position)
      let firstWord = firstWords[position]
      let found = bits.words.baseAddress.map { chunk.mark(ids, in: $0 + firstWord) } ?? 0
      let (page, slot) = (serial / Self.chunksPerPage, serial % Self.chunksPerPage)
      if found == 0 {
        result.pages[page][slot] = nil
        result.freeSerials.append(UInt32(serial))
      } else {
        if found < chunk.count {
          result.pages[page][slot] = IndexChunk(bits, from: firstWord, count: found, of: chunk)
        }
        total += found
        result.order.append(UInt32(serial))
        result.starts.append(total)
        var counted = 0
        // Most chunks are in one section.
        while starts[position + 1] > sectionStarts[section + 1] {
          let before = bits.count(below: sectionStarts[section + 1] - starts[position], from: firstWord)
          counts[section] += before - counted
          counted = before
          section += 1
        }
        counts[section] += found - counted
      }
    }
    for (position, serial) in result.order.enumerated() { result.positions[Int(serial)] = UInt32(position) }
    result.setSections(counts)
    return result
  }

  /// Keeps the sections that have rows.
  private mutating func setSections(_ counts: [Int]) {
    let kept = isSectioned ? zip(sectionValues, counts).filter { $0.1 > 0 } : [(.null, count)]
    sectionValues = kept.map(\.0)
    sectionStarts = kept.reduce(into: [0]) { starts, section in starts.append(starts[starts.count - 1] + section.1) }
  }

  private init(_ chunks: [IndexChunk], _ counts: [Int], like other: OrderedIndex) {
    let sections = zip(other.sectionValues, counts).filter { $0.1 > 0 }.map { (value: $0.0, count: $0.1) }
    self.init(chunks: chunks, sections: sections, isSectioned: other.isSectioned)
  }
}
