import Contacts
import Foundation
import Synchronization
import Testing

@testable import AddressBookModel

/// Edits of one contact that others write at the same time.
struct ContactEditTests {
  private let book: AddressBook
  private let base: Contact

  init() throws {
    book = try AddressBook.inMemory()
    let context = book.newContext()
    let person = context.insertPerson()
    try person.apply(.example)
    try context.save()
    base = try #require(try book.contact(id: person.id))
  }

  private func save(_ edit: ContactEdit) throws -> Int64 { try book.newContext().save(edit) }

  private func others(_ change: (inout Contact) -> Void) throws {
    _ = try book.newContext().edit(base.id, change)
  }

  private func mine(_ change: (inout Contact) -> Void) -> Contact {
    var contact = base
    change(&contact)
    return contact
  }

  private func stored() throws -> Contact { try #require(try book.contact(id: base.id)) }

  private func conflict(_ edit: ContactEdit) throws -> EditConflict {
    let error = #expect(throws: EditError.self) { try save(edit) }
    guard case .conflict(let conflict?)? = error else { throw NoConflict() }
    return conflict
  }

  private struct NoConflict: Error {}

  private func run(_ sql: String) throws { try book.database.write { try $0.execute(sql: sql) } }

  // MARK: Merging

  @Test func changesOfDifferentFieldsAreMerged() throws {
    try others {
      $0.family = "张"
      $0.phones.insert(LabeledValue(label: "work", value: "1"), at: 0)
      $0.groups.append("Theirs")
    }
    let edit = ContactEdit(
      of: base,
      to: mine {
        $0.given = "大龙"
        $0.phones.append(LabeledValue(label: "", value: "2"))
        $0.groups.removeAll { $0 == "Friends" }
      })
    #expect(try save(edit) == base.id)
    let saved = try stored()
    #expect(saved.displayName == "张大龙")
    #expect(saved.phones.map(\.value) == ["1"] + base.phones.map(\.value) + ["2"])
    #expect(saved.groups == ["Hong Kong", "Theirs"])
    #expect(saved.version == base.version + 2)
    #expect(try book.listRows().first?.phone == "1")
  }

  @Test func aFieldThatBothChangedIsAConflict() throws {
    try others {
      $0.family = "张"
      $0.title = "Theirs"
      $0.note = "theirs"
    }
    let edit = ContactEdit(
      of: base,
      to: mine {
        $0.family = "王"
        $0.title = "Mine"
        $0.nickname = "Mine"
      })
    let conflict = try conflict(edit)
    #expect(conflict.conflicts.map(\.fieldName) == ["family", "title"])
    #expect(try stored().family == "张", "nothing was saved")
    let resolved = conflict.resolved { $0.fieldName == "family" ? $0.theirs : .text("Both") }
    _ = try save(resolved)
    let saved = try stored()
    #expect(saved.family == "张" && saved.title == "Both" && saved.note == "theirs" && saved.nickname == "Mine")
  }

  @Test func aThirdWriterWhileTheUserDecidesIsNotOverwritten() throws {
    try others { $0.title = "Theirs" }
    let first = try conflict(ContactEdit(of: base, to: mine { $0.title = "Mine" }))
    try others {
      $0.title = "Third"
      $0.note = "Third"
    }
    let second = try conflict(first.resolved(\.mine))
    #expect(second.conflicts.map(\.base) == [.text("Theirs")])
    #expect(second.conflicts.map(\.theirs) == [.text("Third")])
    _ = try save(second.resolved(\.mine))
    #expect(try stored().title == "Mine" && stored().note == "Third")
  }

  /// A change is made once: nobody writes between the read and the write.
  @Test func nobodyWritesDuringAnEdit() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    let id = try book.bulkWrite { try $0.write(.example).id }
    let other = try AddressBook.open(at: folder.book()).newContext(waitsBriefly: true)
    var calls = 0
    _ = try book.newContext().edit(id) { contact in
      calls += 1
      let error = #expect(throws: EditError.self) { try other.edit(id) { $0.note = "Theirs" } }
      if case .store(let error)? = error { #expect(error.reason == .busy) } else { #expect(Bool(false)) }
      contact.title += "!"
    }
    let saved = try #require(try book.contact(id: id))
    #expect(calls == 1 && saved.title == Contact.example.title + "!" && saved.note == Contact.example.note)
  }

  /// Two screens save the same contact a thousand times: no save fails, and nothing is lost.
  @Test func twoScreensSaveTheSameContact() async throws {
    let (book, id) = (book, base.id)
    try await withThrowingTaskGroup { group in
      for field in [\Contact.title, \.nickname] as [any WritableKeyPath<Contact, String> & Sendable] {
        group.addTask {
          for number in 1...250 {
            let opened = try #require(try book.contact(id: id))
            var mine = opened
            mine[keyPath: field] = String(number)
            _ = try book.newContext().save(ContactEdit(of: opened, to: mine))
            _ = try book.newContext().edit(id) { $0.note += "+" }
          }
        }
      }
      try await group.waitForAll()
    }
    let saved = try stored()
    #expect(saved.title == "250" && saved.nickname == "250" && saved.version == base.version + 1000)
    #expect(saved.note == base.note + String(repeating: "+", count: 500))
  }

  @Test func aWriteWithoutTriggersIsMergedToo() throws {
    try run("DROP TRIGGER part_deleted_phone; DELETE FROM phone WHERE contact_id = \(base.id) AND position = 0")
    _ = try save(ContactEdit(of: base, to: mine { $0.title = "Mine" }))
    #expect(try stored().phones == Array(base.phones.dropFirst()))
    #expect(try stored().title == "Mine")
  }

  @Test func anInvalidValueIsRefused() throws {
    let error = #expect(throws: EditError.self) {
      try save(ContactEdit(of: base, to: mine { $0.note = "\0" }))
    }
    guard case .invalid? = error else { return #expect(Bool(false)) }
    #expect(try stored() == base)
  }

  // MARK: Deleted elsewhere

  @Test func anEditRestoresADeletedContactWithItsLastContent() throws {
    try others { $0.note = "theirs" }
    try delete()
    var edit = ContactEdit(of: base, to: mine { $0.title = "Mine" })
    let error = #expect(throws: EditError.self) { try save(edit) }
    guard case .missing? = error else { return #expect(Bool(false)) }
    #expect(try book.contact(id: base.id) == nil)
    edit.restoresDeleted = true
    #expect(try save(edit) == base.id)
    let saved = try stored()
    #expect(saved.title == "Mine" && saved.note == "theirs" && saved.phones == base.phones)
    #expect(saved.groups == base.groups)
  }

  @Test func aConflictWithADeletedContactIsResolvedToo() throws {
    try others { $0.title = "Theirs" }
    try delete()
    var edit = ContactEdit(of: base, to: mine { $0.title = "Mine" })
    edit.restoresDeleted = true
    let conflict = try conflict(edit)
    #expect(try book.contact(id: base.id) == nil)
    _ = try save(conflict.resolved(\.mine))
    #expect(try stored().title == "Mine")
  }

  @Test func aRemovedRowIsRestoredByAnEdit() throws {
    let photo = Photo(mediaType: "image/png", data: Data([1, 2, 3]))
    _ = try save(ContactEdit(of: base, to: base, photo: .set(photo)))
    let known = try stored()
    try run("DELETE FROM contact WHERE id = \(base.id)")
    var contact = known
    contact.title = "Mine"
    let id = try save(ContactEdit(of: known, basePhoto: photo, to: contact, restoresDeleted: true))
    let saved = try #require(try book.contact(id: id))
    contact.photo = photo.summary
    #expect(saved.content == contact.content && saved.uid == base.uid)
    #expect(try book.photo(of: id) == photo)
  }

  private func delete() throws {
    let context = book.newContext()
    try context.delete(try #require(try context.person(base.id)))
    try context.save()
  }

  // MARK: Photos

  @Test(arguments: ["base", "mine", "theirs"]) func aPhotoThatBothReplacedIsOneField(side: String) throws {
    func photo(_ byte: UInt8) -> Photo { Photo(mediaType: "image/png", data: Data([byte])) }
    _ = try save(ContactEdit(of: base, to: base, photo: .set(photo(0))))
    let known = try stored()
    _ = try save(ContactEdit(of: known, to: known, photo: .set(photo(2))))
    let conflict = try conflict(ContactEdit(of: known, basePhoto: photo(0), to: known, photo: .set(photo(1))))
    #expect(conflict.conflicts.map(\.fieldName) == ["photo"])
    let values: [String: (MergeConflict) -> MergeConflict.Value] = [
      "base": { $0.base }, "mine": { $0.mine }, "theirs": { $0.theirs },
    ]
    _ = try save(conflict.resolved(try #require(values[side])))
    #expect(try book.photo(of: base.id) == photo(["base": 0, "mine": 1, "theirs": 2][side] ?? 9))
  }

  // MARK: Versions

  @Test func anEditForAnotherVersionReportsTheConflict() throws {
    try others { $0.title = "Theirs" }
    try others { $0.note = "theirs" }
    let error = #expect(throws: EditError.self) {
      try book.newContext().edit(base.id, ifVersion: base.version) { $0.title = "Mine" }
    }
    guard case .conflict(let conflict?)? = error else { return #expect(Bool(false)) }
    // The history does not keep times.
    #expect(conflict.edit.base.comparable == base.comparable)
    #expect(conflict.theirs == (try stored()))
    #expect(conflict.edit.mine.title == "Mine" && conflict.edit.mine.note == base.note)
    #expect(conflict.conflicts.map(\.fieldName) == ["title"])
    #expect(try stored().title == "Theirs")
    _ = try book.newContext().edit(base.id, ifVersion: base.version + 2) { $0.title = "Mine" }
    #expect(try stored().title == "Mine")
  }

  @Test func aVersionMissingFromTheHistoryHasNoBase() throws {
    try run("UPDATE contact SET title = 'SQL' WHERE id = \(base.id)")
    for version in [base.version, 99] {
      let error = #expect(throws: EditError.self) {
        try book.newContext().edit(base.id, ifVersion: version) { $0.title = "Mine" }
      }
      guard case .conflict(let conflict?)? = error else { return #expect(Bool(false)) }
      #expect(conflict.edit.base.version == 0 && conflict.theirs.title == "SQL")
      #expect(conflict.conflicts.map(\.fieldName) == ["title"])
    }
  }

  /// Once by the context, and once after the rows are written, for the history and the checksum. The merge also looks up
  /// the changed rows.
  @Test func aSaveReadsTheContactTwice() throws {
    let reads = Mutex<[String]>([])
    let book = try AddressBook.open(
      at: .inMemory,
      configuration: StoreConfiguration(trace: { sql in
        guard sql.contains(/SELECT .*FROM "?phone"?( AS t)? WHERE (t\.)?"?contact_id/) else { return }
        reads.withLock { $0.append(sql) }
      }))
    let id = try book.bulkWrite { try $0.write(.example).id }
    let base = try #require(try book.contact(id: id))
    var mine = base
    mine.phones[0].value = "1"
    mine.note = "x"
    reads.withLock { $0 = [] }
    #expect(try book.newContext().save(ContactEdit(of: base, to: mine)) == id)
    #expect(reads.withLock(\.count) == 2, "\(reads.withLock(\.self))")
    #expect(try book.contact(id: id)?.phones == mine.phones)
  }
}
