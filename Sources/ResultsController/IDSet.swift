/// A set of row ids, such as the results of a search.
///
/// Ids that are close together take a bit each, so that a set of a million is made in a few milliseconds and tested for
/// a million rows in two. Others are kept in order.
public struct IDSet: Hashable, Sendable {
  // The ids alone decide which one it is, so that equal sets are stored alike.
  private enum Storage: Hashable {
    /// A bit for each id from `first` * 64 on; neither the first nor the last word is zero.
    case bits(first: Int64, words: [UInt64])
    case sorted([Int64])
  }

  private let storage: Storage
  /// The number of ids.
  public let count: Int

  /// The set of these ids, in any order. Ascending ones are taken without sorting.
  public init(_ ids: some Sequence<Int64>) {
    var ids = Array(ids)
    if !zip(ids, ids.dropFirst()).allSatisfy(<) {
      ids.sort()
      var last: Int64?
      ids.removeAll { id in
        defer { last = id }
        return id == last
      }
    }
    count = ids.count
    guard let first = ids.first.map({ $0 >> 6 }), let last = ids.last.map({ $0 >> 6 }), last - first <= 2 * ids.count
    else {
      storage = .sorted(ids)
      return
    }
    var words = [UInt64](repeating: 0, count: Int(last - first) + 1)
    words.withUnsafeMutableBufferPointer { words in
      for id in ids { words[Int((id >> 6) - first)] |= 1 << UInt64(id & 63) }
    }
    storage = .bits(first: first, words: words)
  }

  /// Whether there are no ids.
  public var isEmpty: Bool { count == 0 }

  /// Whether an id is in the set.
  public func contains(_ id: Int64) -> Bool {
    switch storage {
    case .bits(let first, let words): return words.withUnsafeBufferPointer { Self.contains(id, first, $0) }
    case .sorted(let ids):
      var low = 0
      var high = ids.count
      while low < high {
        let middle = (low + high) / 2
        if ids[middle] < id { low = middle + 1 } else { high = middle }
      }
      return low < ids.count && ids[low] == id
    }
  }

  /// Writes the indexes of the ids that are in the set, in order; returns how many they are.
  /// - Parameter indexes: room for as many as there are ids.
  func select(_ ids: UnsafeBufferPointer<Int64>, into indexes: UnsafeMutablePointer<UInt16>) -> Int {
    var count = 0
    switch storage {
    case .bits(let first, let words):
      words.withUnsafeBufferPointer { words in
        // Write each index, but count it only if it is wanted: a branch would often be mispredicted.
        for index in 0..<ids.count {
          indexes[count] = UInt16(truncatingIfNeeded: index)
          count += Self.contains(ids[index], first, words) ? 1 : 0
        }
      }
    case .sorted:
      for index in 0..<ids.count where contains(ids[index]) {
        indexes[count] = UInt16(truncatingIfNeeded: index)
        count += 1
      }
    }
    return count
  }

  @inline(__always)
  private static func contains(_ id: Int64, _ first: Int64, _ words: UnsafeBufferPointer<UInt64>) -> Bool {
    let word = (id >> 6) - first
    guard word >= 0, word < words.count else { return false }
    return words[Int(word)] >> UInt64(id & 63) & 1 == 1
  }
}

extension IDSet: ExpressibleByArrayLiteral {
  /// The set of these ids.
  public init(arrayLiteral ids: Int64...) { self.init(ids) }
}

extension IDSet: Sequence {
  /// The ids in ascending order.
  public struct Iterator: IteratorProtocol {
    private let storage: Storage
    private var index = 0
    /// The rest of the current word.
    private var rest: UInt64 = 0

    fileprivate init(_ set: IDSet) {
      storage = set.storage
      if case .bits(_, let words) = storage { rest = words[0] }
    }

    /// The next id; nil at the end.
    public mutating func next() -> Int64? {
      switch storage {
      case .sorted(let ids):
        guard index < ids.count else { return nil }
        defer { index += 1 }
        return ids[index]
      case .bits(let first, let words):
        while rest == 0 {
          index += 1
          guard index < words.count else { return nil }
          rest = words[index]
        }
        let bit = rest.trailingZeroBitCount
        rest &= rest - 1
        return (first + Int64(index)) << 6 | Int64(bit)
      }
    }
  }

  /// An iterator over the ids in ascending order.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The exact number of ids.
  public var underestimatedCount: Int { count }
}
