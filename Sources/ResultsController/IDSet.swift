/// A set of row ids, such as the results of a search.
///
/// Ids that are close together take a bit each, so that a set of a million is made in a few milliseconds and tested for
/// a million rows in two. Others are kept in order.
public struct IDSet: Hashable, Sendable {
  // The ids alone decide which one it is, so that equal sets are stored alike.
  enum Storage: Hashable {
    /// A bit for each id from `first` * 64 on; neither the first nor the last word is zero.
    case bits(first: Int64, words: [UInt64])
    case sorted([Int64])
  }

  /// Bits are used for up to this many words an id: a thousand ids of a million are found in a list a hundred times
  /// faster by their bits than by searching for each row.
  static let wordsPerID = 16

  let storage: Storage
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
    guard let first = ids.first.map({ $0 >> 6 }), let last = ids.last.map({ $0 >> 6 }),
      last - first <= Self.wordsPerID * ids.count
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

  /// The set of ids given by bits.
  /// - Parameters:
  ///   - firstWord: the lowest bit of the first word is that of the id `firstWord` * 64.
  ///   - words: a bit for each id from there on.
  public init(firstWord: Int64, words: [UInt64]) {
    let count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    guard let first = words.firstIndex(where: { $0 != 0 }), let last = words.lastIndex(where: { $0 != 0 }),
      last - first <= Self.wordsPerID * count
    else {
      // Few ids, far from each other.
      var ids: [Int64] = []
      ids.reserveCapacity(count)
      for (index, word) in words.enumerated() {
        var rest = word
        while rest != 0 {
          ids.append((firstWord + Int64(index)) << 6 | Int64(rest.trailingZeroBitCount))
          rest &= rest - 1
        }
      }
      self.count = count
      storage = .sorted(ids)
      return
    }
    self.count = count
    let isWhole = first == 0 && last == words.count - 1
    storage = .bits(first: firstWord + Int64(first), words: isWhole ? words : Array(words[first...last]))
  }

  /// Whether there are no ids.
  public var isEmpty: Bool { count == 0 }

  /// Whether each id has a bit, so that asking takes no search.
  var hasBits: Bool {
    if case .bits = storage { true } else { false }
  }

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

  /// Sets the bit of each id that is in the set, in order from the lowest bit of the first word; returns how many
  /// they are.
  /// - Parameter words: room for a bit each, all zero.
  func mark(_ ids: UnsafeBufferPointer<Int64>, in words: UnsafeMutablePointer<UInt64>) -> Int {
    switch storage {
    case .bits(let first, let bits):
      return bits.withUnsafeBufferPointer { bits in
        Self.mark(ids, in: words) { Self.bit($0, first, bits) }
      }
    case .sorted:
      return Self.mark(ids, in: words) { contains($0) ? 1 : 0 }
    }
  }

  @inline(__always)
  private static func mark(
    _ ids: UnsafeBufferPointer<Int64>, in words: UnsafeMutablePointer<UInt64>, _ bit: (Int64) -> UInt64
  ) -> Int {
    var count = 0
    var start = 0
    while start < ids.count {
      let end = Swift.min(start + 64, ids.count)
      var word: UInt64 = 0
      // No branches: the processor cannot guess which ids are wanted.
      for index in start..<end { word |= bit(ids[index]) &<< UInt64(truncatingIfNeeded: index &- start) }
      words[start >> 6] = word
      count += word.nonzeroBitCount
      start = end
    }
    return count
  }

  @inline(__always)
  private static func bit(_ id: Int64, _ first: Int64, _ words: UnsafeBufferPointer<UInt64>) -> UInt64 {
    let word = UInt64(bitPattern: (id >> 6) &- first)
    return word < UInt64(words.count) ? words[Int(word)] &>> UInt64(truncatingIfNeeded: id & 63) & 1 : 0
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
