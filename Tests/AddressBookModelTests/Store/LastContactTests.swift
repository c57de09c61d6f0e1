import ContactInterchange
import ContactSearch
import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel
@testable import BookInterchange
@testable import BookSearching

/// When contacts last wrote or were written to: it is kept beside the contacts, sorts them, and finds them.
struct LastContactTests {
  private let book: AddressBook
  /// Ann, Anna, Bob and Cy.
  private let ids: [Int64]

  init() throws {
    book = try AddressBook.inMemory()
    ids = try book.bulkWrite { writer in
      try ["Ann", "Anna", "Bob", "Cy"].map { name in
        var contact = Contact()
        (contact.given, contact.emails) = (name, [LabeledValue(value: name.lowercased() + "@example.com")])
        return try writer.write(contact).id
      }
    }
  }

  private let now = Int(Date().timeIntervalSince1970)

  private func daysAgo(_ days: Int) -> Int { now - days * 86_400 }

  private func found(_ query: String) throws -> [String] {
    try BookQueries(book).find(query).map { try #require(try book.contact(id: $0.id)).given }
  }

  @Test func itIsNoChangeOfTheContact() throws {
    let before = try #require(try book.contact(id: ids[0]))
    let line = try book.store.read(ContactChecksums.line)
    #expect(try book.recordLastContact([ids[0]: daysAgo(3), 999: daysAgo(3)]) == 1)
    var after = try #require(try book.contact(id: ids[0]))
    #expect(after.contacted == Timestamp.text(secondsSince1970: daysAgo(3)))
    #expect(after.comparable == before.comparable && after.version == before.version)
    after.contacted = ""
    #expect(after == before)
    #expect(try book.history(limit: 10).isEmpty)
    #expect(book.damage.contacts.isEmpty)
    #expect(try book.store.read(ContactChecksums.line) == line + 1, "lists and caches learn of it")
    _ = try book.newContext().edit(ids[0]) { $0.title = "Poet" }
    #expect(try book.contact(id: ids[0])?.contacted == Timestamp.text(secondsSince1970: daysAgo(3)))
  }

  @Test func onlyALaterTimeReplacesIt() throws {
    #expect(try book.recordLastContact([ids[0]: daysAgo(3)]) == 1)
    #expect(try book.recordLastContact([ids[0]: daysAgo(5)]) == 0)
    #expect(try book.recordLastContact([ids[0]: daysAgo(-2)]) == 0, "the clock of a sender is wrong")
    #expect(try book.recordLastContact([ids[0]: daysAgo(1)]) == 1)
    #expect(try book.contact(id: ids[0])?.contacted == Timestamp.text(secondsSince1970: daysAgo(1)))
    _ = try book.bulkEdit([ids[0]], .delete, as: StepName(.delete), isCancelled: { false })
    #expect(try book.recordLastContact([ids[0]: daysAgo(0)]) == 0)
    #expect(try book.emptyTrash([ids[0]]) == 1)
    #expect(try book.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM contacted") } == 0)
  }

  @Test func theLatestComesFirst() throws {
    try book.recordLastContact([ids[0]: daysAgo(400), ids[2]: daysAgo(2), ids[3]: daysAgo(90)])
    #expect(try book.ids(sortedBy: .contacted) == [ids[2], ids[3], ids[0], ids[1]])
    #expect(try book.ids(sortedBy: .contacted, isReversed: true) == [ids[1], ids[0], ids[3], ids[2]])
    let sections = try book.store.read { db in
      try Int64.fetchAll(db, sql: "SELECT \(ContactSortOrder.contacted.section()) FROM contact ORDER BY id")
    }.map(ContactSection.init)
    #expect(sections[1] == .neverContacted)
    guard case .monthOfYear? = sections[0] else { return #expect(Bool(false), "\(sections)") }
  }

  @Test func similarMatchesAreRankedByIt() throws {
    let plain = try found("example.com")
    #expect(plain == ["Cy", "Ann", "Bob", "Anna"], "the shorter the address, the better")
    try book.recordLastContact([ids[3]: daysAgo(30), ids[2]: daysAgo(2)])
    #expect(try found("example.com") == ["Bob", "Cy", "Ann", "Anna"])
    try book.recordLastContact([ids[1]: daysAgo(1)])
    #expect(try found("ann") == ["Ann", "Anna"], "a better match stays first")
  }

  @Test(arguments: [
    ("contacted:<30d", ["Bob"]), ("contacted:<5w", ["Bob", "Cy"]), ("contacted:>1y", ["Ann"]),
    ("contacted:<2y", ["Ann", "Bob", "Cy"]), ("contacted:never", ["Anna"]), ("has:contacted", ["Ann", "Bob", "Cy"]),
    ("-has:contacted", ["Anna"]), ("-contacted:<30d", ["Ann", "Anna", "Cy"]), ("contacted:<5w -bob", ["Cy"]),
    ("ann contacted:>1y", ["Ann"]), ("an -contacted:>1y", ["Anna"]), ("contacted:<5w contacted:>30d", ["Cy"]),
    ("contacted：<30D", ["Bob"]), ("contacted:1999", []), ("contacted:1999-13-01", []),
  ])
  func itIsSearched(query: String, names: [String]) async throws {
    try book.recordLastContact([ids[0]: daysAgo(400), ids[2]: daysAgo(2), ids[3]: daysAgo(31)])
    #expect(try found(query).sorted() == names)
    #expect(try BookQueries(book).ids(matching: query).count == names.count)
    let search = BookSearch(book: book)
    search.build()
    for collection in [nil, ContactCollection.found(by: .search(query))] {
      let found: [Int64] = try await withCheckedThrowingContinuation { done in
        search.find(collection == nil ? query : "", collection: collection) {
          done.resume(with: $0.map { $0.matches.sorted() })
        }
      }
      #expect(try book.contacts(ids: found).map(\.given) == names)
    }
  }

  @Test func aDayAMonthAndAYearAreSearched() throws {
    // Noon is on the same day in most time zones.
    let moment = try #require(ISO8601DateFormatter().date(from: "2024-02-29T12:00:00Z"))
    try book.recordLastContact([ids[0]: Int(moment.timeIntervalSince1970)])
    for query in ["contacted:2024", "contacted:2024-02", "contacted:2024-02-29"] {
      #expect(try found(query) == ["Ann"], "\(query)")
    }
    for query in ["contacted:2023", "contacted:2024-03", "contacted:2024-02-28", "contacted:24", "contacted:<30"] {
      #expect(try found(query) == [], "\(query)")
    }
  }

  @Test func aMergedContactHasTheLatestTime() throws {
    try book.recordLastContact([ids[0]: daysAgo(30), ids[1]: daysAgo(2), ids[3]: daysAgo(1)])
    try book.merge([ids[0], ids[1], ids[2]])
    #expect(try book.contact(id: ids[0])?.contacted == Timestamp.text(secondsSince1970: daysAgo(2)))
    try book.merge([ids[3], ids[0]])
    #expect(try book.contact(id: ids[3])?.contacted == Timestamp.text(secondsSince1970: daysAgo(1)))
  }

  @Test func correspondentsAreFoundAndAdded() throws {
    var correspondents = Correspondents()
    for (to, date) in [
      ("Bob <BOB@example.com>", "1"), ("Cy Two <new@example.org>", "2"), ("Cy <cy2@example.org>", "3"),
    ] {
      correspondents.add(
        MailHeader(of: Array("From: me@example.net\nTo: \(to)\nDate: Mon, \(date) Jan 2024 12:00:00 +0000\n\n".utf8)))
    }
    let people = try book.known(correspondents.all(own: ["me@example.net"]))
    #expect(people.map(\.contactName).sorted() == ["", "", "Bob"])
    #expect(try book.recordLastContact(of: people) == 1)
    let (added, namesakes) = try book.add(people, from: "mail")
    #expect(namesakes.map(\.name) == ["Cy"])
    let new = try book.contacts(ids: added)
    #expect(new.map(\.displayName) == ["Cy Two"] && new[0].contacted.hasPrefix("2024-01-02"))
    #expect(try book.history(limit: 2).count == 1)
  }
}
