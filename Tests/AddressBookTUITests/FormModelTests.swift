import AddressBookModel
import TerminalKit
import Testing

@testable import AddressBookTUI

struct FormModelTests {
  private var contact: Contact {
    var contact = Contact()
    contact.id = 7
    contact.family = "李"
    contact.given = "小龙"
    contact.phones = [LabelledValue(label: "mobile", value: "139"), LabelledValue(label: "home", value: "010")]
    contact.addresses = [PostalAddress(label: "home", street: "1 Road", city: "Town")]
    contact.birthday = PartialDate("--02-29")
    contact.groups = ["Friends"]
    contact.note = "one\ntwo"
    contact.cardLines = ["X-A:1"]
    return contact
  }

  private func type(_ text: String, into form: inout FormModel) {
    for character in text { _ = form.handle(Key(.character(character)), columns: 40) }
  }

  private func focus(_ identity: FormRow.Identity, in form: inout FormModel) throws {
    form.setFocus(try #require(form.rows.firstIndex { $0.identity == identity }))
  }

  @Test func whatGoesInComesOut() {
    let form = FormModel(contact)
    #expect(form.contact == contact)
    #expect(!form.isChanged)
  }

  @Test func everyFieldCanBeTyped() throws {
    var form = FormModel(Contact())
    for field in SingleField.allCases where field != .birthday && field != .groups {
      try focus(.single(field), in: &form)
      type("x" + field.rawValue, into: &form)
    }
    for field in SingleField.allCases {
      guard let path = field.keyPath else { continue }
      #expect(form.contact[keyPath: path] == "x" + field.rawValue, "\(field)")
    }
  }

  @Test func valuesAreAddedLabelledAndRemoved() throws {
    var form = FormModel(contact)
    form.add(.phone)
    type("555", into: &form)
    form.setLabel("Dojo")
    #expect(form.contact.phones.map(\.value) == ["139", "010", "555"])
    #expect(form.contact.phones.last?.label == "Dojo")
    try focus(.value(.phone, serial: 0), in: &form)
    let isRemoved = form.removeFocused()
    #expect(isRemoved)
    #expect(form.contact.phones.map(\.value) == ["010", "555"])
    #expect(form.isChanged)
  }

  @Test func aNewValueTakesTheFirstLabelThatIsFree() {
    var form = FormModel(contact)
    form.add(.phone)
    type("1", into: &form)
    #expect(form.contact.phones.last?.label == "work")
  }

  @Test func emptyValuesAreLeftOut() {
    var form = FormModel(contact)
    form.add(.email)
    form.add(.address)
    #expect(form.contact == contact)
  }

  @Test func groupsAreSeparatedByCommasOfEitherWidth() throws {
    var form = FormModel(contact)
    try focus(.single(.groups), in: &form)
    type("，同事、同事, Work", into: &form)
    #expect(form.contact.groups == ["Friends", "同事", "Work"])
  }

  @Test func aWholeNameYieldsWhenAPartIsChanged() throws {
    var named = contact
    named.formattedName = "Bruce Lee"
    var form = FormModel(named)
    #expect(form.contact.formattedName == "Bruce Lee")
    try focus(.single(.given), in: &form)
    type("x", into: &form)
    #expect(form.contact.formattedName.isEmpty)
  }

  @Test func anUnreadableBirthdayIsSeen() throws {
    var form = FormModel(contact)
    try focus(.single(.birthday), in: &form)
    type("x", into: &form)
    #expect(form.hasUnreadableBirthday)
    #expect(form.isChanged)
  }

  @Test func errorsStandAtTheirFields() throws {
    var form = FormModel(contact)
    form.add(.email)  // empty: it does not count
    form.add(.email)
    type("broken", into: &form)
    form.show(errors: ["emails[0].value": "no at sign", "phones[1].value": "no digits"])
    #expect(form.rows.first { $0.text == "broken" }?.error == "no at sign")
    #expect(form.rows.first { $0.text == "010" }?.error == "no digits")
    #expect(form.rows[form.focus].text == "010", "the first error has the focus")
  }
}
