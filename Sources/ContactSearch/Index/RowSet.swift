/// A set of rows, with one bit per row.
struct RowSet {
  private(set) var words: [UInt64]
  private(set) var size: Int

  /// Creates an empty set of rows below a number.
  init(count: Int) {
    words = [UInt64](repeating: 0, count: (count + 63) / 64)
    size = count
  }

  /// Creates a set of these rows, all of which are below a number.
  init(_ rows: [UInt32], below count: Int) {
    self.init(count: count)
    words.withUnsafeMutableBufferPointer { words in
      for row in rows { words[Int(row >> 6)] |= 1 << UInt64(row & 63) }
    }
  }

  func contains(_ row: Int) -> Bool { words[row >> 6] & 1 << UInt64(row & 63) != 0 }

  mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }

  /// Appends the next row, as a member or not.
  mutating func append(_ isMember: Bool) {
    if size & 63 == 0 { words.append(0) }
    size += 1
    if isMember { insert(size - 1) }
  }

  /// Returns all rows below a number.
  static func all(_ count: Int) -> RowSet {
    var set = RowSet(count: count)
    for index in set.words.indices { set.words[index] = .max }
    if count & 63 != 0 { set.words[set.words.count - 1] = 1 << UInt64(count & 63) - 1 }
    return set
  }

  mutating func formIntersection(_ other: RowSet) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  mutating func subtract(_ other: RowSet) {
    for index in words.indices { words[index] &= ~other.words[index] }
  }

  mutating func keep(_ holds: (Int) -> Bool) {
    for index in words.indices {
      var rest = words[index]
      while rest != 0 {
        let bit = rest & ~(rest - 1)
        rest &= rest - 1
        if !holds(index << 6 + bit.trailingZeroBitCount) { words[index] &= ~bit }
      }
    }
  }

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Returns the members in ascending order.
  func rows() -> [UInt32] {
    [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      for (index, word) in words.enumerated() {
        var rest = word
        while rest != 0 {
          buffer.initializeElement(at: initialized, to: UInt32(index << 6 + rest.trailingZeroBitCount))
          initialized += 1
          rest &= rest - 1
        }
      }
    }
  }

  /// Gives the inner loops direct access to the words.
  mutating func withWords<Result>(_ body: (UnsafeMutableBufferPointer<UInt64>) -> Result) -> Result {
    words.withUnsafeMutableBufferPointer { body($0) }
  }

  var footprint: Int { words.capacity * 8 }
}

/// The highest of many values: a heap with the lowest of them on top.
struct TopRows {
  private var heap: [(value: Int, id: Int64)] = []
  private let limit: Int
  /// Whether all that have the highest value are kept, and nothing else.
  private let keepsTies: Bool

  init(limit: Int, keepsTies: Bool = false) {
    self.limit = limit
    self.keepsTies = keepsTies
  }

  var isFull: Bool { keepsTies ? !heap.isEmpty : heap.count == limit }
  var lowest: Int { heap.first?.value ?? .min }

  private static func ranksBelow(_ first: (value: Int, id: Int64), _ second: (value: Int, id: Int64)) -> Bool {
    first.value != second.value ? first.value < second.value : first.id > second.id
  }

  mutating func add(_ value: Int, id: Int64) {
    if keepsTies {
      if value > lowest { heap.removeAll(keepingCapacity: true) }
      if value >= lowest { heap.append((value, id)) }
      return
    }
    if heap.count < limit {
      heap.append((value, id))
      var child = heap.count - 1
      while child > 0, TopRows.ranksBelow(heap[child], heap[(child - 1) / 2]) {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
      return
    }
    guard limit > 0, TopRows.ranksBelow(heap[0], (value, id)) else { return }
    heap[0] = (value, id)
    var parent = 0
    while true {
      var worst = parent
      if 2 * parent + 1 < limit, TopRows.ranksBelow(heap[2 * parent + 1], heap[worst]) { worst = 2 * parent + 1 }
      if 2 * parent + 2 < limit, TopRows.ranksBelow(heap[2 * parent + 2], heap[worst]) { worst = 2 * parent + 2 }
      if worst == parent { return }
      heap.swapAt(parent, worst)
      parent = worst
    }
  }

  /// Returns the values, best first.
  func sorted() -> [(value: Int, id: Int64)] { heap.sorted { TopRows.ranksBelow($1, $0) } }
}
