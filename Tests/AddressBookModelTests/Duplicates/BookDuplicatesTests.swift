import Contacts
import Foundation
import Testing

@testable import AddressBookModel
@testable import Messages

/// Finding duplicates in a book, marking them as different, and merging them in one step.
@Suite struct BookDuplicatesTests {
  private let book: AddressBook
  private let ids: [Int64]
  private let english = Localization(language: .english)

  init() throws {
    book = try AddressBook.inMemory()
    var bo = Contact()
    (bo.given, bo.family, bo.nickname) = ("Bo", "Ek", "B")
    bo.phones = [LabeledValue(label: "mobile", value: "070-111 22 33")]
    var other = bo
    (other.nickname, other.title) = ("Bosse", "Boss")
    other.phones[0].value = "+46 70 111 22 33"
    other.groups = ["Friends"]
    var ann = Contact()
    (ann.given, ann.family) = ("Ann", "Lee")
    let picture = Photo(mediaType: "image/png", data: Data([1, 2, 3]))
    ids = try book.bulkWrite { writer in
      [try writer.write(bo).id, try writer.write(other, photo: picture).id, try writer.write(ann).id]
    }
  }

  @Test func aPairIsSuggestedUntilItIsMarkedAsDifferent() throws {
    let groups = try book.duplicates()
    #expect(groups.map(\.ids) == [[ids[0], ids[1]]])
    #expect(groups.first?.pairs.map(\.reasons) == [[.name, .phone]])
    try book.markNotSame([ids[1], ids[0]])
    try book.markNotSame([ids[0], ids[1]])
    #expect(try book.duplicates().isEmpty)
    try book.unmarkNotSame([ids[0], ids[1], ids[2]])
    #expect(try book.duplicates().count == 1)
  }

  @Test func deletedContactsAreNotDuplicates() throws {
    _ = try book.bulkEdit([ids[1]], .delete, as: StepName(.delete), isCancelled: { false })
    #expect(try book.duplicates().isEmpty)
  }

  @Test func findingCanBeStopped() throws {
    let error = #expect(throws: StoreError.self) { try book.duplicates(isCancelled: { true }) }
    #expect(error?.reason == .cancelled)
  }

  @Test func aMergeKeepsEverythingAndIsOneStep() throws {
    let before = try book.contacts(ids: ids)
    let preview = try book.mergePreview([ids[0], ids[1]], localization: english)
    try book.merge([ids[0], ids[1]], localization: english)
    let merged = try #require(try book.contact(id: ids[0]))
    #expect(merged.uid == before[0].uid && merged.title == "Boss" && merged.nickname == "B")
    #expect(merged.phones == [LabeledValue(label: "mobile", value: "+46 70 111 22 33")])
    #expect(merged.groups == ["Friends"] && merged.note == "Nickname: Bosse")
    #expect(try book.photo(of: ids[0])?.data == Data([1, 2, 3]))
    #expect(merged.comparable == preview.merged.comparable)
    #expect(try book.contact(id: ids[1]) == nil && book.deletedContacts().map(\.id) == [ids[1]])

    let step = try #require(try book.stepToUndo())
    #expect(step.name == StepName(.merge, "Bo Ek") && step.count == 2)
    let undone = try book.reverse(step)
    #expect(try book.contacts(ids: ids).map(\.comparable) == before.map(\.comparable))
    #expect(try book.photo(of: ids[0]) == nil)
    _ = try book.reverse(undone.step)
    #expect(try book.contact(id: ids[0])?.comparable == merged.comparable)
  }

  @Test func missingContactsAreNotMerged() throws {
    let before = try book.contacts(ids: ids)
    do {
      try book.merge([ids[0], 99])
      Issue.record("merged")
    } catch EditError.missing(let id) {
      #expect(id == "99")
    }
    #expect(try book.contacts(ids: ids) == before)
  }

  @Test func namesakesHaveNothingElseInCommon() throws {
    let book = try AddressBook.inMemory()
    func add(_ name: String, _ change: (inout Contact) -> Void = { _ in }) throws {
      var contact = Contact()
      contact.formattedName = name
      contact.uid = UUID().uuidString
      change(&contact)
      try book.bulkWrite { _ = try $0.write(contact) }
    }
    try add("Ada Abel") { $0.phones = [LabeledValue(value: "1")] }
    try add("ada abel")
    try add("Ada Abel") { $0.kind = .organization }
    try add("Bo Ek") { $0.emails = [LabeledValue(value: "bo@example.com")] }
    try add("Bo Ek") { $0.emails = [LabeledValue(value: "bo@example.com")] }
    try add("Cy Lee") { $0.birthday = PartialDate("1990-01-01") }
    try add("Cy Lee") { $0.birthday = PartialDate("1991-01-01") }
    try add("Di Fox")
    try add("Di Fox")
    for _ in 0..<7 { try add("Common") }
    let found = try book.duplicates()
    #expect(found.map(\.ids) == [[4, 5]])
    let namesakes = try book.namesakes(besides: found)
    #expect(namesakes.map(\.ids) == [[1, 2], [8, 9]])
    #expect(namesakes.allSatisfy { $0.isOnlyNamesakes && !$0.isCertain } && found.allSatisfy { !$0.isOnlyNamesakes })
    try book.markNotSame([8, 9])
    #expect(try book.namesakes(besides: found).map(\.ids) == [[1, 2]])
  }
}
