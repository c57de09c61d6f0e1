import ContactSearch
import Contacts
import Foundation
import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel
@testable import BookSearching

/// The quick way from the tables to an index, compared with one document for each contact.
@Suite struct SearchDocumentBatchTests {
  private static func parts(_ index: SearchIndex) throws -> [[UInt8]] {
    try #require(index.withStoredParts { $0.map { Array($0) } })
  }

  /// Names, parts of names, other scripts, addresses, not in form C, empty. `bytes` adds texts with a NUL, and texts
  /// that are not UTF-8.
  private static let values = [
    "", " ", "Li", "Li Ming", "LiMing", "Ming", "李明", "李", "明", "佐藤 さくら", "김철수", "O’Connor",
    "o'connor@example.com", "+86 (0)138 0013 8000", "0086 10 6655", "https://Example.com/ü", "e\u{301}", "É",
    "\u{1}\u{7F}", "😀",
    String(repeating: "曾国藩", count: 40),
  ]
  private static let bytes: [[UInt8]] =
    values.map { Array($0.utf8) }
    + [[0x4C, 0xFF, 0x69], [0xE6, 0x9D], [0x4C, 0, 0x69], [0xED, 0xA0, 0x80, 0x41], [0xC3]]

  @Test func theBatchGivesTheIndexOfTheDocuments() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("search document batch: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let book = try AddressBook.inMemory()
    try book.bulkWrite { writer in
      for person in SampleContacts(count: 1500, seed: 11) { try writer.write(person) }
      try writer.write(.example, photo: Photo(mediaType: "image/png", data: Data([1])))
    }
    try book.database.write { db in
      func value() -> Data { Data(Self.bytes.randomElement(using: &random) ?? []) }
      let columns = ["display_name", "birthday"] + ContactFields.standard.texts.map(\.column)
      for id in try Int64.fetchAll(db, sql: "SELECT id FROM contact") {
        for column in columns where Int.random(in: 0..<6, using: &random) == 0 {
          try db.execute(sql: "UPDATE contact SET \(column) = CAST(? AS TEXT) WHERE id = ?", arguments: [value(), id])
        }
        for field in ContactFields.standard.values where Int.random(in: 0..<4, using: &random) == 0 {
          try db.execute(
            sql: "UPDATE \(field.table) SET value = CAST(? AS TEXT) WHERE contact_id = ?", arguments: [value(), id])
        }
        for part in AddressPart.inCardOrder where Int.random(in: 0..<4, using: &random) == 0 {
          try db.execute(
            sql: "UPDATE address SET \(part.column) = CAST(? AS TEXT) WHERE contact_id = ?", arguments: [value(), id])
        }
        if Int.random(in: 0..<6, using: &random) == 0 {
          let lines = StoredLines.text(["FN:A", "item1.NOTE:a", "NOTE:b\\, c", "ORG:d"])
          try db.execute(
            sql: "INSERT OR REPLACE INTO contact_card(contact_id, lines) VALUES (?, ?)", arguments: [id, lines])
        }
        if Int.random(in: 0..<20, using: &random) == 0 {
          try db.execute(sql: "UPDATE contact SET deleted_at = '2026-01-01T00:00:00Z' WHERE id = ?", arguments: [id])
        }
      }
    }
    var documents: [SearchDocument] = []
    try book.forEachSearchDocument {
      documents.append($0)
      return true
    }
    let (plain, quick) = (SearchIndex(), SearchIndex())
    plain.rebuild(from: documents)
    try book.store.read { db in _ = try quick.rebuild(from: db) }
    #expect(quick.count == documents.count && documents.contains { !$0.phoneticFamily.isEmpty })
    #expect(documents.contains { $0.more.contains("b, c") })
    #expect(try Self.parts(plain) == Self.parts(quick))
  }

  @Test func accountsRelationsAndFurtherTextsAreFound() throws {
    var contact = Contact()
    contact.given = "Paul"
    contact.handles = [LabeledValue(label: "wechat", value: "小禾 88")]
    contact.related = [LabeledValue(label: "sister", value: "Thea Holm")]
    contact.custom = [LabeledValue(value: "lefty"), LabeledValue(label: "team", value: "Blue")]
    contact.note = "keeps bees"
    contact.cardLines = ["FN:Paul", "NOTE:keeps bees", "NOTE:sings bass", "TITLE:Roofer", "TITLE:Cox"]
    for (text, field) in [
      ("小禾", "handles[0]"), ("thea", "related[0]"), ("bass", "note"), ("cox", "title"), ("lefty", "custom[0]"),
      ("blue", "custom[1]"),
    ] {
      let found = ContactMatcher(text).matches(in: contact)
      #expect(found.map(\.field) == [field] && found.map(\.ownName) == [text == "blue" ? "team" : ""], "\(text)")
      #expect(
        found.first.map { match in match.ranges.allSatisfy { $0.upperBound <= match.text.unicodeScalars.count } }
          == true)
    }
    #expect(contact.furtherTexts.map(\.text) == ["sings bass", "Cox"])
  }

  @Test func anErrorLeavesTheIndexAsItWas() throws {
    let book = try AddressBook.inMemory()
    try book.bulkWrite { for person in SampleContacts(count: 1500, seed: 4) { try $0.write(person) } }
    let index = SearchIndex()
    index.upsert(SearchDocument(id: 1, name: "Ann"))
    try book.store.read { db in
      var cursor = try SearchDocumentCursor(db)
      var count = 0
      #expect(throws: CancellationError.self) {
        try index.rebuild(reading: { batch throws in
          count += 1
          if count == 1200 { throw CancellationError() }
          return try cursor.appendNext(to: &batch)
        })
      }
      #expect(index.search(SearchQuery("ann")).map(\.id) == [1])
      // The next rebuild runs.
      #expect(try index.rebuild(from: db) && index.count == 1500)
    }
  }
}
