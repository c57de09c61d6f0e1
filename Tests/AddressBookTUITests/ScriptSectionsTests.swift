import AddressBookModel
import BookInterchange
import Contacts
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// `sections = "scripts"`: other scripts have their own letters after Z.
@MainActor
@Suite struct ScriptSectionsTests {
  private static let names = [
    "Adam Ames", "李强", "Zoë", "Анна Белова", "Ёлкина Нина", "Елена Крылова", "Иван Иванов", "Яна Орлова", "Άννα",
    "Γιώργος",
    "Ωμέγα", "さくら", "ガンダム", "ヤマダ", "김민준", "박지성", "까치", "محمد", "דוד", "สมชาย", "42", "☎ Helpline",
  ]

  private static var contacts: [Contact] {
    names.map { name in
      var contact = Contact()
      contact.uid = "script-\(name)"
      contact.formattedName = name
      return contact
    }
  }

  private func harness(
    _ sections: ContactSections = .scripts, rows: Int = 24, columns: Int = 80, language: Language = .english
  ) throws -> ScreenHarness {
    var configuration = Configuration()
    configuration.sections = sections
    return try ScreenHarness(
      rows: rows, columns: columns, language: language, configuration: configuration, Self.contacts)
  }

  private func titles(_ harness: ScreenHarness) -> [String] { harness.browser.list.snapshot.sections.map(\.title) }

  @Test(arguments: ScreenGoldenTests.views)
  func screens(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try harness(rows: size.rows, columns: size.columns, language: language)
    harness.press("' и")
    try Golden.check(
      harness.screen, "script-sections-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test func eachScriptHasItsLetters() throws {
    #expect(
      try titles(harness()) == [
        "A", "L", "Z", "Α", "Γ", "Ω", "А", "Е", "И", "Я", "ד", "م", "ส", "ㄱ", "ㅂ", "か", "さ", "や", "#",
      ])
    #expect(try titles(harness(.latin)) == ["A", "L", "Z", "#"])
  }

  /// The sections differ, but the order does not.
  @Test func bothListsHaveTheSameOrder() throws {
    func names(_ sections: ContactSections) throws -> [String] {
      let list = try harness(sections).browser.list
      return try (0..<list.rowCount).map { try list.controller.object(atFlatRow: $0).displayName }
    }
    let order = try names(.scripts)
    #expect(try names(.latin) == order)
    #expect(order.suffix(4) == ["さくら", "ヤマダ", "42", "☎ Helpline"], "\(order)")
  }

  @Test func jumpsGoToTheLettersOfAScript() throws {
    let harness = try harness()
    for (key, name) in [
      ("и", "Иван"), ("И", "Иван"), ("ё", "Елена"), ("б", "Елена"), ("α", "Άννα"), ("β", "Γιώργος"), ("が", "ガンダム"),
      ("ヤ", "ヤマダ"),
      ("ㄱ", "김민준"), ("바", "박지성"), ("م", "محمد"), ("#", "42"), ("z", "Zoë"), ("a", "Adam"),
    ] {
      harness.press("'")
      harness.type(key)
      #expect(harness.selectedLine.contains(name), "\(key): \(harness.selectedLine)")
    }
  }

  /// Contacts that are added or found are in the sections of their letters.
  @Test func changesReachTheSections() throws {
    let harness = try harness()
    var contact = Contact()
    contact.formattedName = "Борис"
    _ = try harness.book.bulkWrite { [contact] in try $0.write(contact) }
    try harness.wait("the new contact") { self.titles(harness).contains("Б") }
    harness.press("/ i v a n o v")
    try harness.wait("the match") { harness.browser.list.rowCount == 1 }
    #expect(titles(harness) == ["И"])
  }

  @Test func theFormShowsTheSection() throws {
    let harness = try harness()
    harness.press("' и e")
    #expect(harness.screen.contains("Section И"), "\(harness.screen)")
    #expect(ContactSections.scripts.title(of: Self.contacts[3]) == "А")
    #expect(ContactSections.latin.title(of: Self.contacts[3]) == "#")
    #expect(ContactSections.scripts.title(of: Self.contacts[0]) == "A")
  }
}
