import Testing
import VCard

/// Reading endless or very large input ends, and what exceeds a limit is reported.
@Suite struct LimitTests {
  @Test func endlessInputEnds() {
    let reader = VCardReader<Never> { [UInt8](repeating: 0, count: 1 << 16) }
    var findings: [Diagnostic.Problem] = []
    while let event = reader.next() {
      if case .skipped(let finding) = event { findings.append(finding.problem) }
    }
    #expect(findings == [.noCardFound])
  }

  @Test func endlessCardEnds() {
    var isFirst = true
    let reader = VCardReader<Never> {
      defer { isFirst = false }
      return isFirst ? Array("BEGIN:VCARD\n".utf8) : [UInt8](repeating: 0x41, count: 1 << 20)
    }
    var findings: [Diagnostic.Problem] = []
    while let event = reader.next() {
      if case .skipped(let finding) = event { findings.append(finding.problem) }
    }
    #expect(findings == [.cardTooLong(limit: 256 << 20), .noCardFound])
  }

  @Test(arguments: ["AGENT:", "AGENT:\n"])
  func theCardOfAnAgentCountsTowardsTheLimit(_ agent: String) {
    var limits = ReaderLimits()
    limits.cardBytes = 1000
    let nested = "BEGIN:VCARD\nNOTE:\(String(repeating: "x", count: 990))\nEND:VCARD\n"
    let text = "BEGIN:VCARD\nFN:A\n\(agent)\(nested)END:VCARD\nBEGIN:VCARD\nFN:B\nEND:VCARD\n"
    let reader = VCardReader(Array(text.utf8), limits: limits)
    var (names, problems): ([String?], [Diagnostic.Problem]) = ([], [])
    while let event = reader.next() {
      switch event {
      case .card(let card): names.append(card.first("FN")?.text)
      case .skipped(let finding): problems.append(finding.problem)
      }
    }
    #expect(names == ["B"] && problems.first == .cardTooLong(limit: 1000))
  }

  /// The first card exceeds the limit at an empty line after a soft break. The soft break in the second card is not
  /// affected.
  @Test func aCardDoesNotContinueTheOneBeforeItThatWasTooLong() {
    var limits = ReaderLimits()
    let note = "NOTE;ENCODING=QUOTED-PRINTABLE:a="
    limits.cardBytes = note.utf8.count + 1
    let text = "BEGIN:VCARD\n\(note)\n\nEND:VCARD\nBEGIN:VCARD\nX;QUOTED-PRINTABLE:a=\nb:c\nEND:VCARD\n"
    let reader = VCardReader(Array(text.utf8), limits: limits)
    var lines: [String] = []
    while let event = reader.next() { if case .card(let card) = event { lines += card.lines.map(\.verbatim) } }
    #expect(lines == ["X;QUOTED-PRINTABLE:ab:c"])
  }

  @Test func aTooLongPropertyIsLeftOut() {
    var limits = ReaderLimits()
    limits.lineBytes = 1000
    let long = String(repeating: "x", count: 900)
    let text = "BEGIN:VCARD\nFN:A\nNOTE:\(long)\n \(long)\n y\nTEL:1\nX:\(long)\(long)\n z\nURL:u\nEND:VCARD\n"
    let reader = VCardReader(Array(text.utf8), limits: limits)
    guard case .card(let card) = reader.next() else {
      Issue.record("no card")
      return
    }
    #expect(card.lines.map(\.key) == ["FN", "TEL", "URL"])
    #expect(card.diagnostics.filter { $0.problem == .lineTooLong(limit: 1000) }.count == 2)
  }

  @Test(arguments: ["BEGIN:VCARD\n", "END:\n", "no property\n"])
  func aCardReportsABoundedNumberOfProblems(_ line: String) throws {
    let text = "BEGIN:VCARD\n" + String(repeating: line, count: 10_000) + "VERSION:3.0\nFN:A\nEND:VCARD\n"
    let card = try #require(VCardReader.read(Array(text.utf8)).cards.first)
    #expect(card.first("FN")?.text == "A")
    #expect(card.diagnostics.count == ReaderLimits().cardProblems + 1)
    #expect(card.diagnostics.last?.problem == .furtherProblems(10_000 - ReaderLimits().cardProblems))
  }

  @Test func largeInputIsOneCard() {
    func time(_ text: String) -> (cards: Int, seconds: Double) {
      let bytes = Array(text.utf8)
      let clock = ContinuousClock()
      var count = 0
      let spent = clock.measure {
        let cards = VCardReader.read(bytes).cards
        count = cards.count
        for card in cards {
          for line in card.lines.prefix(3) {
            _ = line.text
            _ = line.list.count
            _ = line.types.count
          }
        }
      }
      return (count, Double(spent.components.seconds) + Double(spent.components.attoseconds) / 1e18)
    }
    let many = 30_000
    let begin = "BEGIN:VCARD\nVERSION:3.0\n"
    let texts = [
      begin + "NOTE:" + String(repeating: "a\n ", count: many) + "\nEND:VCARD\n",
      String(repeating: "BEGIN:VCARD\n", count: many) + "FN:A\n" + String(repeating: "END:VCARD\n", count: many),
      begin + "AGENT:\n" + String(repeating: "BEGIN:VCARD\nAGENT:\n", count: many)
        + String(repeating: "END:VCARD\n", count: many) + "END:VCARD\n",
      begin + String(repeating: "X-A:1\n", count: many) + "END:VCARD\n",
      begin + "CATEGORIES:" + String(repeating: "a,", count: many) + "\nEND:VCARD\n",
      begin + "NOTE;ENCODING=QUOTED-PRINTABLE:" + String(repeating: "=41=\n", count: many) + "\nEND:VCARD\n",
      begin + "PHOTO;ENCODING=BASE64:\n" + String(repeating: "QUJD\n", count: many) + "END:VCARD\n",
      begin + "NOTE:" + String(repeating: "\\", count: many) + "\nEND:VCARD\n",
      begin + "X;" + String(repeating: "\"", count: many) + ":\nEND:VCARD\n",
    ]
    for text in texts {
      let result = time(text)
      #expect(result.cards == 1)
      print("\(result.seconds) s: \(text.prefix(40).debugDescription)")
    }
  }
}
