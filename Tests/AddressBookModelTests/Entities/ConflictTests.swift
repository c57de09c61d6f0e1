import Contacts
import Testing

@testable import AddressBookModel

/// Two contexts save one contact, or a context saves a contact that another program wrote.
struct ConflictTests {
  private let book: AddressBook
  private let mine: BookContext
  private let theirs: BookContext
  private let my: Person
  private let their: Person

  init() throws {
    book = try AddressBook.inMemory()
    mine = book.newContext()
    theirs = book.newContext()
    my = mine.insertPerson()
    try my.apply(.example)
    try mine.save()
    their = try #require(try theirs.person(my.id))
    _ = try their.contact
  }

  @Test func changesOfOneSideAreMerged() throws {
    their.family = "张"
    try edit(their) {
      $0.phones[0].value = "1"
      $0.emails.append(LabeledValue(value: "new@example.com"))
      $0.groups.append("Theirs")
    }
    try theirs.save()
    try edit(my) {
      $0.given = "大龙"
      $0.phones[1].value = "2"
      $0.phones.append(LabeledValue(value: "3"))
      $0.groups.removeAll { $0 == "Friends" }
    }
    try mine.save()
    let saved = try #require(try book.contact(id: my.id))
    #expect(saved.displayName == "张大龙")
    #expect(saved.phones.map(\.value) == ["1", "2", "3"])
    #expect(saved.emails.count == 2)
    #expect(saved.groups == ["Hong Kong", "Theirs"])
    #expect(saved.version == 3)
    #expect(try my.contact == saved)
    #expect(try book.listRows().first?.phone == "1")
  }

  @Test(arguments: [ContactMergePolicy.byField, .error, .storeWins, .objectWins])
  func aFieldThatBothChangedIsDecidedByThePolicy(_ policy: ContactMergePolicy) throws {
    mine.mergePolicy = policy
    try edit(their) {
      $0.family = "张"; $0.phones[1].value = "1"; $0.title = "Theirs"
    }
    try theirs.save()
    try edit(my) {
      $0.family = "王"; $0.phones[1].value = "2"; $0.note = "Mine"
    }
    switch policy {
    case .byField, .error:
      expectConflict { try mine.save() }
      #expect(my.family == "王")
      #expect(mine.hasChanges)
      #expect(try book.contact(id: my.id)?.family == "张")
    case .storeWins, .objectWins:
      try mine.save()
      let saved = try #require(try book.contact(id: my.id))
      #expect(saved.family == (policy == .storeWins ? "张" : "王"))
      #expect(saved.phones[1].value == (policy == .storeWins ? "1" : "2"))
      #expect(saved.title == "Theirs")
      #expect(saved.note == "Mine")
      #expect(try my.contact == saved)
    }
  }

  @Test(arguments: [ContactMergePolicy.error, .byField, .storeWins, .objectWins])
  func anEditOfADeletedContactIsAConflict(_ policy: ContactMergePolicy) throws {
    mine.mergePolicy = policy
    try theirs.delete(their)
    try theirs.save()
    my.family = "王"
    switch policy {
    case .byField, .error:
      expectConflict { try mine.save() }
      #expect(mine.hasChanges)
    case .storeWins:
      try mine.save()
      #expect(try book.contactCount() == 0)
      #expect(!my.isLive)
    case .objectWins:
      try mine.save()
      #expect(try book.contact(id: my.id)?.family == "王")
      #expect(try book.contact(id: my.id)?.phones.count == 2)
    }
  }

  @Test(arguments: [ContactMergePolicy.error, .byField, .storeWins, .objectWins])
  func aDeletionOfAnEditedContactIsAConflict(_ policy: ContactMergePolicy) throws {
    mine.mergePolicy = policy
    their.family = "张"
    try theirs.save()
    try mine.delete(my)
    switch policy {
    case .byField, .error:
      #expect(throws: EditError.self) { try mine.save() }
      #expect(try book.contactCount() == 1)
    case .storeWins:
      try mine.save()
      #expect(try book.contactCount() == 1)
      #expect(my.isLive)
      #expect(my.family == "张")
    case .objectWins:
      try mine.save()
      #expect(try book.contactCount() == 0)
    }
  }

  @Test func aPartThatOneSideDeletedAndTheOtherChangedIsAConflict() throws {
    try edit(their) { $0.phones.remove(at: 0) }
    try theirs.save()
    try edit(my) { $0.phones[0].value = "1" }
    expectConflict { try mine.save() }
    mine.mergePolicy = .objectWins
    try mine.save()
    #expect(try book.contact(id: my.id)?.phones.map(\.value) == ["1", "555"])
  }

  // MARK: - Another program, which writes SQL

  private func run(_ sql: String) throws { try book.database.write { try $0.execute(sql: sql) } }

  @Test func aPartWrittenBySQLIsMergedOrAConflict() throws {
    try run("UPDATE phone SET value = '1' WHERE contact_id = \(my.id) AND position = 0")
    try edit(my) { $0.phones[1].value = "2" }
    try mine.save()
    #expect(try book.contact(id: my.id)?.phones.map(\.value) == ["1", "2"])
    #expect(try book.listRows().first?.phone == "1")
    try run("UPDATE related SET value = '1' WHERE contact_id = \(my.id)")
    try edit(my) { $0.related[0].value = "2" }
    expectConflict { try mine.save() }
    #expect(try book.contact(id: my.id)?.related.map(\.value) == ["1"])
  }

  @Test func aColumnWrittenBySQLIsMergedOrAConflict() throws {
    try run("UPDATE contact SET family = '张' WHERE id = \(my.id)")
    my.title = "Mine"
    try mine.save()
    #expect(try book.contact(id: my.id)?.displayName == "张小龙")
    #expect(try book.listRows().first?.displayName == "张小龙")
    try run("UPDATE contact SET family = '王' WHERE id = \(my.id)")
    my.family = "李"
    #expect(throws: EditError.self) { try mine.save() }
  }

  @Test func anEditOfARemovedPartIsAConflict() throws {
    try run("DELETE FROM phone WHERE contact_id = \(my.id) AND position = 0")
    try edit(my) { $0.phones[0].value = "typed" }
    expectConflict { try mine.save() }
    mine.mergePolicy = .objectWins
    try mine.save()
    #expect(try book.contact(id: my.id)?.phones.map(\.value) == ["typed", "555"])
  }

  /// A deletion by a program that removes the triggers first, or by a shell in which they fail.
  @Test func anEditOfAPartRemovedUnnoticedIsAConflictToo() throws {
    try run("DROP TRIGGER part_deleted_phone; DELETE FROM phone WHERE contact_id = \(my.id) AND position = 0")
    try edit(my) { $0.phones[0].value = "typed" }
    expectConflict { try mine.save() }
    #expect(my.version == 1)
    mine.mergePolicy = .objectWins
    try mine.save()
    #expect(try book.contact(id: my.id)?.phones.map(\.value) == ["typed", "555"])
  }

  /// - Parameter leavesParts: true to leave the parts, as the `sqlite3` shell does, where foreign keys are off.
  @Test(arguments: [false, true]) func mineSavesAContactRemovedBySQL(leavesParts: Bool) throws {
    _ = try my.photo()
    let created = my.created
    try book.database.writeWithoutTransaction { db in
      if leavesParts { try db.execute(sql: "PRAGMA foreign_keys = OFF") }
      try db.execute(sql: "DELETE FROM contact WHERE id = \(my.id)")
      try db.execute(sql: "PRAGMA foreign_keys = ON")
    }
    try edit(my) { $0.phones[1].value = "typed" }
    expectConflict { try mine.save() }
    mine.mergePolicy = .objectWins
    try mine.save()
    let saved = try #require(try book.contact(id: my.id))
    var expected = Contact.example
    expected.phones[1].value = "typed"
    #expect(saved.content == expected)
    #expect(saved.created == created)
    #expect(try book.contactCount() == 1)
    #expect(try my.contact == saved)
  }

  @Test func mineSavesAPartOfADeletedContact() throws {
    try theirs.delete(their)
    try theirs.save()
    try edit(my) { $0.phones[0].value = "typed" }
    mine.mergePolicy = .objectWins
    try mine.save()
    #expect(try book.contact(id: my.id)?.phones.map(\.value) == ["typed", "555"])
  }

  @Test func refreshShowsChangesOfOthersAndKeepsEdits() throws {
    let other = theirs.insertPerson()
    other.family = "B"
    their.family = "张"
    try theirs.save()
    let mineToo = try #require(try mine.person(other.id))
    other.family = "C"
    try theirs.save()
    my.title = "edited"
    try mine.refresh()
    #expect(mineToo.family == "C")
    #expect(my.title == "edited")
    try mine.save()
    #expect(try book.contact(id: my.id)?.family == "张")
    #expect(try book.contact(id: my.id)?.title == "edited")
  }

  private func expectConflict(_ save: () throws -> Void) {
    guard case .conflict? = #expect(throws: EditError.self, performing: save) else {
      Issue.record("it failed for another reason")
      return
    }
  }

  private func edit(_ person: Person, _ change: (inout Contact) -> Void) throws {
    var contact = try person.contact
    change(&contact)
    try person.apply(contact)
  }
}
