import Contacts
import Foundation
import GRDB
import SeededRandom
import Synchronization
import Testing

@testable import AddressBookModel

struct BookStatisticsTests {
  @Test func deletedContactsAreNotCounted() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("deletedContactsAreNotCounted: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let book = try AddressBook.inMemory()
    var living: [(contact: Contact, hasPhoto: Bool)] = []
    var deleted = 0
    try book.bulkWrite { writer in
      for person in SampleContacts(count: 400, seed: seed) {
        var contact = person
        if Bool.random(using: &random) { contact.kind = .organization }
        let hasPhoto = Int.random(in: 0..<3, using: &random) == 0
        let photo = hasPhoto ? Photo(mediaType: "image/png", data: Data([1, 2, 3])) : nil
        let id = try writer.write(contact, photo: photo).id
        if Int.random(in: 0..<4, using: &random) == 0 {
          try writer.delete(id)
          deleted += 1
        } else {
          living.append((contact, hasPhoto))
        }
      }
    }
    let statistics = try book.statistics()
    #expect(statistics.organizations == living.count { $0.contact.kind == .organization })
    #expect(statistics.persons == living.count { $0.contact.kind == .person })
    #expect(statistics.deleted == deleted)
    #expect(statistics.phones == living.reduce(0) { $0 + $1.contact.phones.count })
    #expect(statistics.emails == living.reduce(0) { $0 + $1.contact.emails.count })
    #expect(statistics.birthdays == living.count { $0.contact.birthday != nil })
    #expect(statistics.photos == living.count { $0.hasPhoto })
    #expect(try statistics.groups == book.groups().count)
  }

  /// Otherwise SQLite would walk the index of the list's order, and fetch each contact from another part of the file.
  @Test func contactsAreReadInTheOrderOfTheFile() throws {
    let statements = Mutex<[String]>([])
    let book = try AddressBook.open(at: .inMemory, mode: .readWrite) { line in
      statements.withLock { $0.append(line) }
    }
    statements.withLock { $0 = [] }
    _ = try book.statistics()
    let counts = statements.withLock { $0 }.compactMap { line in
      line.range(of: "SELECT").map { String(line[$0.lowerBound...]) }
    }.filter { $0.uppercased().contains("COUNT(") }
    #expect(counts.count == 6)
    for sql in counts {
      let plan = try book.store.read { db in
        let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
        statement.setUncheckedArguments(StatementArguments())
        return try Row.fetchAll(statement).map { $0["detail"] as String }
      }
      #expect(plan.allSatisfy { !$0.contains("contact_order") }, "\(sql): \(plan)")
    }
  }
}
