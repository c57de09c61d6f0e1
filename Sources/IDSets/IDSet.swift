/// A set of row ids, such as the results of a search.
///
/// If the ids are close together, there is a bit for each id in their range, so creating a set and testing many rows
/// are fast. Otherwise the ids are kept in a sorted array.
public struct IDSet: Hashable, Sendable {
  // The ids alone determine the case, so equal sets are stored alike.
  enum Storage: Hashable {
    /// A bit for each id from `first` * 64 on; neither the first nor the last word is zero.
    case bits(first: Int64, words: [UInt64])
    case sorted([Int64])
  }

  /// The maximum number of words of 64 bits per id of a set that is stored as bits. Testing every row of a list is much
  /// faster with bits than with a binary search for each.
  public static let wordsPerID = 16

  let storage: Storage
  /// The number of ids.
  public let count: Int

  /// Creates a set of these ids, in any order. Ascending ids are not sorted again.
  public init(_ ids: some Sequence<Int64>) { self.init(array: Array(ids)) }

  private init(array: [Int64]) {
    var ids = array
    if !zip(ids, ids.dropFirst()).allSatisfy(<) {
      ids.sort()
      var last: Int64?
      ids.removeAll { id in
        defer { last = id }
        return id == last
      }
    }
    self.init(ascending: ids)
  }

  private init(ascending ids: [Int64]) {
    guard let first = ids.first.map({ $0 >> 6 }), let last = ids.last.map({ $0 >> 6 }),
      Self.shouldUseBits(first, last, count: ids.count)
    else {
      count = ids.count
      storage = .sorted(ids)
      return
    }
    var words = [UInt64](repeating: 0, count: Int(last - first) + 1)
    words.withUnsafeMutableBufferPointer { words in
      for id in ids { words[Int((id >> 6) - first)] |= 1 << UInt64(id & 63) }
    }
    count = ids.count
    storage = .bits(first: first, words: words)
  }

  /// Creates a set of the ids given by bits.
  /// - Parameters:
  ///   - firstWord: the lowest bit of the first word is that of the id `firstWord` * 64.
  ///   - words: a bit for each id from there on.
  public init(firstWord: Int64, words: [UInt64]) {
    let count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    guard let first = words.firstIndex(where: { $0 != 0 }), let last = words.lastIndex(where: { $0 != 0 }),
      Self.shouldUseBits(Int64(first), Int64(last), count: count)
    else {
      // No ids, or ids that are far from each other.
      self.count = count
      storage = .sorted(Self.ids(firstWord, words, count: count))
      return
    }
    self.count = count
    let isWhole = first == 0 && last == words.count - 1
    storage = .bits(first: firstWord + Int64(first), words: isWhole ? words : Array(words[first...last]))
  }

  /// Creates a set of the ids of some rows of a list.
  /// - Parameters:
  ///   - rows: the indexes in `ids`, each once.
  ///   - ids: those of all rows, each once. If their memory changes meanwhile, the set may contain other ids.
  ///   - isAscending: whether the ids of these rows ascend; otherwise the smallest and the largest are searched for
  ///     first.
  public init(
    _ rows: UnsafeBufferPointer<UInt32>, of ids: UnsafeBufferPointer<Int64>, isAscending: Bool
  ) {
    guard let firstRow = rows.first, let lastRow = rows.last else {
      self.init(array: [])
      return
    }
    var first = ids[Int(firstRow)]
    var last = ids[Int(lastRow)]
    for row in isAscending ? rows[0..<0] : rows[...] {
      first = Swift.min(first, ids[Int(row)])
      last = Swift.max(last, ids[Int(row)])
    }
    first >>= 6
    last >>= 6
    guard first <= last, Self.shouldUseBits(first, last, count: rows.count) else {
      self.init(array: rows.map { ids[Int($0)] })
      return
    }
    var words = [UInt64](repeating: 0, count: Int(last - first) + 1)
    words.withUnsafeMutableBufferPointer { words in
      // The ids of most rows belong to the same word as the previous row's. A word is written when the next id belongs
      // to another one.
      var (current, bits) = (Int64(0), UInt64(0))
      for row in rows {
        let id = ids[Int(row)]
        let word = (id >> 6) &- first
        if word != current {
          words[Int(current)] |= bits
          bits = 0
          guard word >= 0, word < words.count else { continue }
          current = word
        }
        bits |= 1 &<< UInt64(truncatingIfNeeded: id & 63)
      }
      words[Int(current)] |= bits
    }
    self.init(firstWord: first, words: words)
  }

  /// Returns whether that many ids between two words are stored as bits.
  private static func shouldUseBits(_ first: Int64, _ last: Int64, count: Int) -> Bool {
    last - first <= wordsPerID * count
  }

  /// Whether there are no ids.
  public var isEmpty: Bool { count == 0 }

  /// Whether each id has a bit, so a lookup takes no search.
  public var hasBits: Bool {
    if case .bits = storage { true } else { false }
  }

  /// Returns whether an id is in the set.
  public func contains(_ id: Int64) -> Bool {
    switch storage {
    case .bits(let first, let words):
      return words.withUnsafeBufferPointer { Self.bit(UInt64(bitPattern: id &- first &<< 6), $0) == 1 }
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

  /// Returns the ids in ascending order.
  public func sorted() -> [Int64] {
    switch storage {
    case .bits(let first, let words): Self.ids(first, words, count: count)
    case .sorted(let ids): ids
    }
  }

  private static func ids(_ first: Int64, _ words: [UInt64], count: Int) -> [Int64] {
    [Int64](unsafeUninitializedCapacity: count) { buffer, initialized in
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

  /// Writes a bit for each of the ids, in their order from the lowest bit of the first word: 1 if the id is in the set.
  /// - Parameter words: room for a bit for each id.
  /// - Returns: the number of ids that are in the set.
  public func mark(_ ids: UnsafeBufferPointer<Int64>, in words: UnsafeMutablePointer<UInt64>) -> Int {
    switch storage {
    case .bits(let first, let bits):
      return bits.withUnsafeBufferPointer { bits in
        Self.mark(ids, in: words) { Self.bit(UInt64(bitPattern: $0 &- first &<< 6), bits) }
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
      let size = Swift.min(64, ids.count &- start)
      var word: UInt64 = 0
      var index = 0
      // No branches: the processor cannot predict which ids are in the set.
      while index < size {
        word = word &>> 1 | bit(ids[start &+ index]) &<< 63
        index &+= 1
      }
      word &>>= UInt64(truncatingIfNeeded: 64 &- size)
      words[start &>> 6] = word
      count &+= word.nonzeroBitCount
      start &+= size
    }
    return count
  }

  /// Returns the bit at a position; 0 for one outside the words.
  @inline(__always)
  private static func bit(_ position: UInt64, _ words: UnsafeBufferPointer<UInt64>) -> UInt64 {
    let word = position &>> 6
    return word < UInt64(words.count) ? words[Int(word)] &>> (position & 63) & 1 : 0
  }
}

extension IDSet: ExpressibleByArrayLiteral {
  /// Creates a set of these ids.
  public init(arrayLiteral ids: Int64...) { self.init(ids) }
}

extension IDSet: Sequence {
  /// The ids in ascending order.
  public struct Iterator: IteratorProtocol {
    private let storage: Storage
    private var index = 0
    /// The bits of the current word whose ids come next.
    private var rest: UInt64 = 0

    fileprivate init(_ set: IDSet) {
      storage = set.storage
      if case .bits(_, let words) = storage { rest = words[0] }
    }

    /// Returns the next id; nil at the end.
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

  /// Returns an iterator over the ids in ascending order.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The exact number of ids.
  public var underestimatedCount: Int { count }
}
