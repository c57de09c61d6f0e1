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

/// The nearest rows that two lists of one order have in common, such as a list and its rows that match a search.
extension OrderedIndex {
  /// The first row from a flat row on that is also in the other list.
  ///
  /// It alternates between the lists, and goes each time to the next row that may be in both. This takes a few searches
  /// if one list has a million rows and the other has ten of them.
  func firstCommonID(from row: Int, with other: OrderedIndex) -> Int64? {
    var row = row
    while let (key, id) = entry(atFlatRow: row) {
      let flatRow = other.lowerBound(key, id)
      guard let (nextKey, next) = other.entry(atFlatRow: flatRow) else { return nil }
      if next == id || location(of: next) != nil { return next }
      row = lowerBound(nextKey, next)
    }
    return nil
  }

  /// The last row before a flat row that is also in the other list.
  func lastCommonID(before row: Int, with other: OrderedIndex) -> Int64? {
    var row = row
    while let (key, id) = entry(atFlatRow: row - 1) {
      let flatRow = other.lowerBound(key, id)
      if other.id(atFlatRow: flatRow) == id { return id }
      guard let (lastKey, last) = other.entry(atFlatRow: flatRow - 1) else { return nil }
      if location(of: last) != nil { return last }
      row = lowerBound(lastKey, last)
    }
    return nil
  }

  /// The key and the id of a flat row; nil if there is no such row.
  private func entry(atFlatRow row: Int) -> (key: KeyView, id: Int64)? {
    guard row >= 0, row < count else { return nil }
    let position = position(ofFlatRow: row)
    let chunk = chunk(at: position)
    return (chunk.key(row - starts[position]), chunk.id(row - starts[position]))
  }

  /// The first flat row that does not sort before a key and id.
  private func lowerBound(_ key: KeyView, _ id: Int64) -> Int {
    guard !order.isEmpty else { return 0 }
    let position = position(of: key, id)
    return starts[position] + chunk(at: position).lowerBound(key, id)
  }
}

/// A bit for each row of a list, in its order: set for rows that a filter keeps. The bits of each chunk begin with a
/// new word.
///
/// Once the bits are set, the memory is only read, so threads can share it.
final class RowBits: @unchecked Sendable {
  let words: UnsafeMutableBufferPointer<UInt64>

  init(wordCount: Int) {
    words = .allocate(capacity: wordCount)
    words.initialize(repeating: 0)
  }

  deinit { words.deallocate() }

  /// Whether a row of a chunk is kept.
  /// - Parameter firstWord: the index of the word where the bits of the chunk begin.
  func holds(_ row: Int, from firstWord: Int) -> Bool { words[firstWord + row >> 6] >> UInt64(row & 63) & 1 == 1 }

  /// How many of the rows of a chunk before `row` are kept.
  /// - Parameter firstWord: the index of the word where the bits of the chunk begin.
  func count(below row: Int, from firstWord: Int) -> Int {
    guard row > 0 else { return 0 }
    var count = 0
    for word in 0..<row >> 6 { count += words[firstWord + word].nonzeroBitCount }
    let rest = UInt64(row & 63)
    return rest == 0 ? count : count + (words[firstWord + row >> 6] & (1 << rest - 1)).nonzeroBitCount
  }
}
