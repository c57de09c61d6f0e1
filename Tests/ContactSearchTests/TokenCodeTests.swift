import SeededRandom
import Testing

@testable import ContactSearch

struct TokenCodeTests {
  private func decode(_ words: [UInt16]) -> [Int] {
    words.withUnsafeBufferPointer { row in
      var ids: [Int] = []
      var index = 0
      while index < row.count { ids.append(TokenCode.read(row, &index)) }
      return ids
    }
  }

  @Test func numbersRoundTrip() {
    let edges = [0, 1, 0xEFFF, 0xF000, 0xF001, 0xFFFF, 0x10000, 2 * 0xF000 - 1, 2 * 0xF000, 1_000_000, 1 << 27 - 1]
    var words: [UInt16] = []
    for id in edges { TokenCode.append(id, to: &words) }
    #expect(decode(words) == edges)
    #expect(words.withUnsafeBufferPointer { TokenCode.areValid($0, below: 1 << 27) })
    #expect(!words.withUnsafeBufferPointer { TokenCode.areValid($0, below: 1 << 27 - 1) })
  }

  /// A page of a row may become zeros while it is read; its edge may lie inside a number.
  @Test(arguments: [1, UInt64.random(in: 2...1_000_000)])
  func zerosNeverEncodeATooLargeNumber(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let limit = Int.random(in: TokenCode.escape + 1...300_000, using: &random)
      var words: [UInt16] = []
      for _ in 0..<20 { TokenCode.append(Int.random(in: 0..<limit, using: &random), to: &words) }
      for edge in 0...words.count {
        var (before, after) = (words, words)
        for index in 0..<edge { before[index] = 0 }
        for index in edge..<words.count { after[index] = 0 }
        #expect(decode(before).allSatisfy { $0 < limit } && decode(after).allSatisfy { $0 < limit })
      }
    }
  }
}
