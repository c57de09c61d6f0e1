import AddressBookModel
import BookInterchange
import Contacts
import Foundation
import Testing

@testable import AddressBookTUI

/// Photos that an earlier version stored with the place where they were taken.
@MainActor
struct StoredPhotoTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("photo-\(UUID().uuidString)")
  private let camera: Photo
  private let harness: ScreenHarness
  private let id: Int64

  init() throws {
    let path = TestPhoto.folder + "/jpeg-exif-orientation-6.jpg"
    camera = Photo(mediaType: "image/jpeg", data: try Data(contentsOf: URL(fileURLWithPath: path)))
    try #require(camera.withoutMetadata != camera)
    let book = try AddressBook.open(at: .inMemory)
    var contact = Contact()
    contact.family = "Ann"
    let photo = camera
    id = try book.bulkWrite { try $0.write(contact, photo: photo).id }
    harness = try ScreenHarness(book: book)
  }

  @Test func savingRemovesPhotoMetadata() throws {
    harness.press("e")
    harness.type("x")
    harness.press("^S")
    #expect(try harness.book.contact(id: id)?.family == "Annx")
    #expect(try harness.book.photo(of: id) == camera.withoutMetadata)
    harness.press("u")
    #expect(try harness.book.photo(of: id) == camera, "one undo step brings all back")
  }

  @Test func exportsContainNoPhotoMetadata() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("ann.vcf").path
    harness.press("w")
    harness.type(file)
    harness.press("Enter")
    try harness.wait("the file") { harness.browser.parts.work.task == nil }
    #expect(try harness.book.photo(of: id) == camera)
    let other = try AddressBook.open(at: .inMemory)
    let importer = Importer(book: other)
    importer.keepsPhotoMetadata = true
    _ = try importer.run([file])
    #expect(try other.photo(of: 1) == camera.withoutMetadata)
  }
}
