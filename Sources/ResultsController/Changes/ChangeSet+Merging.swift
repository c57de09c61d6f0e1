extension ChangeSet {
  /// Combines this change with the next one.
  ///
  /// A row that was inserted and deleted again is left out; a row that moved and moved back is not a move. A row whose
  /// content changed twice counts as changed, because change sets do not say whether the content is as before. A row
  /// that was deleted and inserted again counts as changed too.
  public func merging(_ next: ChangeSet) -> ChangeSet {
    var removedSections: [SectionValue: Section] = [:]
    var addedSections: [SectionValue: Section] = [:]
    for section in deletedSections { removedSections[section.info.value] = section }
    for section in next.deletedSections {
      if let old = oldSection(ofNew: section.ordinal) {
        removedSections[section.info.value] = Section(ordinal: old, info: section.info)
      }
    }
    for section in next.insertedSections { addedSections[section.info.value] = section }
    for section in insertedSections {
      if let new = next.newSection(ofOld: section.ordinal) {
        addedSections[section.info.value] = Section(ordinal: new, info: section.info)
      }
    }
    let returned = removedSections.keys.filter { value in
      addedSections[value] != nil && !next.isRemade(value) && !isRemade(value)
    }
    for value in Self.sameSections(returned, removedSections, addedSections) {
      removedSections[value] = nil
      addedSections[value] = nil
    }

    var deletes: [Int64: RowPath] = [:]
    var inserts: [Int64: RowPath] = [:]
    var candidates: [MinimalMoves.Candidate] = []
    var updates: [Update] = []
    var changed: Set<Int64> = []
    for row in self.deletes { deletes[row.id] = row.path }
    for row in next.deletes where oldPath(ofNew: row.path) != nil { deletes[row.id] = oldPath(ofNew: row.path) }
    for row in next.inserts { inserts[row.id] = row.path }
    for row in self.inserts { inserts[row.id] = next.newPath(ofOld: row.path) }
    for update in self.updates { changed.insert(update.id) }
    for update in next.updates { changed.insert(update.id) }
    for move in moves + next.moves where move.contentChanged { changed.insert(move.id) }

    var seen: Set<Int64> = []
    func consider(_ id: Int64, from: RowPath?, to: RowPath?, isCandidate: Bool) {
      guard let from, let to, seen.insert(id).inserted else { return }
      if isCandidate {
        candidates.append(.init(id: id, from: from, to: to, contentChanged: changed.contains(id)))
      } else {
        updates.append(Update(id: id, from: from, to: to))
      }
    }
    for (id, from) in deletes {
      guard let to = inserts[id] else { continue }
      deletes[id] = nil
      inserts[id] = nil
      changed.insert(id)
      consider(id, from: from, to: to, isCandidate: true)
    }
    for move in moves { consider(move.id, from: move.from, to: next.newPath(ofOld: move.to), isCandidate: true) }
    for move in next.moves { consider(move.id, from: oldPath(ofNew: move.from), to: move.to, isCandidate: true) }
    for update in self.updates {
      consider(update.id, from: update.from, to: next.newPath(ofOld: update.to), isCandidate: false)
    }
    for update in next.updates {
      consider(update.id, from: oldPath(ofNew: update.from), to: update.to, isCandidate: false)
    }
    return ChangeSet(
      deletedSections: Array(removedSections.values), insertedSections: Array(addedSections.values),
      deletes: deletes.map { Row(id: $0.key, path: $0.value) },
      inserts: inserts.map { Row(id: $0.key, path: $0.value) },
      candidates: candidates, updates: updates)
  }

  /// The removed and reappeared sections that count as having stayed: they kept their order among themselves, and
  /// follow as many of the other remaining sections as before.
  private static func sameSections(
    _ returned: [SectionValue], _ removed: [SectionValue: Section], _ added: [SectionValue: Section]
  ) -> [SectionValue] {
    guard !returned.isEmpty else { return [] }
    /// The ordinal of a section, and how many of the sections that stayed are before it.
    func position(_ value: SectionValue, _ sections: [SectionValue: Section]) -> (ordinal: Int, stayed: Int) {
      let ordinal = sections[value]?.ordinal ?? 0
      return (ordinal, ordinal - sections.values.count { $0.ordinal < ordinal })
    }
    let candidates = returned.map { (value: $0, old: position($0, removed), new: position($0, added)) }
      .filter { $0.old.stayed == $0.new.stayed }.sorted { $0.old.ordinal < $1.old.ordinal }
    return MinimalMoves.longestIncreasingSubsequence(candidates.map(\.new.ordinal)).map { candidates[$0].value }
  }

  /// Whether a section is both deleted and inserted, because the order of sections changed.
  private func isRemade(_ value: SectionValue) -> Bool {
    deletedSections.contains { $0.info.value == value } && insertedSections.contains { $0.info.value == value }
  }
}

/// The form of a change set that a strict table view accepts in one batch: no row is deleted, inserted or moved twice,
/// and the rows of inserted and deleted sections are left out.
public struct ChangeBatch: Sendable, Equatable {
  /// Ordinals in the old list.
  public var deleteSections: [Int]
  /// Ordinals in the new list.
  public var insertSections: [Int]
  /// Paths in the old list, including rows that move into an inserted section.
  public var deleteRows: [RowPath]
  /// Paths in the new list, including rows that move out of a deleted section.
  public var insertRows: [RowPath]
  /// Moves within and between sections that both lists have.
  public var moveRows: [Move]
  /// Paths in the new list of rows to reconfigure after the batch: their content changed, but the table kept their
  /// views.
  public var reconfigureAfter: [RowPath]

  /// One move.
  public struct Move: Sendable, Hashable {
    /// The old path.
    public var from: RowPath
    /// The new path.
    public var to: RowPath
  }
}

extension ChangeSet {
  /// The change as one batch, for a table view that checks its counts.
  public func batch() -> ChangeBatch {
    let deleted = Set(deletedSections.map(\.ordinal))
    let inserted = Set(insertedSections.map(\.ordinal))
    var deleteRows = deletes.map(\.path).filter { !deleted.contains($0.section) }
    var insertRows = inserts.map(\.path).filter { !inserted.contains($0.section) }
    var moveRows: [ChangeBatch.Move] = []
    var reconfigure = updates.map(\.to)
    for move in moves {
      switch (deleted.contains(move.from.section), inserted.contains(move.to.section)) {
      case (false, false):
        moveRows.append(ChangeBatch.Move(from: move.from, to: move.to))
        if move.contentChanged { reconfigure.append(move.to) }
      case (false, true): deleteRows.append(move.from)
      case (true, false): insertRows.append(move.to)
      case (true, true): break
      }
    }
    return ChangeBatch(
      deleteSections: deletedSections.map(\.ordinal), insertSections: insertedSections.map(\.ordinal),
      deleteRows: deleteRows.sorted(), insertRows: insertRows.sorted(), moveRows: moveRows.sorted { $0.from < $1.from },
      reconfigureAfter: reconfigure.sorted())
  }
}
