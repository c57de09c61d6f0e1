import SystemThreads

/// A ranking of rows, in two threads if there are enough of them.
struct ParallelRanking {
  private let rows: UnsafeBufferPointer<UInt32>
  private let parallelThreshold: Int

  /// - Parameters:
  ///   - rows: ascending.
  ///   - parallelThreshold: the number of rows from which two threads are used; with fewer, starting a thread would
  ///     take too much of the time.
  init(_ rows: UnsafeBufferPointer<UInt32>, parallelThreshold: Int) {
    self.rows = rows
    self.parallelThreshold = parallelThreshold
  }

  /// Returns the best of the rows, best first, equally good ones by id; none if the limit is 0.
  /// - Parameters:
  ///   - keepsTies: see ``Ranking/best(_:limit:keepsTies:isCancelled:)``.
  ///   - isCancelled: only called on this thread.
  ///   - ranking: makes a ranking that shares no mutable state with another one.
  func best(limit: Int, keepsTies: Bool, isCancelled: () -> Bool, ranking: () -> Ranking) -> [SearchHit] {
    guard !rows.isEmpty, limit > 0 else { return [] }
    let first = ranking()
    guard rows.count >= parallelThreshold, first.hasTerms, SystemThread.hasSecond else {
      return first.best(rows, limit: limit, keepsTies: keepsTies, isCancelled: isCancelled)
    }
    let rankings = [first, ranking()]
    let parts = limit <= ParallelRanking.shortLimit ? min(8, rows.count) : 2
    return withUnsafeTemporaryAllocation(of: [SearchHit].self, capacity: parts) { found in
      found.initialize(repeating: [])
      defer { found.deinitialize() }
      // The calls write to different memory, and what they read does not change.
      SecondThread.forEachPart(parts, isCancelled: isCancelled) { part, thread in
        let range = rows.count * part / parts..<rows.count * (part + 1) / parts
        found[part] = rankings[thread].best(
          UnsafeBufferPointer(rebasing: rows[range]), limit: limit, keepsTies: keepsTies
        ) { thread == 0 && isCancelled() }
      }
      if keepsTies {
        let best = found.compactMap(\.first?.score).max()
        return found.filter { $0.first?.score == best }.flatMap(\.self)
      }
      return found.dropFirst().reduce(found[0]) { ParallelRanking.merged($0, $1, limit: limit) }
    }
  }

  /// With a higher limit, each part would rank too many rows that are not among the best.
  private static let shortLimit = 16

  private static func merged(_ first: [SearchHit], _ second: [SearchHit], limit: Int) -> [SearchHit] {
    var result: [SearchHit] = []
    result.reserveCapacity(min(limit, first.count + second.count))
    var (left, right) = (0, 0)
    while result.count < limit, left < first.count || right < second.count {
      let takesLeft: Bool
      if left < first.count, right < second.count {
        let (one, other) = (first[left], second[right])
        takesLeft = one.score != other.score ? one.score > other.score : one.id < other.id
      } else {
        takesLeft = left < first.count
      }
      if takesLeft {
        result.append(first[left])
        left += 1
      } else {
        result.append(second[right])
        right += 1
      }
    }
    return result
  }
}
