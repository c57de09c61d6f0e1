import Contacts
import Dispatch
import GRDB
import Synchronization
import Testing

@testable import AddressBookModel
@testable import Messages

/// Changes to groups, each a step of the history.
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

  /// Returns the groups of every contact, deleted or not.
  private func allMembers() throws -> [String: [String]] {
    try book.store.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT c.display_name, coalesce(group_concat(g.name, ' '), '') FROM contact c
          LEFT JOIN (SELECT m.contact_id, g.name FROM group_member m JOIN contact_group g ON g.id = m.group_id ORDER BY 2) g
          ON g.contact_id = c.id GROUP BY c.id
          """)
      return Dictionary(
        uniqueKeysWithValues: rows.map { ($0.text(0), $0.text(1).split(separator: " ").map(String.init).sorted()) })
    }
  }

  /// Undo and redo also apply to members that were deleted.
  @Test(arguments: [GroupEdit.merge("A", into: "B"), .delete("A")])
  func deletedMembersComeBackToTheirGroup(_ edit: GroupEdit) throws {
    let ids = try book.listRows().filter { ["Dee", "Ann"].contains($0.displayName) }.map(\.id)
    _ = try book.bulkEdit(ids, .delete, as: StepName(.delete), in: session, isCancelled: { false })
    let before = try allMembers()
    try book.edit(edit, in: session)
    let after = try allMembers()
    #expect(after != before)
    for _ in 0..<2 {
      try undo()
      #expect(try allMembers() == before)
      _ = try book.reverse(try #require(try book.stepToRedo(in: session)), in: session)
      #expect(try allMembers() == after)
      #expect(try book.groups().map(\.name) == ["B"])
    }
    try undo()
    try undo()
    for contact in try book.contacts(ids: ids) { #expect(contact.groups == before[contact.displayName]) }
    #expect(book.damage.isEmpty)
  }

  /// A member that was restored in the meantime is treated like any other contact.
  @Test func aMergeIsUndoneAfterADeletedMemberWasRestored() throws {
    let other = EditSession(program: "other")
    let id = try #require(try book.listRows().first { $0.displayName == "Dee" }).id
    _ = try book.bulkEdit([id], .delete, as: StepName(.delete), in: other, isCancelled: { false })
    try book.edit(.merge("A", into: "B"), in: session)
    let step = try #require(try book.stepToUndo(in: session))
    _ = try book.bulkEdit([id], .restore, as: StepName(.restore), in: other, isCancelled: { false })
    _ = try book.reverse(step, in: session)
    #expect(try members() == ["A": ["Ann", "Bob", "Dee"], "B": ["Ann", "Cid"]])
    _ = try book.reverse(try #require(try book.stepToRedo(in: session)), in: session)
    #expect(try members() == ["B": ["Ann", "Bob", "Cid", "Dee"]])
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

  /// The history names a step after the group, whether the group had members or not.
  @Test func aDeletionIsNamedAfterTheGroup() throws {
    try book.edit(.add("C"), in: session)
    for name in ["A", "C"] {
      try book.edit(.delete(name), in: session)
      #expect(try book.stepToUndo(in: session)?.name == StepName(.deleteGroup, name))
    }
  }

  /// Another group may have the same name in different bytes.
  @Test func onlyTheGroupWithExactlyThisNameIsDeleted() throws {
    let (name, other) = ("\u{D6}", "O\u{308}")
    let ids = try book.listRows().map(\.id)
    try book.store.write { db in
      for name in [name, other] {
        try db.execute(sql: "INSERT INTO contact_group (uid, name) VALUES (hex(?1), ?1)", arguments: [name])
        try db.execute(
          sql: "INSERT INTO group_member SELECT last_insert_rowid(), id FROM contact WHERE id < ?", arguments: [ids[3]])
      }
    }
    func members(_ name: String) throws -> [Int64] {
      try book.store.read { db in
        try Int64.fetchAll(
          db,
          sql: """
            SELECT contact_id FROM group_member JOIN contact_group g ON g.id = group_id WHERE name = ? ORDER BY 1
            """, arguments: [name])
      }
    }
    try book.edit(.delete(name), in: session)
    #expect(try members(name) == [] && members(other) == Array(ids[..<3]))
  }

  @Test func invalidEditsChangeNothing() throws {
    let before = try members()
    for edit: GroupEdit in [
      .add("A"), .add(""), .rename("A", to: "B"), .rename("X", to: "Y"), .delete("X"), .merge("X", into: "A"),
      .merge("A", into: "X"), .rename("A", to: String(repeating: "x", count: 100_000)),
    ] {
      #expect(throws: EditError.self, "\(edit)") { try book.edit(edit, in: session) }
    }
    #expect(try members() == before)
    #expect(try book.stepToUndo(in: session) == nil)
  }

  /// If several threads add a group with the same name at once, one succeeds, and the others get an error.
  @Test func aNameIsCheckedWhenItIsWritten() throws {
    for number in 0..<30 {
      let refusals = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { [book] thread in
        do throws(EditError) {
          try book.edit(thread % 2 == 0 ? .add("N\(number)") : .addSmart("N\(number)", .search("x")))
        } catch {
          if case .exists(let name) = error { return refusals.withLock { $0.append(name) } }
          Issue.record("\(error)")
        }
      }
      #expect(refusals.withLock { $0 } == Array(repeating: "N\(number)", count: 3))
    }
    #expect(try book.groups().count + book.smartGroups().count == 32)
  }

  /// Names that are canonically equivalent are the same name.
  @Test func aNameInOtherBytesIsInUse() throws {
    try book.edit(.add("\u{D6}"), in: session)
    try book.edit(.addSmart("\u{C4}", .search("x")), in: session)
    for edit: GroupEdit in [
      .add("O\u{308}"), .add("A\u{308}"), .addSmart("O\u{308}", .search("x")), .rename("A", to: "A\u{308}"),
    ] {
      #expect(throws: EditError.self, "\(edit)") { try book.edit(edit, in: session) }
    }
  }

  @Test func undoingTheRenameOfADeletedGroupDoesNotCreateIt() throws {
    try book.edit(.rename("A", to: "C"), in: session)
    try book.edit(.delete("C"), in: EditSession(program: "other"))
    try undo()
    #expect(try book.groups().map(\.name) == ["B"])
  }

  /// The versions that a rename gives to the members are in the history.
  @Test func aRenameIsNoConflictForAnUndoOfWhatWasBefore() throws {
    let other = EditSession(program: "other")
    var eve = Contact()
    eve.given = "Eve"
    try book.bulkWrite(as: StepName(.importing, "eve.vcf"), in: session) { _ = try $0.write(eve) }
    let id = try #require(try book.listRows().first { $0.displayName == "Eve" }).id
    _ = try book.bulkEdit([id], .join("A"), as: StepName(.join, "A"), in: session, isCancelled: { false })
    let joined = try #require(try book.contact(id: id))
    try book.edit(.rename("A", to: "C"), in: session)
    #expect(try book.store.contact(id, version: joined.version)?.groups == ["A"])
    #expect(try book.changes(ofContact: id).count == 2, "it is no change of the contact")
    for _ in 0..<3 { try undo() }
    #expect(try book.contact(id: id) == nil)
    // The same for a member that is deleted meanwhile.
    let dee = try #require(try book.listRows().first { $0.displayName == "Dee" }).id
    _ = try book.bulkEdit([dee], .delete, as: StepName(.delete), in: other, isCancelled: { false })
    try book.edit(.rename("A", to: "C"), in: other)
    for _ in 0..<2 { _ = try book.reverse(try #require(try book.stepToUndo(in: other)), in: other) }
    #expect(try book.contact(id: dee)?.version == 7)
    #expect(try book.store.contact(dee, version: 1)?.groups == ["A"])
    try book.checkGroups()
    #expect(book.damage.isEmpty)
  }

  @Test(arguments: [GroupEdit.delete("A"), .merge("A", into: "B")])
  func deletedMembersOfADeletedGroupAreNotDamaged(_ edit: GroupEdit) throws {
    let ids = try book.listRows().filter { ["Dee", "Ann"].contains($0.displayName) }.map(\.id)
    _ = try book.bulkEdit(ids, .delete, as: StepName(.delete), in: session, isCancelled: { false })
    try book.edit(edit, in: session)
    for _ in 0..<2 { try undo() }
    try book.checkDeleted()
    try book.completeChecksums()
    try book.checkDeleted()
    try book.forEachContact { _ in true }
    #expect(book.damage.isEmpty)
  }

  @Test func aRenameIsNotUndoneIfASmartGroupHasTheName() throws {
    try book.edit(.rename("A", to: "C"), in: session)
    try book.edit(.addSmart("A", .search("x")), in: EditSession(program: "other"))
    let step = try #require(try book.stepToUndo(in: session))
    _ = try book.reverse(step, in: session)
    #expect(try members() == ["B": ["Ann", "Cid"], "C": ["Ann", "Bob", "Dee"]])
    #expect(try book.smartGroups().map(\.name) == ["A"])
  }

  /// Two groups with the same name are better than the loss of the members.
  @Test func aDeletedGroupComesBackEvenIfASmartGroupHasItsName() throws {
    let before = try members()
    try book.edit(.delete("A"), in: session)
    try book.edit(.addSmart("A", .search("x")), in: EditSession(program: "other"))
    _ = try book.reverse(try #require(try book.stepToUndo(in: session)), in: session)
    #expect(try members() == before)
  }

  /// After a large group, whose renaming replaces the triggers, a group without members is renamed too.
  @Test func severalGroupsAreRenamedAndDeletedInOneStep() throws {
    try book.bulkWrite { writer in
      for number in 0..<TriggerReplacement.minimum {
        var contact = Contact()
        contact.given = "N\(number)"
        contact.groups = ["Large"]
        try writer.write(contact)
      }
    }
    try book.edit(.add("Empty"), in: session)
    let id = try #require(try book.listRows().first { $0.displayName == "Cid" }).id
    try book.bulkWrite(groups: .replace, as: StepName(.edit), in: session) { writer in
      try writer.rename(group: "Large", to: "Larger")
      try writer.rename(group: "Empty", to: "Emptier")
      try writer.delete(group: "B")
      try writer.change(id) { $0.groups = ["B"] }
    }
    #expect(try members().mapValues(\.count) == ["A": 3, "B": 1, "Emptier": 0, "Larger": TriggerReplacement.minimum])
    try book.checkGroups()
  }

  @Test func severalContactsAreMembersOnlyIfAllAre() throws {
    let ids = try book.listRows().map(\.id)
    #expect(try !book.areMembers(ids, ofGroup: "A") && book.areMembers([ids[0]], ofGroup: "A"))
    #expect(try !book.areMembers([ids[0]], ofGroup: "X"))
  }
}
