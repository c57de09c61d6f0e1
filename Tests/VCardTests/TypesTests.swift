import SeededRandom
import Testing

@testable import VCard

/// The types of a line are read by a shortcut if its parameters are plain.
struct TypesTests {
  @Test(arguments: [UInt64(1), 2, .random(in: 3...(.max))])
  func fastAndSlowReadingAgree(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "TYPE=", "type=", "Type", "PREF", "=", ",", ";", "home", "WORK", "x-Own", "1", "\"a,b\"", " ", "é", "^n",
      "CHARSET=", "ENCODING=B", ";;",
    ]
    for _ in 0..<3000 {
      let count = Int.random(in: 0...7, using: &random)
      let text = "TEL;" + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined() + ":1"
      for version in [CardVersion.v21, .v30, .v40] {
        for line in CardLine.lines([text], version: version) where line.hasParameters {
          #expect(line.types == line.scannedTypes, "\(text), seed \(seed)")
        }
      }
    }
  }
}
