import Contacts
import Testing
import VCard

@testable import ContactInterchange

/// Fields of the user's own in vCards: each is a property that the settings name, or one with a label.
@Suite struct OwnPropertyTests {
  private let vocabulary = CardVocabulary(.standard, custom: ["X-SHIRT-SIZE", "X-TEAM"])
  private let lines = [
    "FN:Ann Lee", "N:Lee;Ann;;;", "item1.X-SHIRT-SIZE;X-FROM=shop;TYPE=HOME:Large", "item1.X-ABLabel:Size", "X-OTHER:1",
    "x-team:Blue\\, red", "item2.X-CUSTOM:7", "item2.X-ABLabel:Lucky number",
  ]

  private static func value(_ label: String, _ value: String) -> LabeledValue {
    LabeledValue(label: label, value: value)
  }

  private func contact(_ lines: [String], _ version: CardVersion = .v30) -> Contact {
    let card = Card(version: version, lines: CardLine.lines(lines, version: version))
    var contact = ParsedCard(card, vocabulary).contact
    contact.cardLines = KeptLines.texts(lines, version: version)
    return contact
  }

  private func written(_ contact: Contact, _ version: CardVersion? = nil) -> [String] {
    CardComposer.card(of: contact, photo: nil, version: version, vocabulary: vocabulary).lines.map(\.verbatim)
  }

  @Test func aPropertyIsAValueWithItsNameAsLabel() {
    let contact = contact(lines)
    #expect(
      contact.custom == [
        Self.value("shirt size", "Large"), Self.value("team", "Blue, red"), Self.value("Lucky number", "7"),
      ])
    #expect(written(contact) == lines)
  }

  @Test func anEditChangesOnlyTheValue() {
    var contact = contact(lines)
    contact.custom[0].value = "Small"
    contact.custom[2].value = "8"
    var expected = lines
    expected[2] = "item1.X-SHIRT-SIZE;X-FROM=shop;TYPE=HOME:Small"
    expected[6] = "item2.X-CUSTOM:8"
    #expect(written(contact) == expected)
    contact.custom.removeAll { $0.label == "team" }
    expected.remove(at: 5)
    #expect(written(contact) == expected)
  }

  @Test func aNewLabelIsAnotherProperty() {
    var contact = contact(["FN:Ann", "N:;Ann;;;", "X-TEAM:Blue", "item1.X-CUSTOM:7", "item1.X-ABLabel:Lucky number"])
    contact.custom = [Self.value("shirt size", "Blue"), Self.value("team", "7")]
    #expect(written(contact) == ["FN:Ann", "N:;Ann;;;", "X-SHIRT-SIZE:Blue", "item1.X-TEAM:7"])
    contact.custom = [Self.value("Lucky number", "Blue"), Self.value("", "7")]
    #expect(
      written(contact) == [
        "FN:Ann", "N:;Ann;;;", "item2.X-CUSTOM:Blue", "item2.X-ABLabel:Lucky number", "item1.X-CUSTOM:7",
      ])
  }

  @Test(arguments: CardVersion.allCases) func everyVersionHasThem(version: CardVersion) {
    let custom = [
      Self.value("shirt size", "Größe; 42,\nlong"), Self.value("Lucky number", "7"), Self.value("home", "x"),
      Self.value("", "y"),
    ]
    var contact = Contact()
    contact.given = "Ann"
    contact.custom = custom
    let lines = written(contact, version)
    #expect(lines.contains { $0.hasPrefix("X-SHIRT-SIZE") })
    #expect(self.contact(lines, version).custom == custom, "\(lines)")
    for other in CardVersion.allCases {
      #expect(self.contact(written(self.contact(lines, version), other), other).custom == custom)
    }
  }

  /// A property of another field is none of the user's own.
  @Test func somePropertiesAreTaken() {
    for name in ["x-shirt-size", "X-2", "X-A-B"] { #expect(CustomFields.property(name) == name.uppercased()) }
    let wrong = [
      "SHIRT", "X-", "X", "", "NOTE", "X-A B", "X-A:B", "X-Ä", "X-A_B", "X-CUSTOM", "X-ABDATE", "X-ABLABEL", "X-SKYPE",
      "X-SPOUSE", "X-PHONETIC-LAST-NAME", "X-ADDRESSBOOKSERVER-KIND", "X-SOCIALPROFILE",
    ]
    for name in wrong { #expect(CustomFields.property(name) == nil, "\(name)") }
    let spouse = CardVocabulary(.standard, custom: ["X-SPOUSE"])
    let card = CardFixtures.card("FN:Ann", "X-SPOUSE:Bob")
    #expect(ParsedCard(card, spouse).contact.related == [Self.value("spouse", "Bob")])
  }

  @Test func aCardIsReadAgainForANewProperty() throws {
    let lines = ["FN:Ann", "X-TEAM:Blue", "X-TEAM:Red", "X-SHIRT-SIZE:Large"]
    var state = contact(lines)
    #expect(EarlierReading.custom(in: nil) == [] && EarlierReading.custom(in: "4") == [])
    #expect(EarlierReading.custom(in: "4 X-A X-B") == ["X-A", "X-B"])
    let reading = EarlierReading("4 X-TEAM", present: vocabulary)
    // Edited and removed since.
    state.custom = [Self.value("team", "Green"), Self.value("Lucky number", "7")]
    let expected = state.custom + [Self.value("shirt size", "Large")]
    let again = try #require(reading.rereading(state, from: lines))
    #expect(again.custom == expected)
    #expect(reading.rereading(again, from: lines) == nil)
    let first = try #require(EarlierReading("3", present: vocabulary).rereading(Contact(), from: lines))
    #expect(first.custom.map(\.value) == ["Blue", "Red", "Large"])
  }
}
