import Testing
import VCard

@testable import ContactInterchange

/// Cards with so many lines and values that the tests end soon only if reading and writing take linear time.
@Suite struct CardLimitTests {
  @Test(
    arguments: [
      { "item1.TEL:\($0)" }, { "item\($0).X-ABDATE:2001-01-01\r\nitem\($0).X-ABLabel:L\($0)" }, { "NOTE:\($0)" },
      { "CATEGORIES:c\($0)" }, { "EMAIL;TYPE=t\($0):e\($0)" }, { "X-AIM:a\($0)" },
    ] as [@Sendable (Int) -> String])
  func manyLinesAreReadAndWritten(line: @Sendable (Int) -> String) throws {
    let count = 10_000
    let text = "BEGIN:VCARD\r\nVERSION:3.0\r\n" + (0..<count).map { line($0) + "\r\n" }.joined() + "END:VCARD\r\n"
    let card = try #require(VCardReader.read(Array(text.utf8)).cards.first)
    let clock = ContinuousClock()
    let spent = clock.measure {
      let imported = ContactCardReader().read(card)
      let made = ContactCardWriter().card(for: imported.contact)
      #expect(made.lines.count >= count)
    }
    print("\(count) lines: \(spent)")
  }

  @Test func manyTypesAndNamesStayOneLine() throws {
    let types = (0..<5_000).map { "t\($0)" }.joined(separator: ",")
    let card = CardFixtures.card("FN:A", "TEL;TYPE=\(types):1", "CATEGORIES:\(types)", "N:\(types)")
    let clock = ContinuousClock()
    let spent = clock.measure {
      let imported = ContactCardReader().read(card)
      #expect(imported.contact.groups.count == 5_000)
      let names = ContactCardWriter().card(for: imported.contact).lines.map(\.name)
      for name in ["TEL", "CATEGORIES", "N"] { #expect(names.count { $0 == name } == 1, "\(name)") }
    }
    print("5,000 types: \(spent)")
  }
}
