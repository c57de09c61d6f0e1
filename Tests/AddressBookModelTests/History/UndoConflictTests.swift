import Contacts
import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel

/// Undo and redo of one session while another one, or another program, writes the same contact.
struct UndoConflictTests {
  private let book: AddressBook
  private let session = EditSession(program: "mine")
  private let mine: BookContext
  private let theirs: BookContext
  private let my: Person

  init() throws {
    book = try AddressBook.inMemory()
    mine = book.newContext(session: session)
    theirs = book.newContext(session: EditSession(program: "theirs"))
    my = mine.insertPerson()
    try my.apply(.example)
    try mine.save()
  }

  private func stored() throws -> Contact? { try book.contact(id: my.id) }

  /// Edits the contact in this session; the edit is one step of the history.
  private func step(_ change: (inout Contact) -> Void) throws {
    try mine.refresh()
    var contact = try my.contact
    change(&contact)
    try my.apply(contact)
    try mine.save()
  }

  private func delete() throws {
    try mine.refresh()
    try mine.delete(my)
    try mine.save()
  }

  @discardableResult
  private func undo(_ policy: ContactMergePolicy = .byField) throws -> Reversal? {
    try book.stepToUndo(in: session).map { try book.reverse($0, policy: policy, in: session) }
  }

  @discardableResult
  private func redo(_ policy: ContactMergePolicy = .byField) throws -> Reversal? {
    try book.stepToRedo(in: session).map { try book.reverse($0, policy: policy, in: session) }
  }

  /// Edits the contact in the other session.
  private func foreign(_ change: (inout Contact) -> Void) throws {
    try theirs.refresh()
    let person = try #require(try theirs.person(my.id))
    var contact = try person.contact
    change(&contact)
    try person.apply(contact)
    try theirs.save()
  }

  private func run(_ sql: String) throws { try book.database.write { try $0.execute(sql: sql) } }

  /// Runs an undo or redo, and returns the fields in conflict: none if the contact as a whole is, nil without a
  /// conflict. A conflict must leave the contact unchanged.
  private func raisedConflicts(_ move: () throws -> Reversal?) throws -> Set<String>? {
    let before = try stored()
    do {
      _ = try move()
      return nil
    } catch EditError.writtenSince(let conflict) {
      #expect(try stored() == before)
      #expect(conflict.ids == [my.id])
      return conflict.fields
    }
  }

  @Test func undoingAFieldThatWasWrittenSinceIsAConflict() throws {
    try step {
      $0.family = "张"
      $0.title = "Writer"
    }
    try foreign { $0.family = "王" }
    #expect(try raisedConflicts { try undo() } == ["family"])
    #expect(try raisedConflicts { try undo(.storeWins) } == nil)
    #expect(try stored()?.family == "王")
    #expect(try stored()?.title == "Actor")
    // A redo repeats what the undo reversed, and leaves the rest alone.
    #expect(try raisedConflicts { try redo() } == nil)
    #expect(try stored()?.family == "王")
    #expect(try stored()?.title == "Writer")
  }

  @Test func undoWithMineOverwritesLaterChanges() throws {
    try step { $0.family = "张" }
    try foreign { $0.family = "王" }
    #expect(try raisedConflicts { try undo(.objectWins) } == nil)
    #expect(try stored()?.family == "李")
    #expect(try raisedConflicts { try redo() } == nil)
    #expect(try stored()?.family == "张")
  }

  @Test func undoLeavesFieldsThatOthersWroteAlone() throws {
    try step { $0.phones[0].value = "1" }
    try foreign {
      $0.family = "王"
      $0.phones[1].value = "2"
      $0.groups.append("Theirs")
    }
    #expect(try raisedConflicts { try undo() } == nil)
    #expect(try stored()?.family == "王")
    #expect(try stored()?.phones.map(\.value) == ["139 2222 3333", "2"])
    #expect(try stored()?.groups == ["Friends", "Hong Kong", "Theirs"])
    #expect(try book.listRows().first?.phone == "139 2222 3333")
  }

  @Test func redoReportsConflictsToo() throws {
    try step { $0.note = "mine" }
    try undo()
    try mine.save()
    try foreign { $0.note = "theirs" }
    #expect(try raisedConflicts { try redo() } == ["note"])
    #expect(try stored()?.note == "theirs")
  }

  @Test func undoOfAPartThatOthersChangedKeepsBoth() throws {
    try step { $0.dates[0].value = "1964-08-18" }
    try run("UPDATE contact_date SET value = '2000-01-01' WHERE contact_id = \(my.id)")
    #expect(try raisedConflicts { try undo() } == nil)
    #expect(try stored()?.dates.map(\.value) == ["1964-08-17", "2000-01-01"])
  }

  @Test func undoKeepsAnAddedPartThatOthersChanged() throws {
    try step { $0.phones.append(LabeledValue(value: "3")) }
    try foreign { $0.phones[2].value = "4" }
    #expect(try raisedConflicts { try undo() } == nil)
    #expect(try stored()?.phones.map(\.value) == ["139 2222 3333", "555", "4"])
  }

  @Test func undoRestoresAPartThatOthersRemoved() throws {
    try step { $0.phones[0].value = "1" }
    try foreign { $0.phones.remove(at: 0) }
    #expect(try raisedConflicts { try undo() } == nil)
    #expect(try stored()?.phones.map(\.value) == ["139 2222 3333", "555"])
    try mine.refresh()
    #expect(try my.contact.phones.map(\.value) == ["139 2222 3333", "555"])
  }

  @Test func aLabelThatBothChangedIsAConflict() throws {
    try step { $0.phones[0].label = "work" }
    try foreign { $0.phones[0].label = "boat" }
    #expect(try raisedConflicts { try undo() } == ["phones"])
    #expect(try raisedConflicts { try undo(.objectWins) } == nil)
    #expect(try stored()?.phones.map(\.label) == ["mobile", "home"])
    #expect(try raisedConflicts { try redo() } == nil)
    #expect(try stored()?.phones.map(\.label) == ["work", "home"])
  }

  @Test func reorderedPartsDoNotConflict() throws {
    try step { $0.phones.append(LabeledValue(value: "3")) }
    try foreign { $0.phones.reverse() }
    #expect(try raisedConflicts { try undo() } == nil)
    #expect(try stored()?.phones.map(\.value) == ["555", "139 2222 3333"])
    #expect(try raisedConflicts { try redo() } == nil)
    #expect(Set(try #require(try stored()).phones.map(\.value)) == ["555", "139 2222 3333", "3"])
    let positions = try book.database.read { db in
      try Int.fetchAll(db, sql: "SELECT position FROM phone WHERE contact_id = \(my.id) ORDER BY position")
    }
    #expect(positions == [0, 1, 2])
  }

  @Test func undoingAPhotoThatOthersChangedIsAConflict() throws {
    func photo(_ byte: UInt8) -> Photo { Photo(mediaType: "image/png", data: .init([byte])) }
    try my.setPhoto(photo(1))
    try mine.save()
    let person = try #require(try theirs.person(my.id))
    try person.setPhoto(photo(2))
    try theirs.save()
    #expect(try raisedConflicts { try undo() } == ["photo"])
    #expect(try book.photo(of: my.id) == photo(2))
  }

  @Test(arguments: [ContactMergePolicy.storeWins, .objectWins])
  func undoingAnAddedContactThatOthersChangedIsAConflict(_ policy: ContactMergePolicy) throws {
    try foreign { $0.note = "theirs" }
    #expect(try raisedConflicts { try undo() } == [])
    #expect(try raisedConflicts { try undo(policy) } == nil)
    #expect(try stored()?.note == (policy == .storeWins ? "theirs" : nil))
    // What the other session wrote is in the deleted contact, with all its parts.
    if policy == .objectWins {
      let deleted = try #require(try book.deletedContact(id: my.id))
      #expect(deleted.note == "theirs" && deleted.phones.count == 2)
      #expect(try raisedConflicts { try redo() } == nil)
      var expected = Contact.example
      expected.note = "theirs"
      #expect(try stored()?.content == expected)
    }
  }

  @Test(arguments: [ContactMergePolicy.storeWins, .objectWins], [false, true])
  func undoingAStepOnADeletedContactIsAConflict(_ policy: ContactMergePolicy, isPart: Bool) throws {
    try step { if isPart { $0.phones[0].value = "1" } else { $0.family = "张" } }
    let person = try #require(try theirs.person(my.id))
    try theirs.delete(person)
    try theirs.save()
    #expect(try raisedConflicts { try undo() } == [])
    #expect(try raisedConflicts { try undo(policy) } == nil)
    #expect(try stored()?.content == (policy == .storeWins ? nil : .example))
  }

  @Test func contactsRemovedForGoodAreNotRestored() throws {
    try step { $0.note = "secret" }
    try delete()
    try run("DELETE FROM contact WHERE id = \(my.id)")
    for _ in 0..<3 { #expect(try raisedConflicts { try undo() } == nil) }
    #expect(try book.contactCount() == 0)
    let kept = try book.database.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM edit_entry WHERE last_id IS NULL AND changes IS NOT NULL")
    }
    #expect(kept == 0, "the history keeps nothing of the contact")
  }

  @Test func redoDeletesOnlyWhatUndoRestored() throws {
    try delete()
    #expect(try raisedConflicts { try undo() } == nil)
    try foreign { $0.note = "theirs" }
    #expect(try raisedConflicts { try redo() } == [])
    #expect(try stored()?.note == "theirs")
  }

  @Test func aContactRestoredByOthersDoesNotConflict() throws {
    try delete()
    try theirs.restore(try #require(try theirs.deletedPerson(my.id)))
    try theirs.save()
    #expect(try raisedConflicts { try undo() } == nil)
    #expect(try stored()?.content == .example)
  }

  @Test func undoInAClosedBookThrows() throws {
    try step { $0.family = "张" }
    let step = try #require(try book.stepToUndo(in: session))
    book.close()
    let error = #expect(throws: EditError.self) { try book.reverse(step, in: session) }
    guard case .store? = error else { return #expect(Bool(false), "\(String(describing: error))") }
  }

  @Test func undoKeepsANewGroupThatOthersUse() throws {
    let other = theirs.insertPerson()
    other.family = "B"
    try theirs.save()
    try step { $0.groups.append("New") }
    let group = try theirs.group(named: "New")
    try other.add([group], to: "groups")
    try theirs.save()
    #expect(try raisedConflicts { try undo() } == nil)
    #expect(try stored()?.groups == ["Friends", "Hong Kong"])
    #expect(try book.contact(id: other.id)?.groups == ["New"])
    #expect(try raisedConflicts { try redo() } == nil)
    #expect(try stored()?.groups == ["Friends", "Hong Kong", "New"])
  }

  /// Random steps, undos and redos of one context among random writes of another, compared with a model of three
  /// fields.
  @Test(arguments: [UInt64(1), 7, UInt64.random(in: 0...UInt64.max)])
  func changesOfOthersAreNeverOverwrittenUnasked(_ seed: UInt64) throws {
    print("UndoConflictTests.changesOfOthersAreNeverOverwrittenUnasked: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let fields: [WritableKeyPath<Contact, String>] = [\.family, \.note, \.phones[0].label]
    func values() throws -> [String] {
      let contact = try #require(try stored())
      return fields.map { contact[keyPath: $0] }
    }
    /// For each step, the values before and after it, by field.
    var past: [[Int: (String, String)]] = []
    var future: [[Int: (String, String)]] = []
    func reverse(_ from: inout [[Int: (String, String)]], _ to: inout [[Int: (String, String)]], _ isUndo: Bool) throws
    {
      guard let step = from.last else { return }
      let before = try values()
      let hasClash = step.contains { index, change in before[index] != change.1 && before[index] != change.0 }
      let question = try raisedConflicts { try isUndo ? undo() : redo() }
      #expect((question != nil) == hasClash, "seed \(seed)")
      guard question == nil else { return }
      from.removeLast()
      // A field that already had the new value is not part of the reverse step.
      to.append(step.filter { before[$0.key] != $0.value.0 }.mapValues { ($0.1, $0.0) })
      let after = try values()
      for index in fields.indices { #expect(after[index] == step[index]?.0 ?? before[index], "seed \(seed)") }
    }
    for _ in 0..<150 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0, 1:
        let (index, text) = (Int.random(in: 0..<3, using: &generator), "t\(Int.random(in: 0..<4, using: &generator))")
        try foreign { $0[keyPath: fields[index]] = text }
      case 2, 3:
        let before = try values()
        var change: [Int: (String, String)] = [:]
        for index in fields.indices where Bool.random(using: &generator) {
          let text = "m\(Int.random(in: 0..<4, using: &generator))"
          if before[index] != text { change[index] = (before[index], text) }
        }
        try mine.refresh()
        guard !change.isEmpty else { continue }
        try step { contact in for (index, change) in change { contact[keyPath: fields[index]] = change.1 } }
        past.append(change)
        future = []
      case 4: try reverse(&future, &past, false)
      case 5: try mine.refresh()
      default: if past.count > 0 { try reverse(&past, &future, true) }
      }
    }
  }
}
