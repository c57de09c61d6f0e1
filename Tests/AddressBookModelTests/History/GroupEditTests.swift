import Contacts
import Testing

@testable import AddressBookModel

/// Changes of groups, each a step of the history.
@Suite struct GroupEditTests {
  private let book: AddressBook
  private let session = EditSession(program: "test")

  init() throws {
    book = try AddressBook.inMemory()
    try book.bulkWrite { writer in
      for (name, groups) in [("Ann", ["A", "B"]), ("Bob", ["A"]), ("Cid", ["B"]), ("Dee", ["A"])] {
        var contact = Contact()
        contact.given = name
        contact.groups = groups
        try writer.write(contact)
      }
    }
  }

  private func members() throws -> [String: [String]] {
    var members: [String: [String]] = [:]
    for group in try book.groups() {
      members[group.name] = try book.contacts(ids: book.memberIDs(ofGroup: group.id)).map(\.displayName).sorted()
    }
    return members
  }

  private func undo() throws {
    let step = try #require(try book.stepToUndo(in: session))
    _ = try book.reverse(step, in: session)
  }

  @Test func aMergedGroupIsOneStep() throws {
    let before = try members()
    try book.edit(.merge("A", into: "B"), in: session)
    #expect(try members() == ["B": ["Ann", "Bob", "Cid", "Dee"]])
    #expect(try book.stepToUndo(in: session)?.text(in: Localization(language: .english)) == "Merge a group into B")
    try undo()
    #expect(try members() == before)
    let redo = try #require(try book.stepToRedo(in: session))
    _ = try book.reverse(redo, in: session)
    #expect(try members() == ["B": ["Ann", "Bob", "Cid", "Dee"]])
    try book.checkGroups()
    #expect(book.damage.isEmpty)
  }

  @Test func aDeletedContactIsInTheOtherGroupWhenItIsRestored() throws {
    let id = try #require(try book.listRows().first { $0.displayName == "Dee" }).id
    _ = try book.bulkEdit([id], .delete, as: StepName(.delete), in: session, isCancelled: { false })
    try book.edit(.merge("A", into: "B"), in: session)
    _ = try book.bulkEdit([id], .restore, as: StepName(.restore), in: session, isCancelled: { false })
    #expect(try book.contact(id: id)?.groups == ["B"])
  }

  @Test func groupsAreAddedRenamedAndDeleted() throws {
    try book.edit(.add("C"), in: session)
    #expect(try members()["C"] == [])
    try book.edit(.rename("A", to: "D"), in: session)
    #expect(try members()["D"] == ["Ann", "Bob", "Dee"])
    try book.edit(.delete("D"), in: session)
    #expect(try members() == ["B": ["Ann", "Cid"], "C": []])
    for _ in 0..<3 { try undo() }
    #expect(try members() == ["A": ["Ann", "Bob", "Dee"], "B": ["Ann", "Cid"]])
  }

  @Test func whatCannotBeChangesNothing() throws {
    let before = try members()
    for edit: GroupEdit in [
      .add("A"), .add(""), .rename("A", to: "B"), .rename("X", to: "Y"), .delete("X"), .merge("X", into: "A"),
      .merge("A", into: "X"), .rename("A", to: String(repeating: "x", count: 100_000)),
    ] {
      #expect(throws: GroupEditError.self, "\(edit)") { try book.edit(edit, in: session) }
    }
    #expect(try members() == before)
    #expect(try book.stepToUndo(in: session)?.name.action != .mergeGroups)
  }

  @Test func membersOfAGroupAreAskedForTogether() throws {
    let ids = try book.listRows().map(\.id)
    #expect(try !book.areMembers(ids, ofGroup: "A") && book.areMembers([ids[0]], ofGroup: "A"))
    #expect(try !book.areMembers([ids[0]], ofGroup: "X"))
  }
}
