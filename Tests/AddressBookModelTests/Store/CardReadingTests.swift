import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel
@testable import BookInterchange
@testable import FolderSync

/// Books of earlier versions of the program, which did not read all lines of the cards that they keep.
@Suite struct CardReadingTests {
  private let folder = TemporaryFolder()
  private var cards: String { folder.file("cards") }
  private var file: URL { URL(filePath: cards + "/ann.vcf") }

  private static func value(_ value: String, _ label: String = "") -> LabeledValue {
    LabeledValue(label: label, value: value)
  }

  /// Lines of a card, and what the contact had of them.
  private static let cases: [(lines: [String], earlier: @Sendable (inout Contact) -> Void)] = [
    (["BDAY:23.5.1978"], { $0.birthday = nil }), (["BDAY:1978/05/23"], { $0.birthday = nil }),
    (["BDAY:19780523;"], { $0.birthday = nil }), (["BDAY:1604-02-28"], { $0.birthday = PartialDate("1604-02-28") }),
    (["ANNIVERSARY:1978年5月23日"], { $0.dates = [] }),
    (["item1.X-ABDATE:23.5.1978", "item1.X-ABLabel:met"], { $0.dates = [] }),
    ([#"LABEL;TYPE=HOME:Am Kai 1\nBonn"#], { $0.addresses = [] }),
    ([#"ADR;LABEL="Am Kai 1":;;;;;;"#], { $0.addresses = [] }),
    (["RELATED;TYPE=friend:Bo Ek"], { $0.related = [] }),
    (["X-ABRELATEDNAMES;TYPE=friend:Bo Ek"], { $0.related = [value("Bo Ek")] }),
    (["RELATED;VALUE=text;TYPE=x-pal:Bo Ek"], { $0.related = [value("Bo Ek")] }),
    (["SORT-STRING:Li, An"], { ($0.phoneticFamily, $0.phoneticGiven) = ("", "") }),
    (["ORG;SORT-AS=x:Acme", "X-PHONETIC-ORG:y"], { _ in }),
    (["TITLE:Cook", "TITLE;PREF=1:Chef"], { $0.title = "Cook" }),
    (["NOTE:one", "NOTE;PREF=1:two"], { $0.note = "one" }),
    (["TEL;TYPE=WORK,CELL:+49 555 0101"], { $0.phones = [value("+49 555 0101", "mobile")] }),
    (["TEL;TYPE=X-BOAT:+49 555 0101"], { $0.phones = [value("+49 555 0101", "x-boat")] }),
    (["EMAIL;PREF=1,TYPE=HOME:a@b.example"], { $0.emails = [value("a@b.example")] }),
    (["IMPP:xmpp:a%20b@c.example"], { $0.handles = [value("a%20b@c.example", "jabber")] }),
    (["X-SOCIALPROFILE;TYPE=matrix:xmpp:a"], { $0.handles = [value("xmpp:a", "matrix")] }),
    (["SOCIALPROFILE;SERVICE-TYPE=Mastodon:https://a.example/@b"], { $0.handles = [] }),
    (["KIND:group", "TEL:+49 555 0101"], { $0.kind = .person }),
    ([#"NOTE:say \"hi\""#], { $0.note = #"say \"hi\""# }),
  ]

  private func card(_ lines: [String]) -> String {
    (["BEGIN:VCARD", "VERSION:3.0", "UID:ann", "FN:Ann Li", "N:Li;Ann;;;"] + lines + ["END:VCARD", ""])
      .joined(separator: "\r\n")
  }

  /// Makes a book with a synced contact as an earlier version would have it.
  private func makeBook(_ lines: [String], _ earlier: (inout Contact) -> Void) throws -> Contact {
    try FileManager.default.createDirectory(atPath: cards, withIntermediateDirectories: true)
    try Data(card(lines).utf8).write(to: file)
    let book = try AddressBook.open(at: folder.book())
    _ = try FolderSync(book: book, path: cards).run()
    let contact = try #require(try book.contact(uid: "ann"))
    try book.bulkWrite(groups: .replace) { try $0.change(contact.id, earlier) }
    try book.store.transaction { db in
      var base = contact
      (base.uid, base.cardLines) = ("", [])
      earlier(&base)
      try db.execute(
        sql: "UPDATE synced_card SET base = ?, version = (SELECT version FROM contact)",
        arguments: [ContactDelta(from: Contact(), to: base).data])
      try db.execute(sql: "DELETE FROM store_info WHERE key = 'card_reading'")
    }
    book.close()
    return contact
  }

  private func written() throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).replacing("\r\n ", with: "").components(separatedBy: "\r\n")
  }

  @Test(arguments: cases.indices) func nothingIsLost(index: Int) throws {
    let (lines, earlier) = Self.cases[index]
    let contact = try makeBook(lines, earlier)
    let book = try AddressBook.open(at: folder.book())
    let now = try #require(try book.contact(uid: "ann"))
    #expect(now.comparable == contact.comparable && now.modified >= contact.modified)
    #expect(CardExporter(version: nil).card(of: now, binary: nil) == Array(card(lines).utf8))
    let report = try FolderSync(book: book, path: cards).run()
    #expect(report.toBook.total == 0 && report.toFolder.total == 0 && report.conflicts.isEmpty)
    #expect(try Data(contentsOf: file) == Data(card(lines).utf8))
    // The same card again.
    _ = try Importer(book: book).run([file.path])
    #expect(try book.contact(uid: "ann")?.comparable == contact.comparable)
    book.close()
  }

  /// The contact was edited before the update, and the file was not synced.
  @Test(arguments: cases.indices) func anEditKeepsTheLines(index: Int) throws {
    let (lines, earlier) = Self.cases[index]
    _ = try makeBook(lines, earlier)
    var queue: DatabaseQueue? = try DatabaseQueue(path: folder.file("book.db"))
    try queue?.write {
      try $0.execute(sql: "UPDATE contact SET nickname = 'Annie', version = version + 1, deleted_at = NULL")
    }
    queue = nil
    let book = try AddressBook.open(at: folder.book())
    let report = try FolderSync(book: book, path: cards).run()
    #expect(report.toFolder.changed == 1 && report.conflicts.isEmpty)
    let written = try written()
    #expect(Set(written).isSuperset(of: lines + ["NICKNAME:Annie"]), "\(written)")
    book.close()
  }

  @Test func whatWasRemovedStaysRemoved() throws {
    let lines = ["BDAY:19780523", "NOTE:one", "TEL;TYPE=CELL:+49 555 0101", "LABEL:Am Kai 1"]
    let contact = try makeBook(lines) { $0.addresses = [] }
    var queue: DatabaseQueue? = try DatabaseQueue(path: folder.file("book.db"))
    try queue?.write {
      try $0.execute(sql: "UPDATE contact SET birthday = NULL, note = '', deleted_at = '2026-01-01T00:00:00Z'")
      try $0.execute(sql: "DELETE FROM phone")
    }
    queue = nil
    let book = try AddressBook.open(at: folder.book())
    let now = try #require(try book.store.read { try ContactLoader($0).load([contact.id]) }.first)
    #expect(now.birthday == nil && now.note.isEmpty && now.phones.isEmpty && now.addresses == contact.addresses)
    #expect(try book.deletedContacts().map(\.id) == [contact.id])
    book.close()
  }

  /// A label that is read in a new way neither brings back a number that was removed nor loses a part of the line.
  @Test func aNewLabelIsNoEdit() throws {
    let lines = (1...3).map { "TEL;TYPE=WORK,CELL:+49 555 010\($0)" }
    _ = try makeBook(lines) { contact in
      for index in contact.phones.indices { contact.phones[index].label = "mobile" }
    }
    var queue: DatabaseQueue? = try DatabaseQueue(path: folder.file("book.db"))
    try queue?.write { db in
      try db.execute(sql: "DELETE FROM phone WHERE value = '+49 555 0101'")
      try db.execute(sql: "UPDATE phone SET value = '+49 555 0199' WHERE value = '+49 555 0103'")
      try db.execute(sql: "UPDATE contact SET version = version + 1")
    }
    queue = nil
    let book = try AddressBook.open(at: folder.book())
    let expected = ["+49 555 0102", "+49 555 0199"].map { Self.value($0, "work mobile") }
    #expect(try book.contact(uid: "ann")?.phones == expected)
    _ = try FolderSync(book: book, path: cards).run()
    #expect(try written().filter { $0.hasPrefix("TEL") } == expected.map { "TEL;TYPE=WORK,CELL:" + $0.value })
    book.close()
  }

  @Test func aBookIsReadOnce() throws {
    _ = try makeBook(["BDAY:23.5.1978"]) { $0.birthday = nil }
    for _ in 0..<2 {
      let book = try AddressBook.open(at: folder.book())
      let contact = try #require(try book.contact(uid: "ann"))
      try book.bulkWrite(groups: .replace) { try $0.change(contact.id) { $0.birthday = nil } }
      book.close()
      let again = try AddressBook.open(at: folder.book())
      #expect(try again.contact(uid: "ann")?.birthday == nil)
      again.close()
    }
  }
}
