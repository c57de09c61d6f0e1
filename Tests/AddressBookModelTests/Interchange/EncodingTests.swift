import ContactInterchange
import Contacts
import Foundation
import SeededRandom
import Synchronization
import Testing

@testable import AddressBookModel
@testable import BookInterchange

/// Output of many contacts, compared with the plain way: one contact after the other.
@Suite(.serialized) struct EncodingTests {
  /// More contacts than are read in the order of the output.
  private static let count = 2 * ContactReading.firstCount + 500

  /// Makes a book in which the order of the list is not that of the ids. Some contacts are deleted, some have photos.
  private static func book(at folder: TemporaryFolder? = nil) throws -> AddressBook {
    let book = try folder.map { try AddressBook.open(at: $0.book()) } ?? AddressBook.inMemory()
    try book.bulkWrite { writer in
      for number in 0..<count {
        var contact = Contact()
        contact.uid = "u\(number)"
        contact.given = String(number * 7919 % 1000)
        contact.family = ["李", "Ng", "Ölander", "王", "Иванов"][number % 5] + String(number * 31 % 97)
        contact.phones = (0..<number % 3).map { LabeledValue(label: "work", value: "+1 \(number) \($0)") }
        contact.emails = number % 4 == 0 ? [LabeledValue(value: "a\(number)@example.org")] : []
        if number % 7 == 0 { contact.groups = ["Friends", "B\(number % 2)"] }
        if number % 11 == 0 { contact.addresses = [PostalAddress(label: "home", city: "Łódź")] }
        let photo = number % 500 == 3 ? Photo(mediaType: "image/gif", data: Data("GIF89a\(number)".utf8)) : nil
        try writer.write(contact, photo: photo)
      }
    }
    let context = book.newContext()
    for id in stride(from: Int64(5), to: Int64(count), by: 400) { try context.delete(#require(try context.person(id))) }
    try context.save()
    return book
  }

  private static func text(
    _ book: AddressBook, _ ids: [Int64]? = nil, spoolLimit: Int = RecordSpool.standardLimit
  ) throws -> (text: String, count: Int) {
    var bytes: [UInt8] = []
    let count = try book.forEachEncoded(ids: ids, withPhotos: true, spoolLimit: spoolLimit) { stored, photo, bytes in
      bytes += Self.line(stored.contact, stored.sectionTitle, photo).utf8
    } _: { line in
      bytes += line
      return true
    }
    return (String(decoding: bytes, as: UTF8.self), count)
  }

  private static func line(_ contact: Contact, _ section: String, _ photo: Photo?) -> String {
    ContactJSON.encodeWhole(contact, section: section, picture: photo.map { [UInt8]($0.data) }) + "\n"
  }

  private static func plainText(_ book: AddressBook, _ ids: [Int64]? = nil) throws -> (text: String, count: Int) {
    var (text, count) = ("", 0)
    try book.forEachContact(ids: ids) { contact in
      text += try line(contact, contact.sectionTitle, book.photoForExport(of: contact))
      count += 1
      return true
    }
    return (text, count)
  }

  @Test("All contacts come in section order, from a file and from memory, whatever the spool's limit")
  func allContacts() throws {
    let folder = TemporaryFolder()
    for book in [try Self.book(), try Self.book(at: folder)] {
      let plain = try Self.plainText(book)
      #expect(plain.count == Self.count - 7)
      for limit in [1, 5000, RecordSpool.standardLimit] {
        let found = try Self.text(book, spoolLimit: limit)
        #expect(found.text == plain.text)
        #expect(found.count == plain.count)
      }
      book.close()
    }
  }

  @Test("Many and few contacts come in the requested order, without unknown and deleted ones")
  func givenOrder() throws {
    let book = try Self.book()
    defer { book.close() }
    let seed = UInt64.random(in: 0...9999)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for count in [0, 1, 40, 1001, Self.count + 200] {
      let ids = Array((Int64(1)...Int64(Self.count + 200)).shuffled(using: &random).prefix(count))
      let (found, plain) = (try Self.text(book, ids, spoolLimit: 9000), try Self.plainText(book, ids))
      #expect(found.text == plain.text)
      #expect(found.count == plain.count)
    }
  }

  @Test("If the temporary file cannot be created, the output is the same")
  func noRoom() throws {
    let book = try Self.book()
    defer { book.close() }
    let before = ProcessInfo.processInfo.environment["TMPDIR"]
    setenv("TMPDIR", "/nonexistent", 1)
    defer { if let before { setenv("TMPDIR", before, 1) } else { unsetenv("TMPDIR") } }
    let (found, plain) = (try Self.text(book, spoolLimit: 5000), try Self.plainText(book))
    #expect(found.text == plain.text)
    #expect(found.count == plain.count)
  }

  @Test("The book can be written and closed after the reader stopped early, or the encoder failed")
  func stops() throws {
    struct Enough: Error {}
    let folder = TemporaryFolder()
    let book = try Self.book(at: folder)
    defer { book.close() }
    for limit in [3, 1500] {
      var taken = 0
      try book.forEachEncoded { _, _, bytes in
        bytes.append(1)
      } _: { _ in
        taken += 1
        return taken < limit
      }
      #expect(taken == limit)
      let encoded = Atomic(0)
      #expect(throws: Enough.self) {
        try book.forEachEncoded { _, _, _ in
          if encoded.add(1, ordering: .relaxed).newValue == limit { throw Enough() }
        } _: { _ in
          true
        }
      }
    }
    let context = book.newContext()
    try context.delete(#require(try context.person(1)))
    try context.save()
    #expect(try Self.text(book).count == Self.count - 8)
  }

  @Test("A listing does not include what is written while it is read")
  func oneState() throws {
    let folder = TemporaryFolder()
    let book = try Self.book(at: folder)
    let other = try AddressBook.open(at: folder.book(), mode: .readOnly)
    defer {
      other.close()
      book.close()
    }
    var count = 0
    try other.forEachEncoded { _, _, bytes in
      bytes.append(1)
    } _: { _ in
      count += 1
      if count == 1 {
        let context = book.newContext()
        for id in Int64(1000)...1100 where id % 400 != 5 { try context.delete(#require(try context.person(id))) }
        try context.save()
      }
      return true
    }
    #expect(count == Self.count - 7)
  }
}
