import SeededRandom
import Testing

@testable import VCard

/// Decoding and splitting values, compared with a plain implementation.
struct EscapesTests {
  private func plainDecoded(_ text: [UInt8]) -> String {
    var result: [UInt8] = []
    var position = 0
    while position < text.count {
      let next = position + 1 < text.count ? text[position + 1] : nil
      switch (text[position], next) {
      case (UInt8(ascii: "\\"), UInt8(ascii: "n")), (UInt8(ascii: "\\"), UInt8(ascii: "N")): result.append(0x0A)
      case (UInt8(ascii: "\\"), .some(let byte)) where ",;:\\".utf8.contains(byte): result.append(byte)
      default:
        result.append(text[position])
        position -= 1
      }
      position += 2
    }
    var joined: [UInt8] = []
    for (index, byte) in result.enumerated() {
      if byte == 0x0A, index > 0, result[index - 1] == 0x0D { continue }
      joined.append(byte == 0x0D ? 0x0A : byte)
    }
    return String(decoding: joined, as: UTF8.self)
  }

  @Test(arguments: [UInt64(1), 2, .random(in: 3...(.max))])
  func quickAndPlainWayAgree(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = Array("ab,;:\\nN\r\né".utf8)
    for _ in 0..<5000 {
      let count = Int.random(in: 0...9, using: &random)
      let text = (0..<count).map { _ in bytes.randomElement(using: &random) ?? 0 }
      #expect(Escapes.decode(text[...]) == plainDecoded(text), "\(text), seed \(seed)")
      for separator in [Byte.semicolon, Byte.comma] {
        let parts = Escapes.split(text[...], at: separator)
        #expect(Array(parts.joined(separator: [separator])) == text, "\(text), seed \(seed)")
        let decoded = parts.map { plainDecoded(Array($0)) }
        #expect(Escapes.decodedParts(of: text[...], at: separator) == decoded, "\(text), seed \(seed)")
      }
    }
  }

  @Test(arguments: ["Lee;Ann;;;", "Lee;Ann,Mary;;;", "Lee\\, Jr;Ann;;;", ";;;;", ""])
  func partsWithoutListsHaveOneItem(value: String) throws {
    var compared = 0
    for version in CardVersion.allCases {
      for line in ["N:", "N;ENCODING=QUOTED-PRINTABLE:", "N;CHARSET=UTF-8;ENCODING=b:"] {
        let line = try #require(CardLine(line + value, version: version))
        if line.hasLists { continue }
        #expect(line.componentLists == line.components.map { [$0] })
        compared += 1
      }
    }
    #expect(compared > 0 || value.contains(","))
  }
}
