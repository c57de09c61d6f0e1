/// Decides which of the rows that may have moved are reported as moves: as few as possible, while all others keep
/// their order.
///
/// A candidate may stay if it is in the same section as before, between the same two rows that are not candidates.
/// Among the candidates of one such gap, a longest subsequence that keeps its order stays.
enum MinimalMoves {
  /// A row of both lists that may have moved.
  struct Candidate {
    let id: Int64
    let from: RowPath
    let to: RowPath
    let contentChanged: Bool
  }

  /// Whether each candidate stays.
  /// - Parameters:
  ///   - vacated: the old paths of deletes and candidates, sorted.
  ///   - occupied: the new paths of inserts and candidates, sorted.
  ///   - newSection: gives the new ordinal of an old section; nil if it was deleted.
  static func staying(
    _ candidates: [Candidate], vacated: [RowPath], occupied: [RowPath], newSection: (Int) -> Int?
  ) -> [Bool] {
    var stays = [Bool](repeating: false, count: candidates.count)
    var gaps: [RowPath: [Int]] = [:]
    for (index, candidate) in candidates.enumerated() where newSection(candidate.from.section) == candidate.to.section {
      let old = candidate.from.row - vacated.count(inSection: candidate.from.section, before: candidate.from.row)
      let new = candidate.to.row - occupied.count(inSection: candidate.to.section, before: candidate.to.row)
      if old == new { gaps[RowPath(section: candidate.to.section, row: new), default: []].append(index) }
    }
    for indexes in gaps.values {
      let ordered = indexes.sorted { candidates[$0].from.row < candidates[$1].from.row }
      for kept in longestIncreasingSubsequence(ordered.map { candidates[$0].to.row }) { stays[ordered[kept]] = true }
    }
    return stays
  }

  /// The indexes of a strictly increasing subsequence of maximum weight, in order. Values are distinct and not
  /// negative.
  static func heaviestIncreasingSubsequence(_ values: [Int], weights: [Int]) -> [Int] {
    // A Fenwick tree of the heaviest subsequence that ends at a value or below, by the index of its last element.
    var tree = [Int](repeating: -1, count: (values.max() ?? 0) + 2)
    var totals = weights
    var previous = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      var below = value
      while below > 0 {
        if tree[below] >= 0, previous[index] < 0 || totals[tree[below]] > totals[previous[index]] {
          previous[index] = tree[below]
        }
        below &= below - 1
      }
      if previous[index] >= 0 { totals[index] += totals[previous[index]] }
      var node = value + 1
      while node < tree.count {
        if tree[node] < 0 || totals[tree[node]] < totals[index] { tree[node] = index }
        node += node & -node
      }
    }
    var result: [Int] = []
    var index = totals.indices.max { totals[$0] < totals[$1] } ?? -1
    while index >= 0 {
      result.append(index)
      index = previous[index]
    }
    return result.reversed()
  }

  /// The indexes of a longest strictly increasing subsequence, in order.
  static func longestIncreasingSubsequence(_ values: [Int]) -> [Int] {
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      let length = tails.partition { values[$0] < value }
      if length > 0 { previous[index] = tails[length - 1] }
      if length == tails.count { tails.append(index) } else { tails[length] = index }
    }
    var result: [Int] = []
    var index = tails.last ?? -1
    while index >= 0 {
      result.append(index)
      index = previous[index]
    }
    return result.reversed()
  }
}

extension ChangeSet {
  /// Makes a change set from rows that were deleted, inserted, may have moved, or changed in place.
  init(
    deletedSections: [Section], insertedSections: [Section], deletes: [Row], inserts: [Row],
    candidates: [MinimalMoves.Candidate], updates: [Update]
  ) {
    guard !candidates.isEmpty else {
      self.init(
        deletedSections: deletedSections, insertedSections: insertedSections, deletes: deletes, inserts: inserts,
        updates: updates)
      return
    }
    let sections = ChangeSet(deletedSections: deletedSections, insertedSections: insertedSections)
    let stays = MinimalMoves.staying(
      candidates,
      vacated: (deletes.map(\.path) + candidates.map(\.from)).sorted(),
      occupied: (inserts.map(\.path) + candidates.map(\.to)).sorted(),
      newSection: sections.newSection(ofOld:))
    var moves: [Move] = []
    var updates = updates
    for (candidate, stays) in zip(candidates, stays) {
      if !stays {
        moves.append(
          Move(id: candidate.id, from: candidate.from, to: candidate.to, contentChanged: candidate.contentChanged))
      } else if candidate.contentChanged {
        updates.append(Update(id: candidate.id, from: candidate.from, to: candidate.to))
      }
    }
    self.init(
      deletedSections: deletedSections, insertedSections: insertedSections, deletes: deletes, inserts: inserts,
      moves: moves, updates: updates)
  }
}
