import Contacts
import Foundation
import GRDB
import PictureFormat
import Testing

@testable import AddressBookModel
@testable import BookCare
@testable import BookInterchange

/// No write looks like damage.
struct WriteChecksumTests {
  /// A write that gives a contact a new checksum, or lets it get one later.
  enum Write: String, CaseIterable {
    case edit, editPhone, changeGroups, delete, restore, undoDeletion, undoAddition, undoEdit
    case editInBulk, deleteInBulk, restoreInBulk, editMoreThanTheLogKeeps
    case renameGroup, undoRenamedGroup, deleteGroup, undoDeletedGroup, undoNewGroup, mergeGroup, undoMergedGroup
    case deleteGroupOfDeleted, undoDeletedGroupOfDeleted, mergeGroupOfDeleted, undoMergedGroupOfDeleted
    case redoMergedGroupOfDeleted
    case mergeInto, mergeAway, importCard, importGroup, copy, moveToFolder, derive, writeOfAnotherProgram

    /// True if the contact is deleted when it is damaged.
    var isDeleted: Bool {
      switch self {
      case .restore, .undoDeletion, .restoreInBulk, .undoNewGroup: true
      default: rawValue.hasSuffix("OfDeleted")
      }
    }
  }

  private let folder = TemporaryFolder()
  private let book: AddressBook
  private let id: Int64
  private let other: Int64

  init() throws {
    book = try AddressBook.inMemory()
    (id, other) = try book.bulkWrite(as: StepName(.samples)) { writer in
      var other = Contact()
      (other.given, other.family, other.groups) = ("Bo", "Ek", ["Work"])
      let id = try writer.write(.example, photo: Photo(mediaType: "image/png", data: Data([1, 2, 3]))).id
      return (id, try writer.write(other).id)
    }
  }

  @Test(arguments: Write.allCases)
  func noWriteLooksLikeDamage(_ write: Write) throws {
    try prepare(write)
    _ = try book.completeChecksums()
    try perform(write)
    #expect(try damaged().isEmpty)
    _ = try book.completeChecksums()
    #expect(try damaged().isEmpty)
    try book.checkGroups()
    #expect(book.damage.isEmpty)
  }

  /// Returns the contacts that an examination reports.
  private func damaged() throws -> [Int64] {
    try book.database.read { try ContactCheck($0, DoctorProgress()).damaged.map(\.id) }
  }

  // MARK: - Writes

  private func undo(_ step: EditStep?) throws { _ = try book.reverse(try #require(step), policy: .storeWins) }

  private func edit(_ change: (inout Contact) -> Void) throws { _ = try book.newContext().edit(id, change) }

  private func bulkEdit(_ edit: BulkEdit) throws {
    _ = try book.bulkEdit([id], edit, as: StepName(.edit), isCancelled: { false })
  }

  private func prepare(_ write: Write) throws {
    switch write {
    case .undoEdit: try edit { $0.nickname = "Dragon" }
    case .undoNewGroup: try bulkEdit(.change { $0.groups.append("New") })
    case .undoRenamedGroup: try book.edit(.rename("Friends", to: "Old friends"))
    case .undoDeletedGroup: try book.edit(.delete("Friends"))
    case .undoMergedGroup: try book.edit(.merge("Friends", into: "Work"))
    default: break
    }
    if write.isDeleted { try bulkEdit(.delete) }
    switch write {
    case .undoDeletedGroupOfDeleted: try book.edit(.delete("Friends"))
    case .undoMergedGroupOfDeleted, .redoMergedGroupOfDeleted: try book.edit(.merge("Friends", into: "Work"))
    case .derive:
      try book.database.write { db in
        try db.execute(sql: "UPDATE contact SET display_name = 'x'")
        try db.execute(sql: "UPDATE store_info SET value = 'older' WHERE key = 'collation'")
      }
    default: break
    }
    if write == .redoMergedGroupOfDeleted { try undo(book.stepToUndo()) }
  }

  private func perform(_ write: Write) throws {
    let context = book.newContext()
    switch write {
    case .edit: try edit { $0.nickname = "Dragon" }
    case .editPhone: try edit { $0.phones[0].value += "4" }
    case .changeGroups: try edit { $0.groups = ["Work"] }
    case .delete:
      try context.delete(try #require(try context.person(id)))
      try context.save()
    case .restore:
      try context.restore(try #require(try context.deletedPerson(id)))
      try context.save()
    case .undoDeletion, .undoAddition, .undoEdit, .undoRenamedGroup, .undoDeletedGroup, .undoMergedGroup,
      .undoDeletedGroupOfDeleted, .undoMergedGroupOfDeleted:
      try undo(book.stepToUndo())
    case .redoMergedGroupOfDeleted: try undo(book.stepToRedo())
    case .undoNewGroup: try undo(book.history()[1])
    case .editInBulk: try bulkEdit(.change { $0.nickname = "Dragon" })
    case .deleteInBulk: try bulkEdit(.delete)
    case .restoreInBulk: try bulkEdit(.restore)
    case .editMoreThanTheLogKeeps:
      try book.bulkWrite { writer in
        try writer.change(id) { $0.nickname = "Dragon" }
        try writer.db.execute(sql: "DELETE FROM results_log_contact")
      }
    case .renameGroup: try book.edit(.rename("Friends", to: "Old friends"))
    case .deleteGroup, .deleteGroupOfDeleted: try book.edit(.delete("Friends"))
    case .mergeGroup, .mergeGroupOfDeleted: try book.edit(.merge("Friends", into: "Work"))
    case .mergeInto: try book.merge([id, other])
    case .mergeAway: try book.merge([other, id])
    case .importCard: try importing("FN:Bruce\r\nNICKNAME:Dragon\r\nTEL:12345678\r\nUID:\(try uid())")
    case .importGroup: try importing("FN:Actors\r\nKIND:group\r\nUID:g\r\nMEMBER:urn:uuid:\(try uid())")
    case .copy:
      var contact = Contact.example
      (contact.uid, contact.nickname) = (try uid(), "Dragon")
      _ = try book.copy([CopiedContact(contact: contact)], from: "directory")
    case .moveToFolder: try book.move([id], to: nil)
    case .derive: try DerivedColumns.rebuildIfNeeded(book.database)
    case .writeOfAnotherProgram: try book.database.write { try $0.execute(sql: "UPDATE contact SET title = 'x'") }
    }
  }

  private func uid() throws -> String {
    try book.database.read {
      try String.fetchOne($0, sql: "SELECT uid FROM contact WHERE id = ?", arguments: [id]) ?? ""
    }
  }

  private func importing(_ lines: String) throws {
    let card = "BEGIN:VCARD\r\nVERSION:4.0\r\n\(lines)\r\nEND:VCARD\r\n"
    let report = try Importer(book: book).run([folder.write(Array(card.utf8), to: "card.vcf")])
    #expect(report.updated + report.imported > 0)
  }
}

/// A photo that differs from its digest gets no new digest.
struct DamagedPhotoTests {
  private let book: AddressBook
  private let camera: Photo
  private let id: Int64

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/Images/jpeg-exif-orientation-6.jpg")
    let photo = Photo(mediaType: "image/jpeg", data: try Data(contentsOf: file))
    camera = photo
    book = try AddressBook.inMemory()
    id = try book.bulkWrite { try $0.write(.example, photo: photo).id }
    // The last byte: the checks of a photo before it is stored do not read that far.
    var data = photo.data
    data[data.endIndex - 1] ^= 1
    try book.damage("UPDATE avatar SET data = ?", [data])
  }

  private func damaged() throws -> [Int64] {
    try book.database.read { db in
      let check = try ContactCheck(db, DoctorProgress())
      return Set((check.damaged + check.photos).map(\.id)).sorted()
    }
  }

  @Test func anEditDoesNotStripADamagedPhoto() throws {
    #expect(try damaged() == [id])
    _ = try book.newContext().edit(id) { $0.nickname = "Dragon" }
    #expect(try damaged() == [id])
  }

  @Test func anUndoDoesNotRestoreADamagedPhoto() throws {
    let context = book.newContext()
    try #require(try context.person(id)).setPhoto(Photo(mediaType: "image/png", data: Data([1])))
    try context.save()
    #expect(try damaged().isEmpty, "the user replaced it")
    let step = try #require(try book.stepToUndo())
    #expect(throws: EditError.self) { try book.reverse(step) }
    #expect(try book.photo(of: id)?.data == Data([1]))
  }
}
