import Contacts
import Foundation
import Testing

@testable import AddressBookModel
@testable import BookSearching
@testable import Messages

/// Smart groups: what they find, and that changes to them are steps of the history.
@Suite struct SmartGroupTests {
  private let book: AddressBook
  private let session = EditSession(program: "test")

  init() throws {
    book = try AddressBook.inMemory()
    try book.bulkWrite { writer in
      for (name, organization, birthday) in [
        ("Ann Lee", "Acme", "1990-12-01"), ("Bob Berg", "", "--11-23"), ("李小龙", "Acme Asia", "1940-10-30"),
      ] {
        var contact = Contact()
        contact.formattedName = name
        contact.given = name
        contact.organization = organization
        contact.birthday = PartialDate(birthday)
        contact.groups = ["A"]
        try writer.write(contact)
      }
    }
  }

  private func found(_ collection: ContactCollection, _ search: BookSearch) async throws -> [String] {
    let ids: [Int64] = try await withCheckedThrowingContinuation { done in
      search.find("", collection: collection) { done.resume(with: $0.map { $0.matches.sorted() }) }
    }
    return try book.contacts(ids: ids).map(\.displayName).sorted()
  }

  private func undo() throws {
    _ = try book.reverse(try #require(try book.stepToUndo(in: session)), in: session)
  }

  private var names: [String] { get throws { try book.smartGroups().map(\.name) } }

  @Test func itFindsWhatItsSearchOrItsConditionFinds() async throws {
    let search = BookSearch(book: book)
    search.build()
    #expect(try await found(.found(by: .search("acme")), search) == ["Ann Lee", "李小龙"])
    #expect(try await found(.found(by: .search("lxl")), search) == ["李小龙"])
    #expect(try await found(.found(by: .search(" ")), search) == [])
    #expect(try await found(.found(by: .condition("organization == 'Acme'")), search) == ["Ann Lee"])
    #expect(try await found(.found(by: .condition("what is this")), search) == [])
    let count: Int = try await withCheckedThrowingContinuation { done in
      search.count(.found(by: .search("acme")), isWanted: { true }) { done.resume(with: $0) }
    }
    #expect(count == 2)
  }

  @Test func collectionsAreFoundByTheirDays() async throws {
    let search = BookSearch(book: book)
    let day = try #require(CalendarDay(year: 2026, month: 11, day: 23))
    #expect(try await found(.birthdays(from: day, days: 30), search) == ["Ann Lee", "Bob Berg"])
    #expect(try await found(.birthdays(from: day, days: 0), search) == ["Bob Berg"])
    #expect(try await found(.recentlyAdded(days: 30), search).count == 3)
    #expect(try await found(.recentlyChanged(days: 30), search) == [])
    try await book.database.write { db in
      try db.execute(sql: "UPDATE contact SET created_at = '2001-01-01T00:00:00Z' WHERE id = 1")
    }
    #expect(try await found(.recentlyAdded(days: 30), search).count == 2)
    #expect(try await found(.recentlyChanged(days: 30), search) == ["Ann Lee"])
  }

  @Test func eachChangeIsAStepThatCanBeUndoneAndRedone() throws {
    try book.edit(.addSmart("Colleagues", .search("acme")), in: session)
    let group = try #require(try book.smartGroups().first)
    #expect(group.name == "Colleagues" && group.rule == .search("acme"))
    try book.edit(.renameSmart(group, to: "Acme people"), in: session)
    let renamed = try #require(try book.smartGroups().first)
    try book.edit(.deleteSmart(renamed), in: session)
    #expect(try names == [])
    try undo()
    #expect(try book.smartGroups().first?.rule == .search("acme"))
    #expect(try names == ["Acme people"])
    try undo()
    #expect(try names == ["Colleagues"])
    try undo()
    #expect(try names == [])
    for expected in [["Colleagues"], ["Acme people"], []] {
      _ = try book.reverse(try #require(try book.stepToRedo(in: session)), in: session)
      #expect(try names == expected)
    }
  }

  @Test func whatItFindsCanBeChangedAndUndone() throws {
    try book.edit(.addSmart("Colleagues", .search("acme")), in: session)
    let group = try #require(try book.smartGroups().first)
    let rule = SmartGroup.Rule.condition("organization == 'Acme'")
    try book.edit(.changeSmart(group, to: rule), in: session)
    #expect(try book.smartGroups().map(\.rule) == [rule])
    let step = try #require(try book.stepToUndo(in: session))
    #expect(step.text(in: Localization(language: .english)) == "Change group Colleagues")
    for _ in 0..<2 {
      try undo()
      #expect(try book.smartGroups().map(\.rule) == [.search("acme")])
      _ = try book.reverse(try #require(try book.stepToRedo(in: session)), in: session)
      #expect(try book.smartGroups().map(\.rule) == [rule])
    }
    // The group was changed since it was read.
    #expect(throws: EditError.self) { try book.edit(.changeSmart(group, to: .search("x")), in: session) }
    // An edit that changes nothing is not a step.
    let now = try #require(try book.smartGroups().first)
    let last = try book.stepToUndo(in: session)
    try book.edit(.changeSmart(now, to: rule), in: session)
    #expect(try book.stepToUndo(in: session)?.id == last?.id)
    try book.edit(.deleteSmart(now), in: session)
    #expect(throws: EditError.self) { try book.edit(.changeSmart(now, to: .search("x")), in: session) }
  }

  /// Others have renamed, changed or deleted the group since.
  @Test func aGroupThatOthersChangedIsNotEdited() throws {
    let other = EditSession(program: "other")
    func group(_ name: String) throws -> SmartGroup { try #require(try book.smartGroups().first { $0.name == name }) }
    func refused(_ edit: GroupEdit) -> EditError? {
      #expect(throws: EditError.self) { try book.edit(edit, in: session) }
    }
    for change: (SmartGroup) throws -> Void in [
      { try book.edit(.renameSmart($0, to: "T"), in: other) },
      { try book.edit(.changeSmart($0, to: .search("acme")), in: other) },
    ] {
      try book.edit(.addSmart("S", .search("x")), in: session)
      let known = try group("S")
      try change(known)
      let present = try book.smartGroups()
      for edit: GroupEdit in [
        .renameSmart(known, to: "U"), .changeSmart(known, to: .search("y")), .deleteSmart(known),
      ] {
        guard case .conflict? = refused(edit) else {
          Issue.record("\(edit)")
          continue
        }
      }
      // Nor is its creation undone.
      try undo()
      #expect(try book.smartGroups() == present)
      try book.edit(.deleteSmart(present[0]), in: other)
      for edit: GroupEdit in [.renameSmart(known, to: "U"), .deleteSmart(known)] {
        guard case .missing("S")? = refused(edit) else {
          Issue.record("\(edit)")
          continue
        }
      }
      #expect(try names == [])
    }
  }

  @Test func aNameBelongsToOneGroupOnly() throws {
    try book.edit(.addSmart("S", .condition("kind == 'person'")), in: session)
    let group = try #require(try book.smartGroups().first)
    for edit: GroupEdit in [
      .addSmart("S", .search("x")), .addSmart("A", .search("x")), .addSmart("", .search("x")), .add("S"),
      .rename("A", to: "S"), .renameSmart(group, to: "A"),
    ] {
      #expect(throws: EditError.self, "\(edit)") { try book.edit(edit, in: session) }
    }
    #expect(try names == ["S"] && book.groups().map(\.name) == ["A"])
  }
}
