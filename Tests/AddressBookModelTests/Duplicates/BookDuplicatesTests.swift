import Contacts
import Foundation
import Testing

@testable import AddressBookModel

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
    } catch ContactMergeError.missing(let id) {
      #expect(id == 99)
    }
    #expect(try book.contacts(ids: ids) == before)
  }
}
