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

  /// Returns the highest value with which a row need not be added.
  func floor(of id: Int64, isAscending: Bool) -> Int {
    // Of equally good rows, those with the lowest ids are kept.
    isFull && !keepsTies && (isAscending || id > heap.first?.id ?? .max) ? lowest : lowest - 1
  }

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
