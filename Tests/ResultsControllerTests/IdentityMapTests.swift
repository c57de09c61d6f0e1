import SeededRandom
import Testing

@testable import ResultsController

/// The serials of ids, compared with a dictionary.
@Suite
struct IdentityMapTests {
  private func check(_ map: IdentityMap, _ plain: [Int64: UInt32], _ others: [Int64]) {
    #expect(map.count == plain.count)
    #expect(plain.allSatisfy { map.serial(of: $0.key) == $0.value })
    #expect(others.allSatisfy { map.serial(of: $0) == plain[$0] })
  }

  private func map(_ ids: [Int64]) -> (map: IdentityMap, plain: [Int64: UInt32]) {
    var builder = ChunkBuilder()
    for id in ids { builder.append(id, KeyView(UnsafeBufferPointer(start: nil, count: 0))) }
    builder.flush()
    var plain: [Int64: UInt32] = [:]
    for (index, id) in ids.enumerated() { plain[id] = UInt32(index / IndexChunk.targetCount) }
    return (IdentityMap(builder.chunks, count: ids.count), plain)
  }

  /// Close and scattered ids, alone and together, around zero and at the limits of `Int64`. Random changes to a map do
  /// not affect its earlier copy.
  @Test(
    arguments: [
      [1...3000], [-700...700], [1...1_000_000], [.min ... .max], [1...3000, .min ... .max],
      [1...3000, 1_000_000...1_003_000], [-5...5, .max - 600 ... .max], [.min ... .min + 900, 7...7],
      [5_000_000_000...5_000_003_000], [1...40, 100_000...100_040, 9_000_000...9_000_040],
    ] as [[ClosedRange<Int64>]])
  func behavesLikeADictionary(ranges: [ClosedRange<Int64>]) {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("identities: seed \(seed), \(ranges)")
    var random = SeededGenerator(seed: seed)
    func id() -> Int64 { Int64.random(in: ranges[Int.random(in: ranges.indices, using: &random)], using: &random) }
    for count in [0, 1, 2, 600, 2500] {
      var (map, plain) = map(Array(Set((0..<count).map { _ in id() })).shuffled(using: &random))
      let borders = ranges.flatMap { [$0.lowerBound, $0.upperBound, $0.lowerBound &- 1, $0.upperBound &+ 1] }
      let others =
        borders + [0, -1, .min, .max] + (0..<300).map { _ in Int64.random(in: .min ... .max, using: &random) }
      check(map, plain, others)
      for _ in 0..<4 {
        let (earlier, earlierPlain) = (map, plain)
        for _ in 0..<500 {
          let id = Int.random(in: 0..<3, using: &random) == 0 ? plain.randomElement(using: &random)?.key ?? id() : id()
          if Int.random(in: 0..<3, using: &random) == 0 {
            map.remove(id)
            plain[id] = nil
          } else {
            let serial = UInt32.random(in: 0..<1_000_000, using: &random)
            map.set(id, serial)
            plain[id] = serial
          }
        }
        check(map, plain, others)
        check(earlier, earlierPlain, others)
      }
    }
  }

  /// A list that was empty takes rows in any order.
  @Test(arguments: [1, 1_000_003])
  func growsFromNothing(step: Int64) throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("growing identities: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var index = OrderedIndex(chunks: [], sections: [], isSectioned: false)
    for id in (1...6000).shuffled(using: &random) where id.isMultiple(of: 500) || id < 3000 {
      let row = FoundRow(id: Int64(id) * step, section: .null, key: [UInt8(id % 251), UInt8(id % 7)], digest: 0)
      index = try index.applying(removed: [], inserted: [row])
    }
    #expect(index.identities.count == index.count && index.count == 2999 + 7)
    for id in 1...6000 {
      #expect((index.flatRow(of: Int64(id) * step) != nil) == (id.isMultiple(of: 500) || id < 3000))
    }
  }
}
