/// The content of a written row before its first undelivered write, and now.
struct Touch {
  /// The fingerprint before; nil if there was no such row.
  let base: UInt64?
  /// The fingerprint now; nil if the row is not in the list.
  var latest: UInt64?

  var contentChanged: Bool { base != latest }
}

extension ChangeSet {
  /// The change between two lists of the same order that differ only in the touched rows.
  /// Takes a few searches for each touched row.
  init(from before: ResultsSnapshot, to after: ResultsSnapshot, touched: [Int64: Touch]) {
    var deletes: [Row] = []
    var inserts: [Row] = []
    var candidates: [MinimalMoves.Candidate] = []
    var updates: [Update] = []
    let (deletedSections, insertedSections) = Self.sections(before, after)
    let moving = Self.rows(ofSectionsIn: deletedSections, and: insertedSections, before, after)
    for (id, touch) in touched {
      switch (before.indexPath(of: id), after.indexPath(of: id)) {
      case (nil, nil): continue
      case (let path?, nil): deletes.append(Row(id: id, path: path))
      case (nil, let path?): inserts.append(Row(id: id, path: path))
      case (let from?, let to?):
        if before.sections[from.section].value != after.sections[to.section].value
          || !Self.haveSameKey(before.index, after.index, id)
        {
          // The position depends on the row's values and, in a joined source, on those of related rows: the content
          // counts as changed.
          candidates.append(.init(id: id, from: from, to: to, contentChanged: true))
        } else if touch.contentChanged, moving[id] == nil {
          updates.append(Update(id: id, from: from, to: to))
        }
      }
    }
    Self.add(moving, touched, to: &candidates)
    self.init(
      deletedSections: deletedSections, insertedSections: insertedSections, deletes: deletes, inserts: inserts,
      candidates: candidates, updates: updates)
  }

  /// The change between any two lists. Walks both.
  ///
  /// - Parameter hasSameOrder: whether the sort keys of both lists are comparable. If not, any row may have moved.
  init(
    comparing before: ResultsSnapshot, with after: ResultsSnapshot, hasSameOrder: Bool, touched: [Int64: Touch]
  ) {
    guard let old = before.index, let new = after.index else {
      self.init()
      return
    }
    var removed: [(id: Int64, row: Int)] = []
    var added: [(id: Int64, row: Int)] = []
    if hasSameOrder {
      Self.merge(old, new, removed: &removed, added: &added)
    } else {
      var row = 0
      old.forEachID(in: 0..<old.count) {
        removed.append(($0, row)); row += 1
      }
      row = 0
      new.forEachID(in: 0..<new.count) {
        added.append(($0, row)); row += 1
      }
    }

    var deletes: [Row] = []
    var inserts: [Row] = []
    var candidates: [MinimalMoves.Candidate] = []
    let (deletedSections, insertedSections) = Self.sections(before, after)
    if added.isEmpty || removed.isEmpty {
      deletes = removed.map { Row(id: $0.id, path: old.path(atFlatRow: $0.row)) }
      inserts = added.map { Row(id: $0.id, path: new.path(atFlatRow: $0.row)) }
    } else {
      for (id, row) in removed {
        let from = old.path(atFlatRow: row)
        if let newRow = new.flatRow(of: id) {
          candidates.append(
            .init(
              id: id, from: from, to: new.path(atFlatRow: newRow),
              contentChanged: hasSameOrder || touched[id]?.contentChanged == true))
        } else {
          deletes.append(Row(id: id, path: from))
        }
      }
      for (id, row) in added where old.flatRow(of: id) == nil {
        inserts.append(Row(id: id, path: new.path(atFlatRow: row)))
      }
    }
    Self.add(Self.rows(ofSectionsIn: deletedSections, and: insertedSections, before, after), touched, to: &candidates)
    var updates: [Update] = []
    let mayMove = Set(candidates.map(\.id))
    for (id, touch) in touched where touch.contentChanged && !mayMove.contains(id) {
      if let from = before.indexPath(of: id), let to = after.indexPath(of: id) {
        updates.append(Update(id: id, from: from, to: to))
      }
    }
    self.init(
      deletedSections: deletedSections, insertedSections: insertedSections, deletes: deletes, inserts: inserts,
      candidates: candidates, updates: updates)
  }

  private static func haveSameKey(_ old: OrderedIndex?, _ new: OrderedIndex?, _ id: Int64) -> Bool {
    guard let old, let new, let oldLocation = old.location(of: id), let newLocation = new.location(of: id) else {
      return false
    }
    let oldChunk = old.chunk(at: oldLocation.position)
    let newChunk = new.chunk(at: newLocation.position)
    if oldChunk === newChunk, oldLocation.index == newLocation.index { return true }
    return newChunk.compare(newLocation.index, oldChunk.key(oldLocation.index)) == 0
  }

  /// Walks two lists of one order and finds the rows that are only in one of them, or have another key or section.
  private static func merge(
    _ old: OrderedIndex, _ new: OrderedIndex, removed: inout [(id: Int64, row: Int)],
    added: inout [(id: Int64, row: Int)]
  ) {
    var left = IndexCursor(old)
    var right = IndexCursor(new)
    while let leftChunk = left.chunk, let rightChunk = right.chunk {
      if leftChunk === rightChunk, left.index == 0, right.index == 0, left.endsInSection, right.endsInSection,
        old.sectionValues[left.section] == new.sectionValues[right.section]
      {
        left.skipChunk()
        right.skipChunk()
        continue
      }
      let leftID = leftChunk.id(left.index)
      let rightID = rightChunk.id(right.index)
      let order = leftChunk.compare(left.index, rightChunk.key(right.index))
      if order == 0, leftID == rightID {
        if old.sectionValues[left.section] != new.sectionValues[right.section] {
          removed.append((leftID, left.row))
          added.append((rightID, right.row))
        }
        left.advance()
        right.advance()
      } else if order < 0 || (order == 0 && leftID < rightID) {
        removed.append((leftID, left.row))
        left.advance()
      } else {
        added.append((rightID, right.row))
        right.advance()
      }
    }
    while let chunk = left.chunk {
      removed.append((chunk.id(left.index), left.row))
      left.advance()
    }
    while let chunk = right.chunk {
      added.append((chunk.id(right.index), right.row))
      right.advance()
    }
  }

  /// The rows that both lists have in sections that moved; such a section counts as deleted and inserted. Each of these
  /// rows moves too, even if nobody wrote it.
  private static func rows(
    ofSectionsIn deleted: [Section], and inserted: [Section], _ before: ResultsSnapshot, _ after: ResultsSnapshot
  ) -> [Int64: (from: RowPath, to: RowPath)] {
    guard !deleted.isEmpty, !inserted.isEmpty, let old = before.index else { return [:] }
    let values = Set(inserted.map(\.info.value))
    var rows: [Int64: (from: RowPath, to: RowPath)] = [:]
    for section in deleted where values.contains(section.info.value) {
      var from = RowPath(section: section.ordinal, row: 0)
      old.forEachID(in: old.sectionStarts[section.ordinal]..<old.sectionStarts[section.ordinal + 1]) { id in
        if let to = after.indexPath(of: id) { rows[id] = (from, to) }
        from.row += 1
      }
    }
    return rows
  }

  /// Adds the rows that are not candidates yet.
  private static func add(
    _ rows: [Int64: (from: RowPath, to: RowPath)], _ touched: [Int64: Touch],
    to candidates: inout [MinimalMoves.Candidate]
  ) {
    guard !rows.isEmpty else { return }
    let known = Set(candidates.map(\.id))
    for (id, paths) in rows where !known.contains(id) {
      candidates.append(
        .init(id: id, from: paths.from, to: paths.to, contentChanged: touched[id]?.contentChanged == true))
    }
  }

  /// The sections that only one list has. If sections changed their order, those that moved count as deleted and
  /// inserted; the increasing subsequence of sections with the most rows stays.
  private static func sections(_ before: ResultsSnapshot, _ after: ResultsSnapshot) -> ([Section], [Section]) {
    if before.sections.map(\.value) == after.sections.map(\.value) { return ([], []) }
    var newOrdinals: [SectionValue: Int] = [:]
    for (ordinal, section) in after.sections.enumerated() { newOrdinals[section.value] = ordinal }
    let common = before.sections.indices.filter { newOrdinals[before.sections[$0].value] != nil }
    let targets = common.compactMap { newOrdinals[before.sections[$0].value] }
    // Among equally heavy subsequences, prefer the one with more sections.
    let weights = zip(common, targets).map { old, new in
      min(before.sections[old].count, after.sections[new].count) * (common.count + 1) + 1
    }
    let kept = MinimalMoves.heaviestIncreasingSubsequence(targets, weights: weights)
    let keptValues = Set(kept.map { before.sections[common[$0]].value })
    func others(_ sections: [SectionInfo]) -> [Section] {
      sections.enumerated().filter { !keptValues.contains($0.element.value) }.map {
        Section(ordinal: $0.offset, info: $0.element)
      }
    }
    return (others(before.sections), others(after.sections))
  }
}

/// A position that walks an index from its first row.
private struct IndexCursor {
  private let source: OrderedIndex
  private var position = 0
  private(set) var chunk: IndexChunk?
  private(set) var index = 0
  private(set) var row = 0
  private(set) var section = 0

  init(_ source: OrderedIndex) {
    self.source = source
    chunk = source.order.isEmpty ? nil : source.chunk(at: 0)
    skipEndedSections()
  }

  mutating func advance() {
    index += 1
    row += 1
    if let chunk, index == chunk.count { next() }
    skipEndedSections()
  }

  /// Whether the rest of the chunk is in the current section.
  var endsInSection: Bool { row - index + (chunk?.count ?? 0) <= source.sectionStarts[section + 1] }

  mutating func skipChunk() {
    row += (chunk?.count ?? 0) - index
    next()
    skipEndedSections()
  }

  private mutating func next() {
    position += 1
    index = 0
    chunk = position < source.order.count ? source.chunk(at: position) : nil
  }

  private mutating func skipEndedSections() {
    while section < source.sectionCount - 1, row >= source.sectionStarts[section + 1] { section += 1 }
  }
}
