import Contacts
import Testing

@testable import AddressBookModel
@testable import Messages

struct ContactRulesTests {
  @Test func theExampleHasNoIssues() {
    #expect(ContactRules.issues(in: .example).isEmpty)
  }

  @Test func aContactNeedsSomethingToShow() {
    #expect(rules(Contact()) == [":nothingToShow"])
    for change in [
      { $0.nickname = "x" }, { $0.organization = "x" }, { $0.phones = [LabeledValue(value: "1")] },
      { $0.emails = [LabeledValue(value: "a@b")] }, { $0.note = "x" },
    ] as [(inout Contact) -> Void] {
      var contact = Contact()
      change(&contact)
      #expect(rules(contact).isEmpty)
    }
    for change in [
      { $0.phones = [LabeledValue(label: "x", value: "")] }, { $0.emails = [LabeledValue(label: "x", value: "")] },
      { $0.urls = [LabeledValue(label: "x", value: "")] }, { $0.handles = [LabeledValue(label: "x", value: "")] },
      { $0.addresses = [PostalAddress(label: "x")] },
    ] as [(inout Contact) -> Void] {
      var contact = Contact()
      change(&contact)
      #expect(rules(contact) == [":nothingToShow"])
    }
    var invisible = Contact()
    invisible.family = "\u{200B} \u{202E}"
    #expect(rules(invisible) == [":nothingToShow"])
  }

  @Test func oddValuesAreWarnings() {
    var contact = Contact.example
    contact.phones.append(LabeledValue(value: "call me"))
    contact.phones.append(LabeledValue(value: "٠١٢"))
    contact.emails = ["a@b", "nobody", "a b@c", "@", "\"a@b\"@c"].map { LabeledValue(value: $0) }
    contact.dates = ["1811-11-26", "--02-29", "1811-02-29", "tomorrow"].map { LabeledValue(value: $0) }
    contact.family = "a\u{1b}[31m"
    let issues = ContactRules.issues(in: contact)
    #expect(issues.allSatisfy { $0.severity == .warning })
    #expect(
      Set(rules(contact)) == [
        "phones[2].value:phoneWithoutDigits", "emails[1].value:emailShape", "emails[2].value:emailShape",
        "emails[3].value:emailShape", "dates[2].value:date", "dates[3].value:date", "family:controlCharacter",
      ])
  }

  @Test func warningsOfAnEditAreAboutItsValues() {
    var base = Contact.example
    base.emails = [LabeledValue(label: "work", value: "nobody"), LabeledValue(value: "a@b")]
    base.family = "a\u{7}"
    base.addresses = [PostalAddress(city: "a\u{7}")]
    var contact = base
    contact.given = "Ann"
    #expect(ContactRules.warnings(in: contact, since: base).isEmpty)
    contact.emails.append(LabeledValue(value: "foo"))
    contact.given = "a\u{7}"
    contact.addresses[0].street = "x"
    let warnings = ContactRules.warnings(in: contact, since: base)
    #expect(
      warnings.map { "\($0.property):\($0.rule)" } == [
        "given:controlCharacter", "emails[2].value:emailShape", "addresses[0].city:controlCharacter",
      ])
  }

  @Test func whatCannotBeStoredIsAnError() throws {
    var contact = Contact.example
    contact.family = String(repeating: "長", count: 10_001)
    contact.note = "a\u{0}b"
    let errors = ContactRules.issues(in: contact).filter { $0.severity == .error }.map { "\($0.property):\($0.rule)" }
    #expect(errors == ["family:tooLong", "note:nul"])
    let context = try AddressBook.inMemory().newContext()
    try context.insertPerson().apply(contact)
    #expect(throws: EditError.self) { try context.save() }
  }

  @Test func allLabelsHaveTheSameRules() {
    var contact = Contact.example
    let long = String(repeating: "x", count: Limits.label + 1)
    contact.phones = ["a\nb", long].map { LabeledValue(label: $0, value: "1") }
    contact.addresses = ["a\nb", long].map { PostalAddress(label: $0, city: "x") }
    #expect(
      rules(contact) == [
        "phones[0].label:controlCharacter", "phones[1].label:tooLong", "addresses[0].label:controlCharacter",
        "addresses[1].label:tooLong",
      ])
    #expect(rules(contact.shortened) == ["phones[0].label:controlCharacter", "addresses[0].label:controlCharacter"])
  }

  @Test func messagesNameThePropertyInBothLanguages() {
    let issue = ContactIssue(entity: "Person", property: "phones[1].value", rule: "phoneWithoutDigits")
    #expect(issue.message(in: Localization(language: .english)) == "Phone 2 has no digits.")
    #expect(issue.message(in: Localization(language: .simplifiedChinese)) == "电话 2：没有数字。")
    let long = ContactIssue(entity: "Person", property: "given", rule: "tooLong", arguments: ["9"])
    #expect(long.message(in: Localization(language: .english)) == "Given name is too long: at most 9 characters.")
  }

  private func rules(_ contact: Contact) -> [String] {
    ContactRules.issues(in: contact).map { "\($0.property):\($0.rule)" }
  }
}
