/// A finder of contacts that are probably the same: they share an email address, phone number or account and have
/// compatible names, or they have the same name and share a birthday, address, website or organization.
///
/// Contacts that share no value are never compared, so the time grows with the number of contacts, not with its square.
public struct DuplicateFinder: Sendable {
  private var all: [DuplicateTraits] = []

  /// Creates a finder without contacts.
  public init() {}

  /// Adds a contact. Pairs refer to it by its id.
  public mutating func add(_ contact: Contact) { all.append(DuplicateTraits(contact)) }

  /// Adds the contacts of another finder, which another thread may have made.
  public mutating func add(_ other: DuplicateFinder) { all += other.all }

  /// Returns all pairs, in order of id.
  /// - Parameters:
  ///   - isCancelled: called often; true ends the work with `CancellationError`.
  ///   - onProgress: called from time to time with the completed fraction, 0 to 1.
  ///   - onFound: called from time to time with the pairs found since the last call, in no particular order; the last
  ///     pairs are only in the result.
  public func pairs(
    isCancelled: () -> Bool = { false }, onProgress: (Double) -> Void = { _ in },
    onFound: (ArraySlice<DuplicatePair>) -> Void = { _ in }
  ) throws(CancellationError) -> [DuplicatePair] {
    let comparison = try DuplicateComparison(all, isCancelled, onProgress)
    var pairs: [DuplicatePair] = []
    var reported = 0
    for (count, candidate) in comparison.candidates.enumerated() {
      if count.isMultiple(of: 1024) {
        if isCancelled() { throw CancellationError() }
        if reported < pairs.count { onFound(pairs[reported...]) }
        reported = pairs.count
        onProgress(0.5 + Double(count) / Double(comparison.candidates.count) / 2)
      }
      let reasons = comparison.reasons(candidate.one, candidate.other)
      guard !reasons.isEmpty else { continue }
      let ids = [all[candidate.one].id, all[candidate.other].id].sorted()
      pairs.append(DuplicatePair(first: ids[0], second: ids[1], reasons: reasons.sorted()))
    }
    return pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }
}

/// The indexes of two contacts that share a value.
struct DuplicateCandidate: Hashable {
  let one: Int
  let other: Int
}
