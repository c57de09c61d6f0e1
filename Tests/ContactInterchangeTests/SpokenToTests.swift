import Contacts
import Testing
import VCard

@testable import ContactInterchange

/// How a contact is spoken to: PRONOUNS and GRAMGENDER (RFC 9554), LANG (RFC 6350, 6.4.4).
@Suite struct SpokenToTests {
  private let lines = [
    "FN:Tilde Marsch", "CREATED;VALUE=timestamp:20230102T030405Z", "LANGUAGE:zh",
    "GRAMGENDER;LANGUAGE=de:feminine", "GRAMGENDER;LANGUAGE=fr:neuter",
    "PRONOUNS;PREF=2;LANGUAGE=en:they/them", "PRONOUNS;PREF=1;LANGUAGE=en:she/her",
    "LANG;PREF=2;TYPE=work:de", "LANG;PREF=1:zh-Hans",
  ]

  private var contact: Contact {
    ContactCardReader().read(Card(version: .v40, lines: CardLine.lines(lines, version: .v40))).contact
  }

  private func written(_ contact: Contact, _ version: CardVersion? = nil) -> [String] {
    ContactCardWriter(version: version).card(for: contact).lines.map(\.verbatim)
  }

  @Test func thePreferredOnesAreTheFields() {
    #expect(contact.pronouns == "she/her" && contact.grammaticalGender == "feminine")
    #expect(contact.languages == [LabeledValue(value: "zh-Hans"), LabeledValue(label: "work", value: "de")])
    #expect(FurtherTexts.texts(in: contact.cardLines).map(\.text) == ["neuter", "they/them"])
    #expect(written(contact) == lines)
  }

  @Test func anEditChangesOnlyTheValue() {
    var contact = contact
    contact.pronouns = "xe/xem"
    contact.grammaticalGender = ""
    contact.languages[1].value = "de-AT"
    var expected = lines
    expected[6] = "PRONOUNS;PREF=1;LANGUAGE=en:xe/xem"
    expected[7] = "LANG;PREF=2;TYPE=work:de-AT"
    expected.remove(at: 3)
    #expect(written(contact) == expected)
  }

  @Test(arguments: CardVersion.allCases) func aNewContactHasThemInEveryVersion(version: CardVersion) {
    var contact = Contact()
    contact.given = "Ann"
    (contact.pronouns, contact.grammaticalGender) = ("she/her", "feminine")
    contact.languages = [LabeledValue(label: "home", value: "sv")]
    let lines = CardLine.lines(written(contact, version), version: version)
    let back = ContactCardReader().read(Card(version: version, lines: lines)).contact
    #expect(back.pronouns == "she/her" && back.grammaticalGender == "feminine" && back.languages == contact.languages)
  }
}
