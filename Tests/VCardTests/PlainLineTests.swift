import SeededRandom
import Testing

@testable import VCard

/// The fast path for most lines, compared with the general code.
@Suite struct PlainLineTests {
  private static let names = ["TEL", "NOTE", "item1.EMAIL", "X-Ü", "N", "AGENT", "BEGIN", "END"]
  private static let parameters = [
    "", "TYPE=home", "type=HOME,Work", "TYPE=PREF", "TYPE=cell;TYPE=voice", "PREF=1", "PREF", "TYPE=", "TYPE",
    "CHARSET=UTF-8", "CHARSET=ISO-8859-1", "UTF8", "CHAR\\,SET=GBK", "LANGUAGE=zh", "TYPE=\"a,b\"", "TYPE=x^ny",
    "ENCODING=QUOTED-PRINTABLE", "ENCODING=b", "BASE64", "TYPE=Büro", "TYPE=a\u{2028}b", ";", " ",
  ]
  private static let pieces = [
    "plain", "李小龙", "é", "°", "“quoted”", "\u{85}", "\u{2028}", "\u{2029}", "\u{7F}", "\t", "\u{0}", "\u{1C}", "\u{B}",
    "\r", "\n", ",", ";", "\\n", "=C3=A9", "=", "😀", "END:VCARD", "BEGIN:VCARD", " ", String(repeating: "x", count: 70),
    String(repeating: "测", count: 24),
  ]

  private static func line(_ random: inout SeededGenerator, _ version: CardVersion) -> CardLine? {
    let parameters = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
      Self.parameters.randomElement(using: &random)
    }
    let value = (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
    return CardLine(
      (names.randomElement(using: &random) ?? "") + parameters.map { ";" + $0 }.joined() + ":" + value.joined(),
      version: version)
  }

  @Test(arguments: CardVersion.allCases, [1, 2, 3]) func plainLinesAreWrittenAsAny(version: CardVersion, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let writer = VCardWriter(version: version)
    let ends = ["BEGIN:VCARD\r\nVERSION:\(version.rawValue)\r\n", "END:VCARD\r\n"].map { Array($0.utf8) }
    for _ in 0..<3000 {
      guard let line = Self.line(&random, version) else { continue }
      // No empty line follows short base64 of 2.1.
      if version == .v21, line.encoding == .base64, line.verbatim.utf8.count <= LineFolding.limit { continue }
      var expected = ends[0]
      writer.appendChanged(line, to: &expected)
      expected += ends[1]
      #expect(writer.bytes(of: Card(version: version, lines: [line])) == expected, "\(line.verbatim), seed \(seed)")
    }
  }

  @Test(arguments: CardVersion.allCases, [1, 2, 3]) func onlyPlainTypesMeansNothingElse(
    version: CardVersion, seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var count = 0
    for _ in 0..<3000 {
      guard let line = Self.line(&random, version), line.hasOnlyPlainTypes else { continue }
      count += 1
      #expect(line.parameters.allSatisfy { $0.name == "TYPE" }, "\(line.verbatim), seed \(seed)")
      #expect(line.encoding == .none && line.types == line.scannedTypes, "\(line.verbatim), seed \(seed)")
    }
    #expect(count > 100)
  }
}
