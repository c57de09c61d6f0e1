import Contacts
import Testing

@Suite struct ContentKeyTests {
  private func contact(_ name: String, _ phones: [String] = [], _ emails: [String] = []) -> Contact {
    var contact = Contact()
    contact.formattedName = name
    contact.phones = phones.map { LabeledValue(label: "mobile", value: $0) }
    contact.emails = emails.map { LabeledValue(value: $0) }
    return contact
  }

  @Test func separatorsCaseAndOrderDoNotCount() {
    let one = contact("Ada  Lovelace", ["+44 20-7946", "1"], ["A@example.com"])
    #expect(ContentKey(one) == ContentKey(contact("ada lovelace", ["1", "+44207946"], ["a@EXAMPLE.com"])))
    #expect(ContentKey(one) != ContentKey(contact("Ada Lovelace", ["1"], ["a@example.com"])))
    #expect(ContentKey(contact("A", ["+1"])) != ContentKey(contact("A", ["1"])))
  }

  @Test(arguments: [("김", "철수", "철수 김"), ("山田", "たろう", "山田 たろう"), ("Smith", "John", "Smith, John")])
  func theOrderOfTheNameDoesNotCount(family: String, given: String, full: String) {
    func named(_ name: String) -> Contact {
      var contact = contact(name, ["1"])
      (contact.family, contact.given) = (family, given)
      return contact
    }
    #expect(ContentKey(named("")) == ContentKey(named(full)) && ContentKey(named("")) != ContentKey(named(full + "!")))
  }

  @Test func aNameAloneIsWeak() {
    #expect(!ContentKey(contact("A")).isStrong)
    #expect(ContentKey(contact("A", ["1"])).isStrong)
  }

  @Test func addingKeepsWhatTheCardLacks() {
    var known = contact("Ada", ["1"])
    known.note = "mine"
    known.title = "old"
    var card = contact("Ada", ["1", "2"])
    card.title = "new"
    let merged = known.adding(card)
    #expect(merged.note == "mine")
    #expect(merged.title == "new")
    #expect(merged.phones.map(\.value) == ["1", "2"])
    #expect(merged.adding(card) == merged)
  }
}
