import Contacts
import Testing
import VCard

@testable import ContactInterchange

/// What a card derives from a value goes with an edit of that value, and only then.
@Suite struct OutdatedTextTests {
  private func edited(_ texts: [String], _ version: CardVersion = .v40, _ edit: (inout Contact) -> Void) -> [String] {
    let card = Card(version: version, lines: CardLine.lines(texts, version: version))
    let original = ContactCardReader().read(card).contact
    var contact = original
    edit(&contact)
    contact.dropOutdatedFullName(since: original)
    return ContactCardWriter().card(for: contact).lines.map(\.verbatim)
  }

  private let address =
    #"ADR;LABEL="Weg 4\nHalle";GEO="geo:51.4,11.9";TZ=Europe/Berlin;CC=DE;TYPE=home;X-A=1:;;Weg 4;Halle;;06108;Germany"#

  @Test func theTextAndPlaceOfAnAddressGoWithIt() {
    let lines = ["FN:A", address, "TEL:1"]
    #expect(
      edited(lines) { $0.addresses[0].street = "Ring 9" }[1] == "ADR;TYPE=home;X-A=1:;;Ring 9;Halle;;06108;Germany")
    #expect(edited(lines) { $0.addresses[0].label = "work" }[1].contains(#"LABEL="Weg 4\nHalle""#))
    #expect(edited(lines) { $0.phones[0].value = "2" } == ["FN:A", address, "TEL:2"])
  }

  @Test func aLabelBelongsToTheAddressOfItsTypes() {
    let lines = [
      "N:;A;;;", "FN:A", "ADR;TYPE=HOME:;;Weg 4;Halle;;;", #"LABEL;TYPE=HOME:Weg 4\nHalle"#,
      "ADR;TYPE=WORK:;;Kai 1;Kiel;;;",
      #"LABEL;TYPE=WORK:Kai 1\nKiel"#,
    ]
    #expect(
      edited(lines, .v30) { $0.addresses[0].city = "Jena" }
        == [lines[0], lines[1], "ADR;TYPE=HOME:;;Weg 4;Jena;;;", lines[4], lines[5]])
    #expect(edited(lines, .v30) { $0.addresses.removeLast() } == Array(lines[..<4]))
    #expect(
      edited(lines, .v30) { $0.addresses[1].label = "other" }.suffix(2)
        == ["ADR;TYPE=OTHER:;;Kai 1;Kiel;;;", #"LABEL;TYPE=OTHER:Kai 1\nKiel"#])
  }

  @Test func theCountryOfAppleGoesWithTheCountry() {
    let lines = ["FN:A", "item1.ADR:;;Weg 4;Halle;;;Germany", "item1.X-ABADR:de"]
    #expect(edited(lines) { $0.addresses[0].street = "Ring 9" }.count == 3)
    #expect(edited(lines) { $0.addresses[0].country = "Portugal" }.count == 2)
  }

  @Test func whatIsInTheGroupOfAnAddressGoesWithIt() {
    let lines = [
      "N:;A;;;", "FN:A", "item1.ADR;type=HOME:;;Weg 4;Halle;;;Germany", "item1.X-ABLabel:Ferien", "item1.X-ABADR:de",
      "item1.LABEL:Weg 4", "item1.GEO:51.4;11.9", "item1.TZ:+01:00", "GEO:1;2",
    ]
    #expect(
      edited(lines, .v30) { $0.addresses[0].street = "Ring 9" }
        == [lines[0], lines[1], "item1.ADR;type=HOME:;;Ring 9;Halle;;;Germany", lines[3], lines[4], "GEO:1;2"])
    #expect(edited(lines, .v30) { $0.addresses = [] } == [lines[0], lines[1], "GEO:1;2"])
    #expect(edited(lines, .v30) { $0.addresses[0].label = "Meer" }[5...] == lines[5...])
    #expect(edited(lines, .v30) { $0.note = "n" }.filter { !$0.hasPrefix("NOTE") } == lines)
  }

  @Test func sortTextsGoWithTheName() {
    let name = #"N;SORT-AS="Meulen,Joris";LANGUAGE=nl:van der Meulen;Joris;;;"#
    #expect(
      edited(["FN:Joris van der Meulen", name]) { $0.family = "Dekkers" }[1]
        == "N;LANGUAGE=nl;SORT-AS=,Joris:Dekkers;Joris;;;")
    #expect(edited(["FN:Joris van der Meulen", name, "TITLE:a"]) { $0.title = "b" }[1] == name)
    let old = ["N:Voss;Ilka;;;", "FN:Ilka Voss", "SORT-STRING:Voss", #"X-EVOLUTION-FILE-AS:Voss\, Ilka"#, "ROLE:r"]
    #expect(edited(old, .v30) { $0.family = "Hall" } == ["N:Hall;Ilka;;;", "FN:Ilka Hall", "ROLE:r"])
    #expect(edited(old, .v30) { $0.title = "b" }.contains("SORT-STRING:Voss"))
    #expect(
      edited(["FN;SORT-AS=Voss;X-A=1:Ilka Voss", "N:Voss;Ilka;;;", "N;PHONETIC=ipa:f;i;;;"]) { $0.family = "Hall" }[0]
        == "FN;X-A=1:Ilka Hall")
    // And with the phonetic name that they repeat.
    let read = ["N;SORT-AS=やまだ:山田;太郎;;;", "FN:山田太郎", "X-PHONETIC-LAST-NAME:やまだ", "SORT-STRING:やまだ"]
    #expect(
      edited(read, .v30) { $0.phoneticFamily = "ヤマダ" } == ["N:山田;太郎;;;", "FN:山田太郎", "X-PHONETIC-LAST-NAME:ヤマダ"])
  }

  @Test func theSortTextOfAnOrganizationGoesWithIt() {
    let lines = ["KIND:org", "FN:The Kettle", #"ORG;SORT-AS="Kettle":The Kettle"#]
    #expect(edited(lines) { $0.organization = "The Pot" } == ["KIND:org", "FN:The Pot", "ORG:The Pot"])
  }

  @Test func theReadingOfANameGoesWithIt() {
    let lines = ["FN:单海禾", "N;ALTID=1;PHONETIC=piny:shan4;hai3he2;;;", "N;ALTID=1;LANGUAGE=zh:单;海禾;;;"]
    let contact = ContactCardReader().read(Card(version: .v40, lines: CardLine.lines(lines, version: .v40))).contact
    #expect(
      [contact.family, contact.given, contact.phoneticFamily, contact.phoneticGiven] == ["单", "海禾", "shan4", "hai3he2"])
    #expect(
      edited(lines) { $0.given = "海川" }
        == ["FN:单海川", "N;ALTID=1;PHONETIC=piny:shan4;;;;", "N;ALTID=1;LANGUAGE=zh:单;海川;;;"])
    #expect(edited(lines) { ($0.given, $0.phoneticGiven) = ("海川", "hai3chuan1") }[1].hasSuffix(":shan4;hai3chuan1;;;"))
  }

  @Test func parametersWithTheOldValueGo() {
    #expect(
      edited(["FN:A", "TEL;type=CELL;waid=491605550142:+49 160 5550142"]) { $0.phones[0].value = "+49 160 5550199" }[1]
        == "TEL;TYPE=CELL:+49 160 5550199")
    #expect(
      edited(["FN:A", #"TEL;X-EVOLUTION-E164="1605550142,+49":+49 160 5550142"#]) {
        $0.phones[0].value = "+49 160 5550199"
      }[1]
        == "TEL:+49 160 5550199")
  }

  @Test func partsThatTheBookDoesNotHaveStay() {
    #expect(
      edited(["FN:A", "N:Quintero;Alba;Luz;Dra.;MD;Solís;III"]) { $0.given = "Alma" }[1]
        == "N:Quintero;Alma;Luz;Dra.;MD;Solís;III")
    let address = "ADR:;;12 Gasse 2nd Floor;Freiberg;SN;09599;Germany;;;2nd Floor;12;Gasse;;;;;;"
    #expect(edited(["FN:A", address]) { $0.addresses[0].city = "Plauen" }[1].hasSuffix(";;;2nd Floor;12;Gasse;;;;;;"))
    #expect(
      edited(["FN:A", address]) { $0.addresses[0].street = "7 Markt" }[1] == "ADR:;;7 Markt;Freiberg;SN;09599;Germany")
    let units = ["N:;A;;;", "FN:A", #"ORG:Hjort\, Ltd.;Upper / Deck;Sales"#]
    #expect(edited(units, .v30) { $0.organization = "H" }[2] == "ORG:H;Upper / Deck;Sales")
    #expect(edited(units, .v30) { $0.department = "D" }[2] == #"ORG:Hjort\, Ltd.;D"#)
    #expect(edited(units, .v30) { $0.department = "" }[2] == #"ORG:Hjort\, Ltd."#)
    #expect(edited(["FN:A", "N:B;C,D;;;"]) { $0.family = "E" }[1] == "N:E;C,D;;;")
  }
}
