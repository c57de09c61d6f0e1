import Testing
import VCard

@Suite struct ReaderTests {
  private func card(_ lines: String..., version: String = "3.0") throws -> Card {
    let text = (["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD"]).joined(separator: "\r\n")
    return try #require(VCardReader.read(Array(text.utf8)).cards.first)
  }

  @Test func foldsInsideACharacterAreJoinedBeforeDecoding() {
    var bytes = Fixtures.lines("BEGIN:VCARD", "VERSION:3.0")
    bytes += Array("FN:".utf8) + [0xE6, 0x9D, 13, 10, 0x20, 0x8E]
    bytes += Fixtures.lines("", "END:VCARD")
    #expect(VCardReader.read(bytes).cards.first?.first("FN")?.text == "李")
  }

  @Test(arguments: ["\r\n", "\n", "\r", "\r\r\n"]) func anyLineEndEndsALine(end: String) {
    let text = [
      "BEGIN:VCARD", "VERSION:3.0", "FN:A", " B", "", "TEL:1", "END:VCARD", "BEGIN:VCARD", "FN:C", "END:VCARD",
    ]
    .joined(separator: end)
    let cards = VCardReader.read(Array(text.utf8)).cards
    #expect(cards.count == 2)
    #expect(cards.first?.lines.map(\.verbatim) == ["FN:AB", "TEL:1"])
    if end.count == 1 { #expect(cards.last?.lineNumber == 8) }
  }

  @Test func aLoneCRIsTextIfLinesEndDifferently() {
    let text = "BEGIN:VCARD\r\nFN:a\rb\r\nEND:VCARD\r\n"
    #expect(VCardReader.read(Array(text.utf8)).cards.first?.first("FN")?.text == "a\nb")
  }

  @Test(arguments: [1, 2, 3, 7, 64]) func chunksMayEndAnywhere(size: Int) throws {
    let folder = Fixtures.folder.appending(path: "derived")
    for entry in try Fixtures.index(folder) {
      let bytes = try Fixtures.bytes(folder.appending(path: entry["file"] as? String ?? ""))
      var position = 0
      let reader = VCardReader<Never> {
        guard position < bytes.count else { return nil }
        defer { position += size }
        return Array(bytes[position..<min(position + size, bytes.count)])
      }
      var cards: [Card] = []
      while let event = reader.next() {
        if case .card(let card) = event { cards.append(card) }
      }
      let whole = VCardReader.read(bytes).cards
      #expect(cards.map(\.lines) == whole.map(\.lines))
      #expect(cards.map(\.lineNumber) == whole.map(\.lineNumber))
      #expect(reader.bytesRead == bytes.count)
    }
  }

  @Test(arguments: ["", "F", "FN:", "FN:1\r\n"]) func theSourceIsNotAskedAfterItsEnd(text: String) {
    var chunks: [[UInt8]?] = [Array(text.utf8), nil]
    let reader = VCardReader<Never> {
      #expect(!chunks.isEmpty)
      return chunks.isEmpty ? nil : chunks.removeFirst()
    }
    while reader.next() != nil {}
    #expect(chunks.isEmpty)
  }

  @Test(arguments: [1, 5, 64]) func aDatabaseIsNotText(size: Int) throws {
    let bytes = Array("SQLite format 3\0BEGIN:VCARD\r\nFN:A\r\nEND:VCARD\r\n".utf8)
    var position = 0
    let reader = VCardReader<Never> {
      guard position < bytes.count else { return nil }
      defer { position += size }
      return Array(bytes[position..<min(position + size, bytes.count)])
    }
    guard case .skipped(let diagnostic) = reader.next() else {
      Issue.record("read as text")
      return
    }
    #expect(diagnostic.problem == .notText)
    #expect(reader.next() == nil)
  }

  @Test func sourceErrorsComeThrough() {
    struct Broken: Error {}
    let reader = VCardReader { () throws(Broken) -> [UInt8]? in throw Broken() }
    #expect(throws: Broken.self) { try reader.next() }
  }

  @Test func charsetsAreDeclaredOrGuessed() {
    func name(_ bytes: [UInt8], _ header: String = "FN") -> String? {
      let all =
        Fixtures.lines("BEGIN:VCARD", "VERSION:2.1") + Array("\(header):".utf8) + bytes
        + Fixtures.lines("", "END:VCARD")
      return VCardReader.read(all).cards.first?.first("FN")?.text
    }
    #expect(name([0xCD, 0xF5, 0xCE, 0xE5]) == "王五")
    #expect(name([0xD0, 0xBB], "FN;CHARSET=GBK") == "谢", "valid UTF-8 by chance")
    #expect(name([0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72]) == "Müller")
    #expect(name([0xC8, 0xE2, 0xE0, 0xED, 0xEE, 0xE2]) == "Иванов")
    #expect(name([0xE9, 0xD7, 0xC1, 0xCE], "FN;CHARSET=KOI8-R") == "Иван")
    #expect(name([0xC8, 0xE2, 0xE0, 0xED], "FN;CHARSET=windows-1251") == "Иван")
    #expect(name([0xA7, 0xF5, 0xA5, 0xD5], "FN;CHARSET=BIG5") == "李白")
    #expect(name([0xB1, 0xE8], "FN;CHARSET=EUC-KR") == "김")
    #expect(name([0x83, 0x5C], "FN;CHARSET=Shift_JIS") == "ソ")
    #expect(name(Array("张伟".utf8), "FN;CHARSET=GBK") == "张伟", "UTF-8 under a wrong declaration")
    #expect(name([0x41, 0xFF, 0x80, 0x81, 0x90, 0x42])?.contains("\u{FFFD}") == true)
    #expect(name([0x41, 0x00, 0x42]) == "A\u{FFFD}B")
    #expect(name([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]) == "😀")
  }

  /// Text in ISO-2022-JP consists of ASCII bytes, so it is decoded only where it is declared.
  @Test func escapeSequencesAreDecoded() throws {
    let encoded = "\u{1B}$B;3ED\u{1B}(B"
    let card = try card(
      "N;CHARSET=ISO-2022-JP:\(encoded);", "FN;CHARSET=iso-2022-jp;ENCODING=QUOTED-PRINTABLE:=1B$B=3B3ED=1B(B",
      "NOTE:\(encoded)", "TITLE;CHARSET=ISO-2022-JP:CEO", "ORG;CHARSET=GBK:a\u{1B}b", version: "2.1")
    #expect(card.first("N")?.components == ["山田", ""])
    #expect(card.first("FN")?.text == "山田")
    #expect(card.first("NOTE")?.rawValue == encoded, "no charset was declared")
    #expect(card.first("TITLE")?.text == "CEO")
    #expect(card.first("ORG")?.rawValue == "a\u{1B}b")
    #expect(card.diagnostics.isEmpty)
  }

  /// The bytes of a character in ISO-2022 may be those of separators.
  @Test func separatorsInISO2022AreNotParts() throws {
    let card = try card(
      "N;CHARSET=ISO-2022-JP-2;ENCODING=QUOTED-PRINTABLE:=1B$B;3ED=1B(B;=1B$(D;,=1B(B;;a=3Bb\\;c",
      "NICKNAME;CHARSET=ISO-2022-JP;ENCODING=QUOTED-PRINTABLE:=1B$B$,=1B(B,=1B$B;3=1B(J",
      "ORG;CHARSET=ISO-2022-KR;ENCODING=QUOTED-PRINTABLE:=1B$)C;=0E;;=0F;a", version: "2.1")
    #expect(card.first("N")?.components == ["山田", "岏", "", "a;b;c"])
    #expect(card.first("NICKNAME")?.list == ["が", "山"])
    #expect(card.first("ORG")?.components.count == 3 && card.first("ORG")?.components.last == "a")
  }

  /// Text in a charset of one byte per character is hardly ever valid UTF-8 by chance.
  @Test(arguments: ["windows-1250", "CP1250", "KOI8-U", "macintosh", "ISO_8859-2", "latin2", "IBM850"])
  func utf8WinsOverADeclaredCharsetOfSingleBytes(_ charset: String) throws {
    let card = try card(
      "FN;CHARSET=\(charset):Zoë", "NOTE;CHARSET=\(charset);ENCODING=QUOTED-PRINTABLE:Zo=C3=AB", version: "2.1")
    #expect(card.first("FN")?.text == "Zoë")
    #expect(card.first("NOTE")?.text == "Zoë")
  }

  @Test func theCharsetIsGuessedFromTheWholeCard() {
    let bytes =
      Fixtures.lines("BEGIN:VCARD", "VERSION:2.1") + Array("N:".utf8) + [0xD0, 0xBB, 0x3B, 0xBD, 0xA8, 0xBB, 0xAA]
      + Array("\r\nNICKNAME:".utf8) + [0xD0, 0xBB] + Fixtures.lines("", "END:VCARD")
    let card = VCardReader.read(bytes).cards.first
    #expect(card?.first("N")?.components == ["谢", "建华"])
    #expect(card?.first("NICKNAME")?.text == "谢")
    #expect(card?.diagnostics == [Diagnostic(line: 3, problem: .guessedCharset("GB18030"))])
  }

  @Test func aCharsetThatAnotherLineDeclaresIsPreferredToAGuess() {
    let bytes =
      Fixtures.lines("BEGIN:VCARD", "VERSION:2.1") + Array("FN;CHARSET=KOI8-R:".utf8) + [0xF0, 0xA3, 0xD4, 0xD2]
      + Array("\r\nNOTE:".utf8) + [0xF0, 0xA3, 0xD4, 0xD2] + Fixtures.lines("", "END:VCARD")
    let card = VCardReader.read(bytes).cards.first
    #expect(card?.first("NOTE")?.text == card?.first("FN")?.text && card?.first("NOTE")?.text == "Пётр")
    #expect(card?.diagnostics == [])
  }

  @Test(arguments: [true, false]) func utf16IsDetectedByItsZeros(isBigEndian: Bool) {
    let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:李😀\r\nEND:VCARD\r\n"
    let bytes = text.utf16.flatMap { unit -> [UInt8] in
      let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
      return isBigEndian ? pair : pair.reversed()
    }
    #expect(VCardReader.read(bytes).cards.first?.first("FN")?.text == "李😀")
  }

  @Test func quotedPrintableIsSplitBeforeItIsDecoded() throws {
    let card = try card(
      "N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=E5=BC=A0=3B;=E4=BC=9F\\;x;",
      "NOTE;QUOTED-PRINTABLE:a=0D=0Ab =", " c=", "END", "TEL;CELL;PREF:1", version: "2.1")
    #expect(card.first("N")?.components == ["张;", "伟;x", ""])
    #expect(card.first("NOTE")?.text == "a\nb  cEND")
    #expect(card.first("TEL")?.types == ["cell", "pref"])
  }

  @Test func anEmptyLineEndsASoftBreak() throws {
    let card = try card(
      "NOTE;ENCODING=QUOTED-PRINTABLE:a=0D=0A=", "", "TEL;CELL:1", "ADR;ENCODING=QUOTED-PRINTABLE:;;b=", "c=", "", "",
      "X-A:d", version: "2.1")
    #expect(card.lines.map(\.key) == ["NOTE", "TEL", "ADR", "X-A"])
    #expect(card.first("NOTE")?.text == "a\n")
    #expect(card.first("ADR")?.components == ["", "", "bc"])
    #expect(card.diagnostics.isEmpty)
  }

  @Test func aSoftBreakContinuesAfterAnEmptyLineUnlessAPropertyFollows() throws {
    // A file whose line ends were doubled.
    let card = try card("NOTE;ENCODING=QUOTED-PRINTABLE:a=", "", "=62=", "", "c", "", "TEL:1", version: "2.1")
    #expect(card.first("NOTE")?.text == "abc")
    #expect(card.first("TEL")?.text == "1")
  }

  @Test func aSoftBreakAtTheEndOfAPropertyIsNotKept() throws {
    let card = try card("NOTE;ENCODING=QUOTED-PRINTABLE:a=", version: "2.1")
    #expect(card.lines.map(\.verbatim) == ["NOTE;ENCODING=QUOTED-PRINTABLE:a"])
  }

  @Test(arguments: ["UTF-16LE", "UTF-16", "UTF-32BE", "IBM037"])
  func anImpossibleCharsetIsReportedAndIgnored(_ name: String) throws {
    for text in ["é", "Zoë Müller", "张伟"] {
      let card = try card("FN;CHARSET=\(name):\(text)", "TEL:1", version: "2.1")
      #expect(card.first("FN")?.text == text)
      // Text that is UTF-8 beyond doubt is not reported.
      #expect(card.diagnostics.map(\.problem) == (text == "张伟" ? [] : [.unknownCharset(name)]))
    }
    let bytes =
      Fixtures.lines("BEGIN:VCARD", "VERSION:2.1") + Array("FN;CHARSET=\(name):".utf8)
      + [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72] + Fixtures.lines("", "END:VCARD")
    #expect(VCardReader.read(bytes).cards.first?.first("FN")?.text == "Müller")
  }

  @Test func quotedPrintableMayHoldUTF16() throws {
    let card = try card(
      "FN;CHARSET=UTF-16LE;ENCODING=QUOTED-PRINTABLE:=4E=67=4F=00", "NOTE;CHARSET=UTF-16LE;QUOTED-PRINTABLE:=C3=A9",
      version: "2.1")
    #expect(card.first("FN")?.text == "李O")
    #expect(card.first("NOTE")?.text == "é", "UTF-8 under a wrong declaration")
  }

  @Test func parametersKeepTheirValues() throws {
    let card = try card(
      "item1.X-A;LABEL=\"a;b:c,d\";X=^n^'^^^z;TYPE=\"home,work\",PREF:v:w;x", "item1.X-ABLabel:_$!<Home>!$_",
      version: "4.0")
    let line = try #require(card.lines.first)
    #expect(line.group == "item1" && line.name == "X-A" && line.rawValue == "v:w;x")
    #expect(line.values(of: "LABEL") == ["a;b:c,d"])
    #expect(line.values(of: "X") == ["\n\"^^z"])
    #expect(line.types == ["home", "work", "pref"])
    #expect(card.lines.last?.key == "X-ABLABEL")
  }

  @Test func escapesAreResolvedOnce() throws {
    let card = try card("NOTE:a\\nb\\Nc\\,d\\;e\\\\nf\\x\\", "CATEGORIES:a\\,b,c", "ORG:A\\;B;C")
    #expect(card.first("NOTE")?.text == "a\nb\nc,d;e\\nf\\x\\")
    #expect(card.first("CATEGORIES")?.list == ["a,b", "c"])
    #expect(card.first("ORG")?.components == ["A;B", "C"])
  }

  @Test func anAgentBelongsToItsCard() throws {
    let text = Fixtures.lines(
      "BEGIN:VCARD", "FN:Boss", "AGENT:", "BEGIN:VCARD", "FN:A", "AGENT:", "BEGIN:VCARD", "FN:B", "END:VCARD",
      "END:VCARD", "TEL:1", "END:VCARD")
    let (cards, skipped) = VCardReader.read(text)
    #expect(cards.count == 1 && skipped.isEmpty)
    #expect(cards.first?.lines.map(\.key) == ["FN", "AGENT", "TEL"])
    let written = VCardWriter(version: .v21).bytes(of: try #require(cards.first))
    #expect(VCardReader.read(written).cards.first?.lines.map(\.key) == ["FN", "AGENT", "TEL"])
    let newer = VCardWriter(version: .v30).bytes(of: try #require(cards.first))
    #expect(VCardReader.read(newer).cards.first?.lines.map(\.key) == ["FN", "AGENT", "TEL"])
  }

  /// Found by fuzzing: kept as a property, such a line ended the card that it was written into.
  @Test(arguments: [".END:VCARD", "item1.END:VCARD", ". end : vcard ", "a-b_1.END:VCARD", "b.END:VCARD", "e.END:VCARD"])
  func anEndWithAGroupIsAnEnd(end: String) {
    let result = VCardReader.read(
      Fixtures.lines(
        "BEGIN:VCARD", "VERSION:3.0", "FN:A", end, "NOTE:between cards", "BEGIN:VCARD", "FN:B", "NOTE.END:VCARDS",
        "END:VCARD"))
    #expect(result.cards.first?.first("NOTE") == nil && result.cards.first?.first("END") == nil)
    #expect(result.cards.map { $0.first("FN")?.text } == ["A", "B"])
  }

  /// A line like this in the middle of a card would begin or end another one for some program.
  @Test(arguments: ["BEGIN:VEVENT", "END;X=1:VCARD", "item1.end ;A=B:VCARD", "begin;X=1:", "BEGIN:VCARDS"])
  func onlyACardBeginsAndEnds(line: String) throws {
    let card = try card("FN:A", line, "NOTE:b")
    #expect(card.lines.map(\.verbatim) == ["FN:A", "NOTE:b"] && card.diagnostics.count == 1)
    #expect(CardLine(line) == nil && CardLine.lines([line, "NOTE:b"], version: .v30).count == 1)
  }

  /// Found by fuzzing: with each export and import such a card got one more END.
  @Test(arguments: [
    ["AGENT:BEGIN:VCARD"], ["AGENT:", "BEGIN:VCARD", "FN:A", "AGENT:", "BEGIN:VCARD", "FN:B", "END:VCARD"],
  ])
  func aTruncatedAgentIsClosed(lines: [String]) throws {
    let text = Fixtures.lines("BEGIN:VCARD", "VERSION:2.1", "FN:Boss") + lines.flatMap { Fixtures.lines($0) }
    let card = try #require(VCardReader.read(text).cards.first)
    let again = VCardReader.read(VCardWriter(version: .v21).bytes(of: card)).cards
    #expect(again.count == 1 && again.first?.lines.map(\.verbatim) == card.lines.map(\.verbatim))
    #expect(again.first?.diagnostics.isEmpty == true)
  }

  @Test func missingEndsKeepTheCard() {
    let (cards, skipped) = VCardReader.read(
      Fixtures.lines("junk", "BEGIN:VCARD", "FN:A", "BEGIN:VCARD", "VERSION:9", "FN:B", "no property", "END:", "FN:C"))
    #expect(cards.map { $0.first("FN")?.text } == ["A", "B"])
    #expect(cards.first?.diagnostics.map(\.problem) == [.missingEnd, .missingVersion])
    #expect(
      cards.last?.diagnostics.map(\.description) == [
        "line 8: BEGIN or END out of place", "line 7: not a property: no property", "line 4: no END:VCARD",
        "line 4: unknown version 9; read as 3.0",
      ])
    #expect(skipped.map(\.problem) == [.textOutsideCard(lines: 1, beginning: "junk")])
  }

  @Test func base64LinesNeedNoBlank() throws {
    let card = try card(
      "PHOTO;ENCODING=BASE64;PNG:", "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB", "iVBORw0KGgo=", "", "TEL:1", version: "2.1")
    #expect(card.first("PHOTO")?.binary?.bytes.count == 24 + 8)
    #expect(card.lines.count == 2)
  }
}
