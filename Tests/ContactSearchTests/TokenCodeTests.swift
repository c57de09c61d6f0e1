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
}
