import IDSets
import SeededRandom
import Testing

@Suite struct IDSetTests {
  /// Compared with a set of the standard library: close and scattered ids, around zero and at the ends.
  @Test(arguments: [
    1...5, -70...70, 1...100_000, Int64.max - 300...Int64.max, Int64.min...Int64.min + 300, Int64.min...Int64.max,
  ])
  func behavesLikeASet(range: ClosedRange<Int64>) {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("id set: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for count in [0, 1, 2, 3, 64, 500, 5000] {
      let ids = (0..<count).map { _ in Int64.random(in: range, using: &random) }
      let plain = Set(ids)
      let set = IDSet(ids)
      #expect(set.count == plain.count && set.isEmpty == plain.isEmpty)
      #expect(Array(set) == plain.sorted() && set.sorted() == plain.sorted())
      #expect(set == IDSet(plain) && set == IDSet(plain.sorted()) && set.hashValue == IDSet(plain).hashValue)
      if let id = plain.first { #expect(set != IDSet(plain.subtracting([id]))) }
      let asked =
        ids.prefix(200) + (0..<200).map { _ in Int64.random(in: range, using: &random) }
        + [0, 1, -1, 63, 64, .max, .min, range.lowerBound, range.upperBound]
      for id in asked { #expect(set.contains(id) == plain.contains(id)) }
      var marks = [UInt64](repeating: 0, count: (asked.count + 63) / 64)
      let found = marks.withUnsafeMutableBufferPointer { marks in
        guard let start = marks.baseAddress else { return 0 }
        return asked.withUnsafeBufferPointer { set.mark($0, in: start) }
      }
      let wanted = asked.indices.filter { plain.contains(asked[$0]) }
      #expect(asked.indices.filter { marks[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 } == wanted)
      #expect(found == wanted.count)
    }
  }

  /// Compared with sets of the standard library, for close, scattered and distant ids.
  @Test func isCombinedWithAnother() {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("id sets: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let ranges: [ClosedRange<Int64>] = [1...100, -70...70, 900...5_000, 1...1_000_000, Int64.min...Int64.max]
    for _ in 0..<300 {
      func some() -> Set<Int64> {
        let range = ranges[Int.random(in: ranges.indices, using: &random)]
        let count = [0, 1, 3, 64, 400][Int.random(in: 0..<5, using: &random)]
        return Set((0..<count).map { _ in Int64.random(in: range, using: &random) })
      }
      let (left, right) = (some(), some())
      let (mine, theirs) = (IDSet(left), IDSet(right))
      #expect(mine.union(theirs) == IDSet(left.union(right)))
      #expect(mine.intersection(theirs) == IDSet(left.intersection(right)))
      #expect(mine.subtracting(theirs) == IDSet(left.subtracting(right)))
      #expect(mine.symmetricDifference(theirs) == IDSet(left.symmetricDifference(right)))
    }
  }

  /// A set built from bits, with empty words around them, equals the set of the same ids.
  @Test(arguments: [0, 1, 2, 40, 3000])
  func isBuiltFromBits(count: Int) {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("id set of bits: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for range in [Int64(-90)...90, 5000...9000, -100_000...100_000] {
      let ids = (0..<count).map { _ in Int64.random(in: range, using: &random) }
      let first = (range.lowerBound >> 6) - Int64.random(in: 0...3, using: &random)
      var words = [UInt64](repeating: 0, count: Int((range.upperBound >> 6) - first) + 3)
      for id in ids { words[Int((id >> 6) - first)] |= 1 << UInt64(id & 63) }
      #expect(IDSet(firstWord: first, words: words) == IDSet(ids))
    }
  }

  /// A set made from some rows of a list, whether the ids of the list ascend or not.
  @Test(arguments: [
    1...5, -70...70, 1...9000, Int64.max - 300...Int64.max, Int64.min...Int64.min + 300, Int64.min...Int64.max,
  ])
  func isMadeOfRows(range: ClosedRange<Int64>) {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("id set of rows: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let shuffled = Array(Set((0..<4000).map { _ in Int64.random(in: range, using: &random) })).shuffled(using: &random)
    for (ids, isAscending) in [(shuffled, false), (shuffled.sorted(), true)] {
      for share in [0, 1, 3, 100] {
        let rows = ids.indices.filter { _ in Int.random(in: 0..<100, using: &random) < share }
        let set = rows.map { UInt32($0) }.withUnsafeBufferPointer { rows in
          ids.withUnsafeBufferPointer { IDSet(rows, of: $0, isAscending: isAscending) }
        }
        #expect(set == IDSet(rows.map { ids[$0] }))
      }
    }
  }
}
