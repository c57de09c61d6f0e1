import Contacts
import GRDB
import Testing

@testable import AddressBookModel
@testable import BookInterchange

@Suite struct ContactSectionsTests {
  private static let names = [
    "Adam", "李强", "Анна", "Андрей", "Яна", "Ωμέγα", "さくら", "김민준", "محمد", "42", "43", "☎", "\u{200B}", "Zoë",
  ]

  private func book(_ location: StoreLocation = .inMemory) throws -> AddressBook {
    let book = try AddressBook.open(at: location)
    try book.bulkWrite { writer in
      for name in Self.names {
        var contact = Contact()
        contact.formattedName = name
        _ = try writer.write(contact)
      }
    }
    return book
  }

  /// The query that skips from section to section gives the same counts as a scan.
  @Test func countsAreThoseOfTheRows() throws {
    let book = try book()
    let key = ContactSections.scripts.key()
    func counts(_ sql: String) throws -> [[Int]] {
      try book.database.read { db in try Row.fetchAll(db, sql: sql).map { [$0[0], $0[1]] } }
    }
    func check() throws {
      #expect(
        try counts(ContactSections.scripts.countsSQL)
          == counts("SELECT \(key), count(*) FROM contact WHERE deleted_at IS NULL GROUP BY 1 ORDER BY 1"))
    }
    try check()
    let titles = try counts(ContactSections.scripts.countsSQL).map { ContactSection(value: Int64($0[0]))?.letter }
    #expect(titles == ["A", "L", "Z", "Ω", "А", "Я", "م", "ㄱ", "さ", "#"])
    #expect(
      try counts(ContactSections.latin.countsSQL).map { ContactSection(value: Int64($0[0]))?.letter } == [
        "A", "L", "Z", "#",
      ])
    try book.database.write { db in
      try db.execute(
        sql: "UPDATE contact SET deleted_at = '2026-01-01T00:00:00Z' WHERE display_name IN ('Анна', '42', 'Adam')")
    }
    try check()
  }

  /// Names are sorted as they are displayed: in kana and Hangul, the family name comes first.
  @Test(arguments: [("김", "철수"), ("やまだ", "はなこ"), ("山田", "はなこ"), ("李", "强"), ("Smith", "Ann")])
  func aNameIsSortedAsItIsDisplayed(family: String, given: String) {
    var contact = Contact()
    (contact.family, contact.given) = (family, given)
    var whole = Contact()
    whole.formattedName = NameStyle().name(of: contact)
    #expect(DerivedColumns(contact).sortKey == DerivedColumns(whole).sortKey)
  }

  /// The sort keys of an earlier version have no sections for scripts. They are recomputed when the book is opened.
  @Test func keysOfAnEarlierVersionGetTheirSections() throws {
    let folder = TemporaryFolder()
    let old = try book(folder.book())
    func titles(_ book: AddressBook) throws -> [String?] {
      try book.database.read { db in
        try Int64.fetchAll(db, sql: "SELECT section FROM (\(ContactSections.scripts.countsSQL))")
      }.map { ContactSection(value: $0)?.letter }
    }
    let now = try titles(old)
    try old.database.write { db in
      try db.execute(
        sql: """
          UPDATE contact SET sort_key = CAST(x'1a04' || substr(sort_key, 5) AS BLOB)
          WHERE sort_key BETWEEN x'1a01' AND x'1a02'
          """)
      try db.execute(sql: "UPDATE store_info SET value = replace(value, 'key-2', 'key-1') WHERE key = 'collation'")
    }
    #expect(try titles(old) == ["A", "L", "Z", "#"])
    old.close()
    let again = try AddressBook.open(at: folder.book())
    #expect(try titles(again) == now)
    again.close()
  }
}
