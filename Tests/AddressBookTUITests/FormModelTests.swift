import AddressBookModel
import Contacts
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

struct FormModelTests {
  private var contact: Contact {
    var contact = Contact()
    contact.id = 7
    contact.family = "李"
    contact.given = "小龙"
    contact.phones = [LabeledValue(label: "mobile", value: "139"), LabeledValue(label: "home", value: "010")]
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

  @Test func anUnchangedFormGivesTheSameContact() {
    let form = FormModel(contact)
    #expect(form.contact == contact)
    #expect(!form.isChanged)
  }

  /// What is pasted into an email field is taken apart, and what nobody sees in it is left out.
  @Test func pastedAddressesAndNumbers() throws {
    var pasted = contact
    pasted.emails = [LabeledValue(label: "work", value: "mailto:old@x.example"), LabeledValue(value: "a@x.example")]
    var form = FormModel(pasted)
    try focus(.value(.phone, serial: 0), in: &form)
    form.setEditor(.field(TextField("\u{202A}+49 30 1\u{202C}")))
    #expect(form.contact.phones[0].value == "+49 30 1")
    let row = try #require(form.rows.first { $0.text == "a@x.example" })
    try focus(row.identity, in: &form)
    form.setEditor(.field(TextField("Bo <bo@x.example>; mailto:bo@y.example")))
    #expect(form.contact.emails.map(\.value) == ["mailto:old@x.example", "bo@x.example", "bo@y.example"])
  }

  /// Other programs store texts that cannot be typed here.
  @Test func anUntouchedFieldIsNeitherChangedNorWritten() throws {
    var odd = contact
    odd.family = " 李 "
    odd.nickname = "a\u{7}b\tc"
    odd.note = "one\r\ntwo\u{1B}"
    odd.phones = [LabeledValue(label: "mobile", value: " 139"), LabeledValue(label: "home", value: "")]
    odd.dates = [LabeledValue(value: " 1992-02-29\u{7}")]
    odd.addresses = [
      PostalAddress(label: "home", street: " 1 Road\r\n", city: "Town "), PostalAddress(label: "work"),
      PostalAddress(label: "other", city: " "),
    ]
    var form = FormModel(odd)
    #expect(form.contact == odd && !form.isChanged)
    try focus(.single(.given), in: &form)
    type("!", into: &form)
    var expected = odd
    expected.given += "!"
    #expect(form.contact == expected)
    // A field that is edited is stored as it can be typed.
    try focus(.single(.family), in: &form)
    type("x ", into: &form)
    try focus(.single(.nickname), in: &form)
    type("!", into: &form)
    expected.family = "李 x"
    expected.nickname = "ab c!"
    #expect(form.contact == expected)
    // An address that is emptied is removed.
    for (part, editor) in [(AddressPart.street, FormEditor.area(TextArea(""))), (.city, .field(TextField("")))] {
      try focus(.address(part, serial: 2), in: &form)
      form.setEditor(editor)
    }
    expected.addresses.removeFirst()
    #expect(form.contact == expected)
  }

  @Test func errorsOfUntouchedEmptyValuesAreShownAtTheirFields() {
    var odd = contact
    odd.phones.insert(LabeledValue(value: " "), at: 0)
    var form = FormModel(odd)
    form.show(errors: ["phones[1].value": "no digits"])
    #expect(form.rows.first { $0.text == "139" }?.error == "no digits")
  }

  @Test func everyTextFieldCanBeTyped() throws {
    var form = FormModel(Contact())
    form.showAllNames()
    for field in ContactFields.standard.texts {
      try focus(.single(.text(field)), in: &form)
      type("x" + field.name, into: &form)
    }
    for field in ContactFields.standard.texts { #expect(form.contact[field] == "x" + field.name, "\(field.name)") }
  }

  @Test func rareNameFieldsAreShownIfFilledInOrRequested() throws {
    func fields(_ form: FormModel) -> [SingleField] {
      form.rows.compactMap { if case .single(let field) = $0.identity { field } else { nil } }
    }
    var titled = contact
    titled.prefix = "Dr"
    var form = FormModel(titled)
    #expect(
      fields(form) == [
        .prefix, .family, .given, .nickname, .organization, .department, .title, .birthday, .groups, .note,
      ])
    try focus(.moreNames, in: &form)
    form.showAllNames()
    #expect(fields(form) == SingleField.allCases)
    #expect(form.rows[form.focus].identity == .single(.middle))
    #expect(!form.rows.contains { $0.identity == .moreNames })
    #expect(!form.isChanged)
    form.showAllNames()
    #expect(fields(form) == SingleField.allCases)
  }

  @Test(arguments: Language.allCases)
  func datesAreShownAsInTheDetailAndStayUnchanged(language: Language) throws {
    var dated = contact
    dated.dates = ["1992-02-29", "--12-01", "0004-05-06", "19900228", "some day"].map { LabeledValue(value: $0) }
    let strings = Strings(Localization(language: language))
    var form = FormModel(dated, dates: DateEntry(strings))
    #expect(form.contact == dated && !form.isChanged)
    try focus(.value(.date, serial: 3), in: &form)
    #expect(form.rows[form.focus].text == (language == .english ? "29 February 1992" : "1992年2月29日"))
    for _ in 0..<3 { _ = form.handle(Key(.backspace), columns: 40) }
    #expect(form.isChanged)
  }

  @Test func valuesAreAddedLabeledAndRemoved() throws {
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

  /// The settings of these tests name none.
  @Test func fieldsOfTheUsersOwnAreShownIfTheyAreFilledIn() throws {
    let field = try #require(ContactFields.standard.values(named: "custom"))
    func rows(_ form: FormModel) -> Int { form.rows.count { $0.multiField == .values(field) } }
    var contact = contact
    #expect(rows(FormModel(contact)) == 0)
    contact.custom = [LabeledValue(label: "shirt size", value: "Large")]
    var form = FormModel(contact)
    #expect(rows(form) == 2)
    form.add(.values(field))
    type("7", into: &form)
    form.setLabel("Lucky number")
    #expect(form.contact.custom == contact.custom + [LabeledValue(label: "Lucky number", value: "7")])
  }

  @Test func aNewValueTakesTheFirstLabelThatIsFree() {
    var form = FormModel(contact)
    form.add(.phone)
    type("1", into: &form)
    #expect(form.contact.phones.last?.label == "work")
  }

  @Test func aValueMovesAmongItsKindAndTheFocusGoesWithIt() throws {
    var form = FormModel(contact)
    form.add(.phone)
    type("555", into: &form)
    #expect(form.canMoveFocused)
    func move(_ direction: Int) -> Bool { form.moveFocused(direction) }
    #expect(move(-1))
    #expect(form.rows[form.focus].text == "555")
    #expect(move(-1))
    #expect(!move(-1), "a phone stays among the phones")
    #expect(form.contact.phones.map(\.value) == ["555", "139", "010"])
    #expect(form.contact.phones.map(\.label) == ["work", "mobile", "home"])
    #expect(form.isChanged)
    #expect(move(1) && move(1) && !move(1))
    #expect(form.contact.phones.map(\.value) == ["139", "010", "555"])
    #expect(form.rows[form.focus].text == "555")
  }

  @Test func anAddressMovesAsAWhole() throws {
    var two = contact
    two.addresses.append(PostalAddress(label: "work", street: "2 Street", city: "City", country: "Land"))
    var form = FormModel(two)
    try focus(.address(.city, serial: 3), in: &form)
    #expect(form.rows[form.focus].text == "City")
    let isMoved = form.moveFocused(-1)
    #expect(isMoved)
    #expect(form.rows[form.focus].text == "City")
    #expect(form.contact.addresses == two.addresses.reversed())
    let isBack = form.moveFocused(1)
    #expect(isBack)
    #expect(form.contact == two && form.rows[form.focus].text == "City")
  }

  @Test func aSingleValueDoesNotMove() throws {
    var form = FormModel(contact)
    for identity in [FormRow.Identity.single(.family), .adder(.phone), .kind, .address(.street, serial: 2)] {
      try focus(identity, in: &form)
      let isMoved = form.moveFocused(1) || form.moveFocused(-1)
      #expect(!isMoved && !form.canMoveFocused)
    }
    #expect(form.contact == contact)
  }

  @Test func birthdaysAreParsedAsPeopleWriteThem() throws {
    var form = FormModel(Contact())
    try focus(.single(.birthday), in: &form)
    type("29 Feb", into: &form)
    #expect(form.contact.birthday == PartialDate("--02-29"))
    #expect(!form.hasUnreadableBirthday)
    form.add(.date)
    type("1992年6月1日", into: &form)
    form.add(.date)
    type("some day", into: &form)
    #expect(form.contact.dates.map(\.value) == ["1992-06-01", "some day"])
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

  @Test func changingANamePartClearsTheFullName() throws {
    var named = contact
    named.formattedName = "Bruce Lee"
    var form = FormModel(named)
    #expect(form.contact.formattedName == "Bruce Lee")
    try focus(.single(.given), in: &form)
    type("x", into: &form)
    #expect(form.contact.formattedName.isEmpty)
  }

  @Test func anOrganizationKeepsItsOwnName() throws {
    var garage = Contact()
    (garage.kind, garage.formattedName, garage.organization) = (.organization, "Jack's Garage", "J. Holding")
    var form = FormModel(garage)
    try focus(.single(.given), in: &form)
    type("Jack", into: &form)
    try focus(.single(.organization), in: &form)
    type(" Ltd", into: &form)
    #expect(form.contact.displayName == "Jack's Garage" && form.contact.organization == "J. Holding Ltd")
    try focus(.single(.formattedName), in: &form)
    type("s", into: &form)
    #expect(form.contact.displayName == "Jack's Garages")
    // A display name that is the organization's name changes with it.
    garage.formattedName = "J. Holding"
    form = FormModel(garage)
    try focus(.single(.organization), in: &form)
    type(" Ltd", into: &form)
    #expect(form.contact.displayName == "J. Holding Ltd")
  }

  @Test func anUnreadableBirthdayIsReported() throws {
    var form = FormModel(contact)
    try focus(.single(.birthday), in: &form)
    type("x", into: &form)
    #expect(form.hasUnreadableBirthday)
    #expect(form.isChanged)
  }

  @Test func errorsAreShownAtTheirFields() throws {
    var form = FormModel(contact)
    form.add(.email)  // empty: it does not count
    form.add(.email)
    type("broken", into: &form)
    form.show(errors: ["emails[0].value": "no at sign", "phones[1].value": "no digits"])
    #expect(form.rows.first { $0.text == "broken" }?.error == "no at sign")
    #expect(form.rows.first { $0.text == "010" }?.error == "no digits")
    #expect(form.rows[form.focus].text == "010", "the first error has the focus")
  }

  @Test func theFavoritesHaveTheirNameInTheForm() {
    var contact = Contact()
    contact.groups = ["Work", "starred"]
    func form(_ groups: [String]) -> FormModel {
      var contact = contact
      contact.groups = groups
      var form = FormModel(contact, favorites: "★ Favorites")
      form.knownGroups = ["Work"]
      form.go(to: .row(.single(.groups)))
      return form
    }
    var shown = form(["Work", "starred"])
    #expect(shown.rows[shown.focus].text == "★ Favorites, Work" && !shown.isChanged)
    shown.paste(", x")
    #expect(shown.contact.groups == ["starred", "Work", "x"] && shown.newGroups == ["x"])
    for typed in ["★ Favorites", "favorites", "FAVORITES"] {
      var typing = form([])
      typing.paste(typed)
      #expect(typing.contact.groups == ["starred"] && typing.newGroups.isEmpty, "\(typed)")
    }
    var completed = form([])
    completed.paste("fav")
    let isCompleted = completed.complete()
    #expect(isCompleted)
    #expect(completed.rows[completed.focus].text == "★ Favorites")
    // A group that has this name is not the favorites.
    var own = form([])
    own.knownGroups = ["Favorites"]
    own.paste("Favorites, ★ Favorites")
    #expect(own.contact.groups == ["Favorites", "starred"])
  }
}

extension SingleField {
  fileprivate static func text(_ name: String) -> SingleField {
    SingleField.allCases.first { $0.name == name }!
  }

  fileprivate static var prefix: SingleField { text("prefix") }
  fileprivate static var family: SingleField { text("family") }
  fileprivate static var organization: SingleField { text("organization") }
  fileprivate static var formattedName: SingleField { text("formattedName") }
  fileprivate static var given: SingleField { text("given") }
  fileprivate static var middle: SingleField { text("middle") }
  fileprivate static var nickname: SingleField { text("nickname") }
  fileprivate static var department: SingleField { text("department") }
  fileprivate static var title: SingleField { text("title") }
  fileprivate static var note: SingleField { text("note") }
}

extension MultiField {
  fileprivate static var date: MultiField { MultiField.allCases.first { $0.name == "date" }! }
  fileprivate static var email: MultiField { MultiField.allCases.first { $0.name == "email" }! }
  fileprivate static var phone: MultiField { MultiField.allCases.first { $0.name == "phone" }! }
}
