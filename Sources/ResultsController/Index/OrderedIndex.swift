import IDSets

/// The list in memory: rows sorted by (sort key, id), split into chunks with counts, and the sections as ranges of it.
///
/// Copying it copies no rows: chunks, pages of chunks and buckets of the identity map are shared until one is replaced.
/// Finding the index of an id or the id at an index takes a few searches. Changing a row also copies one or two chunks,
/// and rewrites the arrays with one number per chunk (about two thousand for a million rows).
struct OrderedIndex: Sendable {
  static let chunksPerPage = 64

  /// Chunks by serial; nil if the serial is free.
  var pages: [[IndexChunk?]] = []
  var freeSerials: [UInt32] = []
  /// Serials in the order of the list.
  var order: [UInt32] = []
  /// The flat row where each chunk of `order` begins, followed by the number of rows.
  var starts: [Int] = [0]
  /// The index in `order` of each serial.
  var positions: [UInt32] = []
  var identities: IdentityMap
  /// The identity of each section, in order.
  var sectionValues: [SectionValue]
  /// The flat row where each section begins, followed by the number of rows.
  var sectionStarts: [Int]
  let isSectioned: Bool

  /// An index of sorted rows; `sections` are their runs.
  init(chunks: [IndexChunk], sections: [(value: SectionValue, count: Int)], isSectioned: Bool) {
    self.isSectioned = isSectioned
    pages = stride(from: 0, to: chunks.count, by: Self.chunksPerPage).map {
      Array(chunks[$0..<min($0 + Self.chunksPerPage, chunks.count)])
    }
    order = Array(0..<UInt32(chunks.count))
    positions = order
    starts.reserveCapacity(chunks.count + 1)
    var total = 0
    for chunk in chunks {
      total += chunk.count
      starts.append(total)
    }
    identities = IdentityMap(chunks, count: total)
    sectionValues = []
    sectionStarts = [0]
    var end = 0
    for section in isSectioned ? sections : [(.null, total)] {
      end += section.count
      sectionValues.append(section.value)
      sectionStarts.append(end)
    }
  }

  var count: Int { starts[starts.count - 1] }
  var sectionCount: Int { sectionValues.count }

  /// Whether many chunks have few rows, so that the arrays with one number per chunk are too long.
  var isFragmented: Bool { order.count > 64 + 4 * count / IndexChunk.targetCount }

  func chunk(serial: UInt32) -> IndexChunk? {
    pages[Int(serial) / Self.chunksPerPage][Int(serial) % Self.chunksPerPage]
  }

  /// The chunk at an index of the order. A serial in `order` always has its chunk.
  func chunk(at position: Int) -> IndexChunk {
    guard let chunk = chunk(serial: order[position]) else { preconditionFailure("a chunk of the order is missing") }
    return chunk
  }

  /// The index of the chunk that holds a flat row, which must be below `count`.
  func position(ofFlatRow row: Int) -> Int { Self.lastStart(starts, notAfter: row) }

  /// The index of the chunk that a key belongs to: the last one that does not begin after it, or the first if all do.
  func position(of key: KeyView, _ id: Int64) -> Int {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if chunk(at: middle).compare(0, key, id) <= 0 { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  func id(atFlatRow row: Int) -> Int64? {
    guard row >= 0, row < count else { return nil }
    let position = position(ofFlatRow: row)
    return chunk(at: position).id(row - starts[position])
  }

  /// The position of a row: the index of its chunk, and its index inside.
  func location(of id: Int64) -> (position: Int, index: Int)? {
    guard let serial = identities.serial(of: id), let chunk = chunk(serial: serial), let index = chunk.index(of: id)
    else { return nil }
    return (Int(positions[Int(serial)]), index)
  }

  func flatRow(of id: Int64) -> Int? { location(of: id).map { starts[$0.position] + $0.index } }

  func section(ofFlatRow row: Int) -> Int { Self.lastStart(sectionStarts, notAfter: row) }

  func path(atFlatRow row: Int) -> RowPath {
    let section = section(ofFlatRow: row)
    return RowPath(section: section, row: row - sectionStarts[section])
  }

  func flatRow(of path: RowPath) -> Int? {
    guard path.section >= 0, path.section < sectionCount, path.row >= 0 else { return nil }
    let row = sectionStarts[path.section] + path.row
    return row < sectionStarts[path.section + 1] ? row : nil
  }

  func forEachID(in rows: Range<Int>, _ body: (Int64) -> Void) {
    forEachPart(in: rows) { chunk, rows in chunk.forEachID(in: rows, body) }
  }

  func idSet(inFlatRows rows: Range<Int>) -> IDSet {
    var (low, high) = (Int64.max, Int64.min)
    forEachPart(in: rows) { chunk, rows in
      chunk.forEachID(in: rows) { (low, high) = (min(low, $0), max(high, $0)) }
    }
    guard low <= high else { return [] }
    let first = low >> 6
    guard (high >> 6) - first <= IDSet.wordsPerID * rows.clamped(to: 0..<count).count else {
      var ids: [Int64] = []
      forEachID(in: rows) { ids.append($0) }
      return IDSet(ids)
    }
    var words = [UInt64](repeating: 0, count: Int((high >> 6) - first) + 1)
    words.withUnsafeMutableBufferPointer { words in
      forEachPart(in: rows) { chunk, rows in
        chunk.forEachID(in: rows) { words[Int(($0 >> 6) - first)] |= 1 << UInt64($0 & 63) }
      }
    }
    return IDSet(firstWord: first, words: words)
  }

  /// The first rows whose ids are in a set, in order.
  func firstIDs(in ids: IDSet, limit: Int) -> [Int64] {
    // Few of many are looked up.
    if ids.count < count / 64 {
      let rows = ids.compactMap { flatRow(of: $0) }.sorted().prefix(limit)
      return rows.compactMap { id(atFlatRow: $0) }
    }
    var found: [Int64] = []
    for position in order.indices {
      let chunk = chunk(at: position)
      for index in 0..<chunk.count {
        guard found.count < limit else { return found }
        let id = chunk.id(index)
        if ids.contains(id) { found.append(id) }
      }
    }
    return found
  }

  /// Calls the body with each chunk that has rows of a range of flat rows, and with the indexes of these rows in the
  /// chunk.
  private func forEachPart(in rows: Range<Int>, _ body: (IndexChunk, Range<Int>) -> Void) {
    let rows = rows.clamped(to: 0..<count)
    guard !rows.isEmpty else { return }
    var position = position(ofFlatRow: rows.lowerBound)
    var row = rows.lowerBound
    while row < rows.upperBound {
      let chunk = chunk(at: position)
      let first = row - starts[position]
      let last = min(chunk.count, rows.upperBound - starts[position])
      body(chunk, first..<last)
      row = starts[position] + last
      position += 1
    }
  }

  /// The last index whose start is not after a row, skipping empty ranges.
  private static func lastStart(_ starts: [Int], notAfter row: Int) -> Int {
    var low = 0
    var high = starts.count - 1
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= row { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}
