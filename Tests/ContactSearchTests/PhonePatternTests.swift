import SeededRandom
import Testing

@testable import ContactSearch

/// The condition under which ranking may skip phone numbers without comparing them.
@Suite struct PhonePatternTests {
  @Test(arguments: [1, 2, UInt64.random(in: 100...1_000_000)])
  func noMatchIsWorthMoreThanTheBound(seed: UInt64) throws {
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var matched = 0
    for _ in 0..<20_000 {
      // Few different digits, so that many numbers match.
      func digits(_ count: Int) -> String { (0..<count).map { _ in generator.pick(["0", "1", "4"]) }.joined() }
      let query = generator.pick(["", "+", "0", "00"]) + digits(1 + Int(generator.next() % 5))
      let number = generator.pick(["", "+", "0", "00"]) + digits(2 + Int(generator.next() % 8))
      let pattern = try #require(PhonePattern(query.unicodeScalars.map(\.value)))
      PhoneNumber.bytes(of: number).withUnsafeBufferPointer { row in
        guard let match = pattern.best(in: row) else { return }
        matched += 1
        #expect(match.value <= pattern.highestValue(in: row), "seed \(seed), \(query) in \(number)")
      }
    }
    #expect(matched > 1_000)
  }

  /// The digits of an anchored alternative can only be near the beginning of a number, so only the first positions are
  /// compared.
  @Test(arguments: [
    ("+86138", "13800", 1), ("+86138", "013800", 2), ("+4420", "004420 1", 3), ("+4420", "+44 20 1", 1),
    ("0101", "+44 101 5", 3), ("0101", "00352 101", 6),
  ])
  func anchoredDigitsAreFoundAtTheirPosition(query: String, number: String, position: Int) throws {
    let pattern = try #require(PhonePattern(query.unicodeScalars.map(\.value)))
    PhoneNumber.bytes(of: number).withUnsafeBufferPointer { row in
      #expect(pattern.best(in: row)?.range.lowerBound == position)
    }
  }
}
