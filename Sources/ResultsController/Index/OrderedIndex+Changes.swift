/// A row found by a query: its identity, position and content.
struct FoundRow: Sendable {
  let id: Int64
  let section: SectionValue
  let key: [UInt8]
  /// A fingerprint of the content, comparable within this process.
  let digest: UInt64
}

extension OrderedIndex {
  /// Whether a row is at the position that its values require.
  func holds(_ row: FoundRow) -> Bool {
    guard let (position, index) = location(of: row.id) else { return false }
    let chunk = chunk(at: position)
    return row.key.withUnsafeBufferPointer { chunk.compare(index, KeyView($0)) == 0 }
      && (!isSectioned || sectionValues[section(ofFlatRow: starts[position] + index)] == row.section)
  }

  /// The index after removing and inserting rows; a moved row is in both lists. `removed` ids that are not in the list
  /// are skipped. Throws `sectionOrderDisagrees` and leaves this index unchanged.
  func applying(removed: [Int64], inserted: [FoundRow]) throws -> OrderedIndex {
    var result = self
    try result.apply(removed: removed, inserted: inserted)
    return result
  }

  private mutating func apply(removed: [Int64], inserted: [FoundRow]) throws {
    var counts = zip(sectionStarts, sectionStarts.dropFirst()).map { $1 - $0 }
    var removals: [(position: Int, index: Int)] = []
    removals.reserveCapacity(removed.count)
    for id in removed {
      guard let location = location(of: id) else { continue }
      removals.append(location)
      counts[section(ofFlatRow: starts[location.position] + location.index)] -= 1
      identities.remove(id)
    }
    removals.sort { ($0.position, $0.index) < ($1.position, $1.index) }
    let insertions = inserted.sorted { left, right in
      left.key.withUnsafeBufferPointer { leftKey in
        right.key.withUnsafeBufferPointer { rightKey in
          let order = KeyView.compare(KeyView(leftKey), KeyView(rightKey))
          return order != 0 ? order < 0 : left.id < right.id
        }
      }
    }
    replaceChunks(removals, insertions)
    if identities.isOverfull || isFragmented { compact() }
    try insertSections(counts, insertions)
  }

  /// Rewrites each chunk with a removal or an insertion, once.
  private mutating func replaceChunks(_ removals: [(position: Int, index: Int)], _ insertions: [FoundRow]) {
    let positions = insertions.map { row in
      row.key.withUnsafeBufferPointer { order.isEmpty ? 0 : position(of: KeyView($0), row.id) }
    }
    var newOrder: [UInt32] = []
    newOrder.reserveCapacity(order.count + insertions.count / IndexChunk.targetCount + 1)
    var copied = 0
    var removal = 0
    var insertion = 0
    while removal < removals.count || insertion < insertions.count {
      let position = min(
        removal < removals.count ? removals[removal].position : Int.max,
        insertion < insertions.count ? positions[insertion] : Int.max)
      newOrder.append(contentsOf: order[copied..<min(position, order.count)])
      copied = min(position + 1, order.count)

      let removalStart = removal
      while removal < removals.count, removals[removal].position == position { removal += 1 }
      let insertionStart = insertion
      while insertion < insertions.count, positions[insertion] == position { insertion += 1 }
      newOrder.append(
        contentsOf: rewrite(
          position < order.count ? order[position] : nil, without: removals[removalStart..<removal],
          with: insertions[insertionStart..<insertion]))
    }
    newOrder.append(contentsOf: order[copied...])
    order = newOrder
    recount()
  }

  /// Makes the chunks that replace one, and returns their serials.
  private mutating func rewrite(
    _ serial: UInt32?, without removals: ArraySlice<(position: Int, index: Int)>, with insertions: ArraySlice<FoundRow>
  ) -> [UInt32] {
    let old = serial.flatMap { chunk(serial: $0) }
    let oldCount = old?.count ?? 0
    let total = oldCount - removals.count + insertions.count
    let pieces = total > 2 * IndexChunk.targetCount ? (total - 1) / IndexChunk.targetCount + 1 : 1
    let target = max(1, (total - 1) / pieces + 1)
    var rows = ChunkBuilder(target: target)
    var nextRemoval = removals.startIndex
    var index = 0
    func copy(to end: Int) {
      guard let old else { return }
      while index < end {
        if nextRemoval < removals.endIndex, removals[nextRemoval].index == index {
          nextRemoval += 1
        } else {
          rows.append(old.id(index), old.key(index))
        }
        index += 1
      }
    }
    for row in insertions {
      row.key.withUnsafeBufferPointer { bytes in
        let key = KeyView(bytes)
        if let old { copy(to: old.lowerBound(key, row.id)) }
        rows.append(row.id, key)
      }
    }
    copy(to: oldCount)
    rows.flush()
    let chunks = rows.chunks

    if let serial, chunks.isEmpty {
      pages[Int(serial) / Self.chunksPerPage][Int(serial) % Self.chunksPerPage] = nil
      freeSerials.append(serial)
    }
    var serials: [UInt32] = []
    for (piece, chunk) in chunks.enumerated() {
      if piece == 0, let serial {
        pages[Int(serial) / Self.chunksPerPage][Int(serial) % Self.chunksPerPage] = chunk
        serials.append(serial)
      } else {
        let added = add(chunk)
        chunk.forEachID(in: 0..<chunk.count) { identities.set($0, added) }
        serials.append(added)
      }
    }
    if let first = serials.first, let firstChunk = chunks.first {
      // Rows of the old chunk that keep its serial need no new entry; only the inserted ones do.
      if chunks.count == 1 {
        for row in insertions { identities.set(row.id, first) }
      } else {
        firstChunk.forEachID(in: 0..<firstChunk.count) { identities.set($0, first) }
      }
    }
    return serials
  }

  private mutating func add(_ chunk: IndexChunk) -> UInt32 {
    if let serial = freeSerials.popLast() {
      pages[Int(serial) / Self.chunksPerPage][Int(serial) % Self.chunksPerPage] = chunk
      return serial
    }
    if let last = pages.last, last.count < Self.chunksPerPage {
      pages[pages.count - 1].append(chunk)
    } else {
      pages.append([chunk])
    }
    return UInt32((pages.count - 1) * Self.chunksPerPage + pages[pages.count - 1].count - 1)
  }

  private mutating func recount() {
    var newStarts = [0]
    newStarts.reserveCapacity(order.count + 1)
    var newPositions = [UInt32](repeating: 0, count: pages.count * Self.chunksPerPage)
    var total = 0
    for (position, serial) in order.enumerated() {
      total += chunk(serial: serial)?.count ?? 0
      newStarts.append(total)
      newPositions[Int(serial)] = UInt32(position)
    }
    starts = newStarts
    positions = newPositions
  }

  /// Rebuilds all chunks, after deletes left them thin or inserts filled the identity map.
  private mutating func compact() {
    var builder = ChunkBuilder()
    for position in order.indices {
      let chunk = chunk(at: position)
      for index in 0..<chunk.count { builder.append(chunk.id(index), chunk.key(index)) }
    }
    builder.flush()
    let sections = zip(sectionValues, zip(sectionStarts, sectionStarts.dropFirst())).map {
      (value: $0.0, count: $0.1.1 - $0.1.0)
    }
    self = OrderedIndex(chunks: builder.chunks, sections: sections, isSectioned: isSectioned)
  }

  /// Rebuilds the sections from the counts of the rows that stayed, and from the positions of the inserted rows.
  private mutating func insertSections(_ keptCounts: [Int], _ insertions: [FoundRow]) throws {
    guard isSectioned else {
      sectionValues = [.null]
      sectionStarts = [0, count]
      return
    }
    var counts = keptCounts
    var ordinals: [SectionValue: Int] = [:]
    var newSections: [(value: SectionValue, first: Int, count: Int)] = []
    var newOrdinals: [SectionValue: Int] = [:]
    for (ordinal, value) in sectionValues.enumerated() where keptCounts[ordinal] > 0 { ordinals[value] = ordinal }
    for row in insertions {
      if let ordinal = ordinals[row.section] {
        counts[ordinal] += 1
      } else if let known = newOrdinals[row.section] {
        newSections[known].count += 1
      } else {
        newOrdinals[row.section] = newSections.count
        newSections.append((row.section, flatRow(of: row.id) ?? 0, 1))
      }
    }
    newSections.sort { $0.first < $1.first }

    var values: [SectionValue] = []
    var ends = [0]
    var end = 0
    var next = 0
    func appendNewSections() {
      while next < newSections.count, newSections[next].first == end {
        end += newSections[next].count
        values.append(newSections[next].value)
        ends.append(end)
        next += 1
      }
    }
    appendNewSections()
    for (ordinal, value) in sectionValues.enumerated() where keptCounts[ordinal] > 0 {
      end += counts[ordinal]
      values.append(value)
      ends.append(end)
      appendNewSections()
    }
    if next < newSections.count { throw ResultsError.sectionOrderDisagrees(newSections[next].value) }
    sectionValues = values
    sectionStarts = ends
    for row in insertions {
      guard let flat = flatRow(of: row.id), sectionValues[section(ofFlatRow: flat)] == row.section else {
        throw ResultsError.sectionOrderDisagrees(row.section)
      }
    }
  }
}
