import SeededRandom
import Testing

@testable import ContactSearch

/// The search for bytes at 16 positions at a time finds what a search at one position after the other finds.
@Suite struct ByteSearchTests {
  @Test(arguments: [1, 2, UInt64.random(in: 100...1_000_000)])
  func blocksFindWhatSinglePositionsFind(seed: UInt64) {
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var found = 0
    for _ in 0..<5000 {
      // Few different bytes, so that there are many occurrences.
      func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in generator.pick([1, 2, 97]) } }
      let text = bytes(Int(generator.next() % 90))
      let needle = bytes(1 + Int(generator.next() % 5))
      let start = Int(generator.next() % UInt64(text.count + 1))
      let range = start..<start + Int(generator.next() % UInt64(text.count - start + 1))
      let skipped = generator.pick([1, 1, 3, 20])
      var positions: [Int] = []
      text.withUnsafeBufferPointer { text in
        text.forEachPosition(of: needle, in: range) { position in
          positions.append(position)
          return position + skipped
        }
      }
      var expected: [Int] = []
      var next = range.lowerBound
      while next + needle.count <= range.upperBound {
        let isMatch = Array(text[next..<next + needle.count]) == needle
        if isMatch { expected.append(next) }
        next += isMatch ? skipped : 1
      }
      #expect(positions == expected, "seed \(seed)")
      found += positions.count
    }
    #expect(found > 1_000)
  }
}
