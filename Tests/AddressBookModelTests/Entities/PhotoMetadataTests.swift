import Contacts
import Foundation
import PictureFormat
import Testing

@testable import AddressBookModel
@testable import BookInterchange

/// Photos that are stored with the place where they were taken.
struct PhotoMetadataTests {
  private let folder = TemporaryFolder()
  private let book: AddressBook
  private let camera: Photo
  private let clean: Photo
  private let id: Int64

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/Images/jpeg-exif-orientation-6.jpg")
    camera = Photo(mediaType: "image/jpeg", data: try Data(contentsOf: file))
    clean = Photo(
      mediaType: "image/jpeg", data: Data(PictureMetadata.stripped([UInt8](camera.data), format: .jpeg)))
    try #require(clean != camera, "the fixture has a GPS position")
    book = try AddressBook.open(at: .inMemory)
    var contact = Contact()
    contact.family = "Ann"
    let photo = camera
    // Earlier versions stored photos with their metadata.
    id = try book.bulkWrite { try $0.write(contact, photo: photo).id }
  }

  @Test func exportsHaveNoMetadata() throws {
    #expect(try book.photo(of: id) == camera)
    #expect(try book.photoForExport(of: id) == clean)
    #expect(try book.photoForExport(of: 99) == nil)
  }

  @Test func aSaveRemovesMetadataAndUndoRestoresIt() throws {
    let context = book.newContext()
    let person = try #require(try context.person(id))
    try context.action("Edit") { () throws(StoreError) in
      person.family = "Bob"
      try book.removePhotoMetadata(of: person)
    }
    try context.save()
    #expect(try book.photo(of: id) == clean)
    #expect(try book.contact(id: id)?.photo == clean.summary)
    try book.removePhotoMetadata(of: person)
    #expect(!context.hasChanges, "there is nothing left to take out")
    try context.undo()
    try context.save()
    #expect(try book.photo(of: id) == camera)
  }

  @Test func metadataIsKeptOnRequest() throws {
    let importer = Importer(book: book)
    importer.keepsPhotoMetadata = true
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Carl\r\nEND:VCARD\r\n"
    _ = try importer.run([folder.write(Array(card.utf8), to: "card.vcf")])
    #expect(try book.photoForExport(of: id) == camera)
    let context = book.newContext()
    let person = try #require(try context.person(id))
    try book.removePhotoMetadata(of: person)
    #expect(!context.hasChanges)
  }

  @Test func otherFilesAreLeftUnchanged() {
    let odd = Photo(mediaType: "image/heic", data: Data("something".utf8))
    #expect(odd.withoutMetadata == odd)
  }
}
