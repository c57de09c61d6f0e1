/// The ids of the contacts that a search found. Ids that are close together take a bit each, so that hundreds of
/// thousands are passed on without a list of them.
public struct MatchedIDs: Hashable, Sendable {
  /// How the ids are kept; the ids alone decide which it is.
  public enum Storage: Hashable, Sendable {
    /// A bit for each id from `first` * 64 on, the lowest bit first; neither the first nor the last word is zero.
    case bits(first: Int64, words: [UInt64])
    /// In ascending order.
    case sorted([Int64])
  }

  /// How the ids are kept.
  public let storage: Storage
  /// The number of ids.
  public let count: Int

  /// These ids, in any order; each may occur only once.
  public init(_ ids: [Int64]) {
    self = ids.withUnsafeBufferPointer { ids in
      MatchedIDs(count: ids.count, isAscending: false) { ids[$0] }
    }
  }

  /// The ids of some rows.
  /// - Parameters:
  ///   - ids: those of all rows.
  ///   - isAscending: whether they are in order; otherwise the first and the last one are looked for.
  init(_ rows: UnsafeBufferPointer<UInt32>, ids: UnsafeBufferPointer<Int64>, isAscending: Bool) {
    self.init(count: rows.count, isAscending: isAscending) { ids[Int(rows[$0])] }
  }

  @inline(__always)
  private init(count: Int, isAscending: Bool, _ id: (Int) -> Int64) {
    guard count > 0 else {
      self.count = 0
      storage = .sorted([])
      return
    }
    var first = id(0)
    var last = id(count - 1)
    for index in 0..<(isAscending ? 0 : count) {
      first = min(first, id(index))
      last = max(last, id(index))
    }
    first >>= 6
    last >>= 6
    guard first <= last, last - first <= 16 * count else {
      self.count = count
      storage = .sorted((0..<count).map(id).sorted())
      return
    }
    var words = [UInt64](repeating: 0, count: Int(last - first) + 1)
    words.withUnsafeMutableBufferPointer { words in
      for index in 0..<count {
        let id = id(index)
        let word = (id >> 6) - first
        // Mapped ids can become zeros at any time, when their file is damaged; the search is then repeated.
        if word >= 0, word < words.count { words[Int(word)] |= 1 << UInt64(id & 63) }
      }
    }
    self.count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    storage = .bits(first: first, words: words)
  }

  /// Whether there are no ids.
  public var isEmpty: Bool { count == 0 }

  /// Whether an id is among them.
  public func contains(_ id: Int64) -> Bool {
    switch storage {
    case .bits(let first, let words):
      let word = (id >> 6) - first
      return word >= 0 && word < words.count && words[Int(word)] >> UInt64(id & 63) & 1 == 1
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

  /// The ids, ascending.
  public func sorted() -> [Int64] {
    guard case .bits(let first, let words) = storage else {
      if case .sorted(let ids) = storage { return ids }
      return []
    }
    return [Int64](unsafeUninitializedCapacity: count) { buffer, initialized in
      for (index, word) in words.enumerated() {
        var rest = word
        while rest != 0 {
          buffer.initializeElement(at: initialized, to: (first + Int64(index)) << 6 | Int64(rest.trailingZeroBitCount))
          initialized += 1
          rest &= rest - 1
        }
      }
    }
  }

  /// Those that are also among others.
  public func intersection(_ others: MatchedIDs) -> MatchedIDs {
    let (fewer, more) = count < others.count ? (self, others) : (others, self)
    return MatchedIDs(fewer.sorted().filter(more.contains))
  }
}
