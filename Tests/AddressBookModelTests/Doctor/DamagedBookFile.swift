import Contacts
import Foundation
import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel
@testable import BookCare

/// A book in a file with a little of everything, and ways to damage it.
struct DamagedBookFile {
  let folder = TemporaryFolder()
  var location: StoreLocation { folder.book() }
  var path: String { folder.file("book.db") }

  init(people: Int = 60, padding: Int = 0) throws {
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite(as: StepName(.importing, "people.vcf")) { writer in
      for (number, person) in SampleContacts(count: people, seed: 7).enumerated() {
        var person = person
        person.groups = number.isMultiple(of: 3) ? ["Friends", "Work"] : number.isMultiple(of: 5) ? ["Friends"] : []
        if number.isMultiple(of: 9) { person.note = String(repeating: "A long note of \(number). ", count: 400) }
        if padding > 0 { person.cardLines = [String(repeating: "X-LINE-\(number):", count: padding)] }
        let photo =
          number.isMultiple(of: 10) ? Photo(mediaType: "image/png", data: Data(repeating: 7, count: 9000)) : nil
        try writer.write(person, photo: photo)
      }
      try writer.write(.example)
    }
    _ = try book.bulkEdit([3, 4], .delete, as: StepName(.delete), isCancelled: { false })
    _ = try book.bulkEdit([5, 6, 7], .change { $0.note = "changed" }, as: StepName(.edit), isCancelled: { false })
    book.close()
  }

  /// Makes an automatic backup.
  func backUp() throws {
    let book = try AddressBook.open(at: location)
    let day = try #require(CalendarDay(year: 2026, month: 11, day: 1))
    _ = try AutomaticBackup(of: book, keeping: 3).run(on: day)
    book.close()
  }

  /// Reads every contact, including deleted ones, without its version, which a repair may raise.
  func contacts(_ path: String? = nil) throws -> [Contact] {
    let queue = try DatabaseQueue(path: path ?? self.path, configuration: StoreConfiguration().connection())
    defer { try? queue.close() }
    return try queue.read { db in
      try ContactLoader(db).load(Int64.fetchAll(db, sql: "SELECT id FROM contact ORDER BY id"))
    }.map { contact in
      var contact = contact
      contact.version = 0
      return contact
    }
  }

  /// Runs SQL. By default, checksums and versions stay as they are, as if the disk had changed the data.
  func execute(_ sql: String, keepingChecksums: Bool = true) throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      let before = try Row.fetchAll(db, sql: "SELECT * FROM contact_checksum")
      guard keepingChecksums else { return try db.execute(sql: sql) }
      try OwnVersions.begin(db)
      try db.execute(sql: sql)
      try OwnVersions.end(db)
      for row in before {
        try db.execute(
          sql: "INSERT OR REPLACE INTO contact_checksum(contact_id, whole) VALUES (?, ?)",
          arguments: [row[0], row[1]])
      }
    }
  }

  /// Calls `body` with a function that runs SQL while the index is not in the schema, so that the index stays as it is.
  /// - Returns: false if there is no such index.
  func withoutIndex(_ name: String, _ body: ((String) throws -> Void) throws -> Void) throws -> Bool {
    func inSchema(_ change: (Database) throws -> Void) throws {
      let queue = try DatabaseQueue(path: path)
      defer { try? queue.close() }
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA writable_schema = ON")
        try change(db)
      }
    }
    var row: Row?
    try inSchema { db in
      row = try Row.fetchOne(db, sql: "SELECT * FROM sqlite_master WHERE name = ?", arguments: [name])
      try db.execute(sql: "DELETE FROM sqlite_master WHERE name = ?", arguments: [name])
    }
    guard let row else { return false }
    try body { try execute($0) }
    try inSchema { db in
      try db.execute(
        sql: "INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)",
        arguments: StatementArguments(Array(row.databaseValues)))
    }
    return true
  }

  var bytes: [UInt8] {
    get { folder.bytes(of: "book.db") }
    nonmutating set {
      _ = folder.write(newValue, to: "book.db")
      chmod(path, 0o600)
    }
  }

  /// Replaces text everywhere in the file with another text of the same length.
  func replace(_ text: String, _ other: String) {
    var data = Data(bytes)
    while let range = data.range(of: Data(text.utf8)) { data.replaceSubrange(range, with: Data(other.utf8)) }
    bytes = Array(data)
  }

  /// Flips a bit, given as a mask, of the first byte of an occurrence of a text in the file; occurrences count from 0.
  /// - Returns: false if there are fewer occurrences.
  func flip(_ text: String, bit: UInt8, occurrence: Int) -> Bool {
    var data = Data(bytes)
    var start = data.startIndex
    for number in 0... {
      guard let range = data.range(of: Data(text.utf8), in: start..<data.endIndex) else { return false }
      start = range.upperBound
      if number < occurrence { continue }
      data[range.lowerBound] ^= bit
      bytes = Array(data)
      return true
    }
    return false
  }

  /// Fills pages with noise. The first page has the number 1.
  func overwrite(pages: some Sequence<Int>, seed: UInt64 = 1) {
    var generator = SeededGenerator(seed: seed)
    var all = bytes
    for page in pages {
      for index in (page - 1) * 4096..<min(all.count, page * 4096) {
        all[index] = .random(in: 0...255, using: &generator)
      }
    }
    bytes = all
  }

  /// Returns the root page of a table or an index.
  func root(_ name: String) throws -> Int {
    Int(try number("SELECT rootpage FROM sqlite_master WHERE name = ?", [name]) ?? 0)
  }

  /// Returns the number that a query finds; nil if there is none.
  func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64? {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try Int64.fetchOne($0, sql: sql, arguments: arguments) }
  }

  var doctor: BookDoctor { BookDoctor(location) }

  func kinds() throws -> [Finding.Kind] {
    try doctor.examine().findings.map(\.kind).filter { $0 != .noBackup && $0 != .leftovers }
  }

  /// Checks references, and runs SQLite's integrity check; returns "ok" if both pass.
  func integrity() throws -> String? {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      let references = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
      return references.isEmpty ? try String.fetchOne(db, sql: "PRAGMA integrity_check") : "foreign keys"
    }
  }

  /// The names of the damaged books that repairs have kept.
  var kept: [String] { folder.names.filter { $0.hasPrefix("book.db.damaged-") } }
}
