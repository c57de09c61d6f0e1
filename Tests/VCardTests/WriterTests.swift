import Foundation
import SharedMaterial
import Testing
import VCard

@Suite struct WriterTests {
  private func lines(_ bytes: [UInt8]) -> [Substring] {
    Substring(String(decoding: bytes, as: UTF8.self)).split(separator: "\r\n", omittingEmptySubsequences: false)
  }

  @Test func foldsAt75OctetsOnCharacters() throws {
    let note = String(repeating: "测试é😀", count: 60)
    let card = Card(lines: [CardLine("NOTE", text: note, version: .v30)])
    let written = VCardWriter().bytes(of: card)
    for line in lines(written) { #expect(line.utf8.count <= 75) }
    #expect(!String(decoding: written, as: UTF8.self).contains("\u{FFFD}"))
    #expect(VCardReader.read(written).cards.first?.first("NOTE")?.text == note)
  }

  @Test(arguments: CardVersion.allCases) func textSurvivesEveryVersion(version: CardVersion) throws {
    let texts = [
      "plain", "a;b,c:d\\e", "line\nline", "C:\\new\\names", "\\", "\\n", "李小龙", String(repeating: "long ", count: 50),
      "trailing \n", "= =41 =", "ends with END:VCARD", String(repeating: "x", count: 71) + "END:VCARD", "",
    ]
    for text in texts {
      let card = Card(
        version: version,
        lines: [
          CardLine("NOTE", text: text, version: version),
          CardLine("N", components: [text, "b;", text], version: version),
          CardLine("FN", text: text, version: version),
        ])
      let written = VCardWriter(version: version).bytes(of: card)
      let read = try #require(VCardReader.read(written).cards.first)
      #expect(read.first("NOTE")?.text == text)
      #expect(read.first("N")?.components == [text, "b;", text])
      #expect(read.version == version && read.diagnostics.isEmpty)
      for other in CardVersion.allCases {
        let converted = VCardWriter(version: other).bytes(of: read)
        let again = try #require(VCardReader.read(converted).cards.first)
        #expect(again.first("NOTE")?.text == text, "\(version) to \(other)")
        #expect(again.first("N")?.components == [text, "b;", text], "\(version) to \(other)")
      }
    }
  }

  @Test func parametersFollowTheVersion() throws {
    let line = try #require(CardLine("TEL;HOME;FAX;PREF;ENCODING=QUOTED-PRINTABLE:1=0D=0A2", version: .v21))
    #expect(line.converted(to: .v30).verbatim == "TEL;TYPE=HOME,FAX,PREF:1\\n2")
    #expect(line.converted(to: .v40).verbatim == "TEL;TYPE=HOME,FAX;PREF=1:1\\n2")
    let new = try #require(CardLine("item1.TEL;PREF=1;VALUE=uri;TYPE=\"voice,home\":tel:+1-555;ext=5", version: .v40))
    #expect(new.converted(to: .v21).verbatim == "item1.TEL;VOICE;HOME;PREF;VALUE=URL:tel:+1-555;ext=5")
    let photo = CardLine("PHOTO", binary: CardBinary(mediaType: "image/png", bytes: [1, 2, 3]), version: .v30)
    #expect(photo.verbatim == "PHOTO;ENCODING=b;TYPE=PNG:AQID")
    #expect(photo.converted(to: .v40).verbatim == "PHOTO:data:image/png;base64,AQID")
    #expect(
      photo.converted(to: .v40).converted(to: .v21).verbatim == "PHOTO;ENCODING=BASE64;TYPE=PNG:AQID"
        || photo.converted(to: .v40).converted(to: .v21).verbatim == "PHOTO;ENCODING=BASE64;PNG:AQID")
    let label = CardLine("ADR", parameters: [CardParameter("LABEL", "a\n\"b\",c^")], components: ["x"], version: .v40)
    #expect(label.verbatim == "ADR;LABEL=\"a^n^'b^',c^^\":x")
    #expect(label.values(of: "LABEL") == ["a\n\"b\",c^"])
  }

  /// In quoted-printable, an encoded semicolon is text.
  @Test func encodedSemicolonsStayText() throws {
    let line = try #require(CardLine("ADR;ENCODING=QUOTED-PRINTABLE:;;1 a=3Bb\\;c\\=3Bd=5C\\;Leeds", version: .v21))
    #expect(line.components == ["", "", "1 a;b;c;d\\", "Leeds"])
    for version in [CardVersion.v30, .v40] {
      #expect(line.converted(to: version).components == line.components)
      #expect(line.converted(to: version).converted(to: .v21).components == line.components)
    }
  }

  @Test func separatorsOfOtherProgramsAreNeverRaw() throws {
    let evil = "a\u{2028}UID:evil\u{2029}b\u{85}c\u{0B}d\u{0C}e\u{1C}f\u{1F}g\u{0}h"
    let raw = try #require(CardLine("NOTE;X=a\u{2028}b:\(evil)"))
    for version in CardVersion.allCases {
      let card = Card(lines: [raw, CardLine("X-A", text: evil, version: version)])
      let written = String(decoding: VCardWriter(version: version).bytes(of: card), as: UTF8.self)
      #expect(
        !written.unicodeScalars.contains { [0x2028, 0x2029, 0x85, 0x0B, 0x0C, 0x1C, 0x1F, 0].contains($0.value) })
      #expect(!lines(Array(written.utf8)).contains { $0.hasPrefix("UID") })
      #expect(VCardReader.read(Array(written.utf8)).cards.first?.first("X-A")?.text == "a\nUID:evil\nb\nc\nd\nefgh")
    }
  }

  /// Found by fuzzing: the text after a fold ended the card.
  @Test(arguments: ["END:VCARD", "item1.END:VCARD", "END : VCARD    ", "BEGIN:VCARD"])
  func foldedTextIsNeverADelimiter(text: String) throws {
    for length in 60...75 {
      for rest in ["", String(repeating: " ", count: 70), String(repeating: "y", count: 70)] {
        let note = String(repeating: "x", count: length) + text + rest
        let written = VCardWriter().bytes(of: Card(lines: [CardLine("NOTE", text: note, version: .v30)]))
        // A line is longer only if a fold would leave nothing but blanks in the next one.
        for line in lines(written) where line.utf8.count > 75 {
          #expect(line.utf8.dropFirst(75).dropLast().allSatisfy { $0 == 0x20 }, "\(line)")
        }
        let cards = VCardReader.read(written).cards
        #expect(cards.map { $0.first("NOTE")?.text } == [note])
      }
    }
  }

  @Test func textSurvivesUnfoldingUnchanged() throws {
    try checkThatTextComesBack(Fixtures.folder.appending(path: "derived"))
  }

  @Test(.enabled(if: SharedMaterial.vCards.isNamed, "VCARD_CORPUS is not set"))
  func textOfTheCorpusSurvivesUnfoldingUnchanged() throws { try checkThatTextComesBack(SharedMaterial.vCards.url) }

  private func checkThatTextComesBack(_ folder: URL) throws {
    for entry in try Fixtures.index(folder) {
      let name = entry["file"] as? String ?? ""
      for card in VCardReader.read(try Fixtures.bytes(folder.appending(path: name))).cards {
        let written = VCardWriter(version: card.version).bytes(of: card)
        let again = try #require(VCardReader.read(written).cards.first)
        let before = card.lines.map { unify($0) }
        let after = again.lines.map { unify($0) }
        #expect(before == after, "\(name) line \(card.lineNumber)")
      }
    }
  }

  /// Returns the part of a line that writing must not change: of AGENT, the decoded text; of a line with a carriage
  /// return or characters beyond ASCII, the name and the decoded components.
  private func unify(_ line: CardLine) -> String {
    // Raw bytes of a picture, which the program that wrote them damaged beyond use.
    if line.verbatim.contains("\u{FFFD}") { return line.key }
    if line.isNamed("AGENT") { return line.text.trimmingCharacters(in: .whitespacesAndNewlines) }
    guard line.verbatim.utf8.contains(where: { $0 >= 0x80 }) || line.verbatim.utf8.contains(13) else {
      return line.verbatim
    }
    return "\(line.group).\(line.key):\(line.components)"
  }
}
