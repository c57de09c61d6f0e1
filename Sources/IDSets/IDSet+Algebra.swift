/// Sets made of two others. If the ids are close together, whole words of bits are combined.
extension IDSet {
  /// Returns the ids that are in one of the sets, or in both.
  public func union(_ other: IDSet) -> IDSet { combining(other) { $0 | $1 } }

  /// Returns the ids that are in both sets.
  public func intersection(_ other: IDSet) -> IDSet { combining(other) { $0 & $1 } }

  /// Returns the ids of this set that are not in the other.
  public func subtracting(_ other: IDSet) -> IDSet { combining(other) { $0 & ~$1 } }

  /// Returns the ids that are in exactly one of the sets.
  public func symmetricDifference(_ other: IDSet) -> IDSet { combining(other) { $0 ^ $1 } }

  private func combining(_ other: IDSet, _ operation: (UInt64, UInt64) -> UInt64) -> IDSet {
    guard let mine = wordRange, let theirs = other.wordRange else {
      let (left, right): (UInt64, UInt64) = (isEmpty ? 0 : 1, other.isEmpty ? 0 : 1)
      return operation(left, right) == 0 ? [] : isEmpty ? other : self
    }
    let first = Swift.min(mine.lowerBound, theirs.lowerBound)
    let last = Swift.max(mine.upperBound, theirs.upperBound)
    guard last - first <= Self.wordsPerID * (count + other.count) else { return merging(other, operation) }
    var words = words(from: first, to: last)
    let others = other.words(from: first, to: last)
    for index in words.indices { words[index] = operation(words[index], others[index]) }
    return IDSet(firstWord: first, words: words)
  }

  /// Combines sets whose ids are far from each other.
  private func merging(_ other: IDSet, _ operation: (UInt64, UInt64) -> UInt64) -> IDSet {
    var result: [Int64] = []
    var (mine, theirs) = (makeIterator(), other.makeIterator())
    var (left, right) = (mine.next(), theirs.next())
    while let id = [left, right].compactMap(\.self).min() {
      let (isMine, isTheirs) = (left == id, right == id)
      if operation(isMine ? 1 : 0, isTheirs ? 1 : 0) & 1 == 1 { result.append(id) }
      if isMine { left = mine.next() }
      if isTheirs { right = theirs.next() }
    }
    return IDSet(result)
  }

  /// The first and the last word that have a bit of an id; nil for an empty set.
  private var wordRange: ClosedRange<Int64>? {
    switch storage {
    case .bits(let first, let words): return first...first + Int64(words.count) - 1
    case .sorted(let ids):
      guard let first = ids.first, let last = ids.last else { return nil }
      return first >> 6...last >> 6
    }
  }

  /// Returns the bits of the set in a range of words that contains all of them.
  private func words(from first: Int64, to last: Int64) -> [UInt64] {
    var result = [UInt64](repeating: 0, count: Int(last - first) + 1)
    switch storage {
    case .bits(let start, let words):
      let offset = Int(start - first)
      result.replaceSubrange(offset..<offset + words.count, with: words)
    case .sorted(let ids): for id in ids { result[Int((id >> 6) - first)] |= 1 << UInt64(id & 63) }
    }
    return result
  }
}
