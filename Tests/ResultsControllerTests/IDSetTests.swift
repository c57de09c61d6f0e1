import SeededRandom
import Testing

@testable import ResultsController

@Suite struct IDSetTests {
  /// Beside a set of the standard library: close and scattered ids, around zero and at the ends.
  @Test(arguments: [
    1...5, -70...70, 1...100_000, Int64.max - 300...Int64.max, Int64.min...Int64.min + 300, Int64.min...Int64.max,
  ])
  func isThatSet(range: ClosedRange<Int64>) {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("id set: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for count in [0, 1, 2, 3, 64, 500, 5000] {
      let ids = (0..<count).map { _ in Int64.random(in: range, using: &random) }
      let plain = Set(ids)
      let set = IDSet(ids)
      #expect(set.count == plain.count && set.isEmpty == plain.isEmpty)
      #expect(Array(set) == plain.sorted())
      #expect(set == IDSet(plain) && set == IDSet(plain.sorted()) && set.hashValue == IDSet(plain).hashValue)
      if let id = plain.first { #expect(set != IDSet(plain.subtracting([id]))) }
      let asked =
        ids.prefix(200) + (0..<200).map { _ in Int64.random(in: range, using: &random) }
        + [0, 1, -1, 63, 64, .max, .min, range.lowerBound, range.upperBound]
      for id in asked { #expect(set.contains(id) == plain.contains(id)) }
      let selected = [UInt16](unsafeUninitializedCapacity: asked.count) { room, count in
        guard let start = room.baseAddress else { return }
        count = asked.withUnsafeBufferPointer { set.select($0, into: start) }
      }
      #expect(selected == asked.indices.filter { plain.contains(asked[$0]) }.map(UInt16.init))
    }
  }
}
