import AddressBookModel
import Contacts
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Going to a field, services of social accounts, groups with completion, and the mouse, in the form.
@MainActor
struct FormFieldsTests {
  private func harness(
    _ keys: String = "' l j e", rows: Int = 40, columns: Int = 80, language: Language = .english
  ) throws -> (ScreenHarness, ContactFormScreen) {
    let harness = try ScreenHarness(rows: rows, columns: columns, language: language, ScreenPeople.few)
    harness.press(keys)
    return (harness, try #require(harness.environment.screens.top as? ContactFormScreen))
  }

  private func go(to name: String, _ harness: ScreenHarness) {
    harness.press("^G")
    harness.type(name)
    harness.press("Enter")
  }

  private func saved(_ harness: ScreenHarness) throws -> Contact {
    try #require(try harness.book.contacts(ids: harness.book.listRows().map(\.id)).first { $0.given == "小龙" })
  }

  // MARK: Going to a field

  @Test(arguments: ScreenGoldenTests.views)
  func looksAsItShould(size: (rows: Int, columns: Int), language: Language) throws {
    let (harness, _) = try harness(rows: size.rows, columns: size.columns, language: language)
    let suffix = "\(size.columns)x\(size.rows)-\(language.rawValue)"
    harness.press("^G")
    try Golden.check(harness.screen, "form-jump-\(suffix)")
    harness.type("ci")
    try Golden.check(harness.screen, "form-jump-city-\(suffix)")
    harness.press("Esc Esc")
    go(to: "gr", harness)
    harness.type(", Book club, fr")
    harness.press("Backspace Backspace")
    harness.type("work")
    try Golden.check(harness.screen, "form-groups-\(suffix)")
    go(to: "social", harness)
    try Golden.check(harness.screen, "form-service-\(suffix)")
  }

  @Test func aFieldIsFoundByItsBeginning() throws {
    let (harness, form) = try harness()
    go(to: "em", harness)
    harness.type(".hk")
    #expect(form.contact.emails.map(\.value) == ["lee@example.com.hk"])
    go(to: "postal", harness)
    harness.type("999077")
    go(to: "note", harness)
    harness.type("!")
    #expect(form.contact.addresses.first?.postalCode == "999077" && form.contact.note.hasSuffix("line.!"))
  }

  /// A whole word comes before the beginning of another, and then a field with a value before an empty one.
  @Test func fieldsWithValuesAndWholeWordsArePreferred() throws {
    var contact = ScreenPeople.few[0]
    contact.phones = [LabeledValue(label: "work", value: "1")]
    contact.addresses = [PostalAddress(label: "", street: "1 Road", city: "Town")]
    contact.given = "Ada"
    contact.family = ""
    for (typed, field) in [
      ("ph", "phone"), ("phone", "phone"), ("name", "given name"), ("st", "street"), ("address", "street"),
      ("work", "phone"), ("p", "phone"), ("title", "job title"),
    ] {
      let list = FormFieldList(FormModel(contact), strings: Strings(Localization(language: .english)))
      var chooser = ChooserState(
        title: "", items: list.items, isRanked: true, texts: .init(placeholder: "", noMatch: { $0 }))
      chooser.insert(typed)
      guard case .item(let index)? = chooser.selectedChoice else { continue }
      #expect(list.items[index].text.hasPrefix(field), "\(typed): \(list.items[index].text)")
    }
  }

  @Test(arguments: [(Language.english, "street · home"), (.simplifiedChinese, "街道 · 住宅")])
  func theStreetIsNamed(language: Language, label: String) throws {
    let (harness, _) = try harness(language: language)
    #expect(harness.screen.contains(label), "\(harness.screen)")
  }

  @Test func aFieldThatIsNotThereIsAdded() throws {
    let (harness, form) = try harness()
    go(to: "web", harness)
    harness.type("example.com")
    go(to: "middle", harness)
    harness.type("M")
    #expect(form.contact.urls.map(\.value) == ["example.com"] && form.contact.middle == "M")
    go(to: "related", harness)
    harness.type("Linda")
    #expect(form.contact.related == [LabeledValue(label: "spouse", value: "Linda")])
    // Leaving the list changes nothing.
    harness.press("^G Esc")
    harness.type("?")
    #expect(form.contact.related.first?.value == "Linda?")
  }

  @Test func aFieldIsFoundInEnglishToo() throws {
    let (harness, form) = try harness(language: .simplifiedChinese)
    go(to: "em", harness)
    harness.type("x")
    #expect(form.contact.emails.map(\.value) == ["lee@example.comx"])
    go(to: "postal", harness)
    harness.type("999077")
    go(to: "邮编", harness)
    harness.type("0")
    #expect(form.contact.addresses.first?.postalCode == "9990770")
  }

  @Test func everyItemOfTheListLeadsToItsField() throws {
    for language in ScreenGoldenTests.languages {
      let strings = Strings(Localization(language: language))
      let list = FormFieldList(FormModel(ScreenPeople.few[0]), strings: strings)
      #expect(Set(list.items.map(\.text)).count > 25)
      for (target, item) in zip(list.targets, list.items) {
        #expect(!item.text.contains("field."), "\(item.text)")
        var model = FormModel(ScreenPeople.few[0])
        model.go(to: target)
        switch target {
        case .row(let identity): #expect(model.rows[model.focus].identity == identity)
        case .added(let field):
          #expect(model.rows[model.focus].multiField == field && model.rows[model.focus].serial != nil)
        case .hidden(let field): #expect(model.rows[model.focus].identity == .single(field))
        }
      }
    }
  }

  // MARK: Social accounts

  @Test func theServiceOfAnAccountIsChosenFirst() throws {
    let (harness, form) = try harness()
    go(to: "social", harness)
    #expect(harness.screen.contains("WeChat") && harness.screen.contains("Telegram"))
    harness.type("tele")
    harness.press("Enter")
    harness.type("bruce")
    // Another account, of a service that the form does not know.
    harness.press("^O")
    harness.type("Threema")
    harness.press("Enter")
    harness.type("ABCD")
    #expect(
      form.contact.handles == [
        LabeledValue(label: "telegram", value: "bruce"), LabeledValue(label: "Threema", value: "ABCD"),
      ])
    // An account without a service.
    harness.press("^O Esc")
    harness.type("me")
    #expect(form.contact.handles.last == LabeledValue(label: "", value: "me"))
    harness.press("^S")
    #expect(try saved(harness).handles.map(\.label) == ["telegram", "Threema", ""])
    harness.press("Enter")
    #expect(harness.screen.contains("Telegram") && harness.screen.contains("Threema"))
  }

  @Test func aServiceIsFoundInBothLanguages() throws {
    let (harness, form) = try harness(language: .simplifiedChinese)
    go(to: "social", harness)
    #expect(harness.screen.contains("微信") && harness.screen.contains("领英"))
    harness.type("wechat")
    #expect(!harness.screen.contains("“wechat”"), "it is not a custom one: \(harness.screen)")
    harness.press("Enter")
    harness.type("lxl")
    harness.press("^T ^U")
    harness.type("微博")
    harness.press("Enter")
    #expect(form.contact.handles == [LabeledValue(label: "weibo", value: "lxl")])
  }

  // MARK: Groups

  @Test func aGroupIsCompletedAndSavedInOneStep() throws {
    let (harness, form) = try harness("' l k e")
    #expect(form.contact.groups == [])
    go(to: "gro", harness)
    harness.type("ho")
    #expect(harness.screen.contains("hong Kong"), "the rest of the name is shown: \(harness.screen)")
    #expect(harness.screen.contains("Tab complete"))
    harness.press("Tab")
    #expect(form.contact.groups == ["Hong Kong"])
    harness.type(", fr")
    harness.press("Enter")
    harness.type(", Book club")
    #expect(harness.screen.contains("new: Book club"), "\(harness.screen)")
    #expect(form.contact.groups == ["Hong Kong", "Friends", "Book club"])
    harness.press("Tab")
    #expect(!form.model.isInGroups)
    let id = form.contact.id
    harness.press("^S")
    #expect(try harness.book.contact(id: id)?.groups == ["Book club", "Friends", "Hong Kong"])
    harness.press("u")
    #expect(try harness.book.contact(id: id)?.groups == [])
    #expect(try harness.book.groups().map(\.name) == ["Friends", "Hong Kong"], "the new group is undone with it")
    harness.press("^R")
    #expect(try harness.book.contact(id: id)?.groups == ["Book club", "Friends", "Hong Kong"])
  }

  @Test func groupsAreChosenAndRemoved() throws {
    let (harness, form) = try harness()
    go(to: "gr", harness)
    harness.press("^X")
    #expect(form.contact.groups == ["Friends"])
    harness.press("^O")
    harness.type("hong")
    harness.press("Enter")
    #expect(form.contact.groups == ["Friends", "Hong Kong"])
    harness.press("^O")
    harness.type("Smith, Jones")
    harness.press("Enter")
    #expect(form.contact.groups == ["Friends", "Hong Kong", "Smith, Jones"])
    harness.press("^X ^X ^X ^X")
    #expect(form.contact.groups == [])
  }

  @Test func aGroupWithACommaStaysOne() throws {
    var contact = ScreenPeople.few[0]
    contact.groups = ["Smith, Jones", "Work"]
    let harness = try ScreenHarness([contact])
    harness.press("e")
    let form = try #require(harness.environment.screens.top as? ContactFormScreen)
    #expect(!form.model.isChanged)
    go(to: "gr", harness)
    harness.type(", X")
    harness.press("^S")
    #expect(try saved(harness).groups == ["Smith, Jones", "Work", "X"])
  }

  @Test func theNameOfASmartGroupIsRefused() throws {
    let (harness, form) = try harness()
    try harness.book.edit(.addSmart("Clients", .search("acme")))
    go(to: "gr", harness)
    harness.type(", Clients")
    harness.press("^S")
    #expect(harness.environment.screens.top === form && harness.screen.contains("“Clients” is a smart group"))
    #expect(try saved(harness).groups == ["Friends", "Hong Kong"])
  }

  // MARK: The mouse

  @Test func hintsAreClicked() throws {
    let (harness, form) = try harness(rows: 24)
    func click(_ text: String) throws { harness.send(.mouse(Mouse(.press, at: try harness.position(of: text)))) }
    try click("next field")
    #expect(
      form.model.rows[form.model.focus].identity
        == .single(SingleField.allCases.first { $0.isText("given") } ?? .groups))
    try click("^G go to")
    #expect(harness.environment.screens.top is Chooser)
    harness.press("Esc")
    go(to: "job", harness)
    harness.type("!")
    try click("save")
    #expect(try saved(harness).title == "Actor!")
  }

  @Test func theWheelScrollsAndTheFocusOnlyFollows() throws {
    let (harness, form) = try harness(rows: 24)
    let focus = form.model.focus
    #expect(harness.screen.contains("┃"), "there is more below: \(harness.screen)")
    harness.send(.mouse(Mouse(.wheelDown, at: Point(row: 5, column: 30))))
    #expect(form.top > 0 && form.model.focus >= focus)
    for _ in 0..<20 { harness.send(.mouse(Mouse(.wheelDown, at: Point(row: 5, column: 30)))) }
    let lines = form.layout.lineCount(of: form.model, columns: 80)
    #expect(form.top == lines - 22 && harness.screen.contains("Second line."))
    for _ in 0..<20 { harness.send(.mouse(Mouse(.wheelUp, at: Point(row: 5, column: 30)))) }
    #expect(form.top == 0)
  }

  @Test func withoutMoreToShowThereIsNoBar() throws {
    let (harness, _) = try harness(rows: 40)
    #expect(!harness.screen.contains("┃"))
  }
}
