import ChangeLog
import Contacts
import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel

/// A bulk write that replaces the triggers writes the same rows as one in which they run.
struct TriggerReplacementTests {
  @Test(arguments: [UInt64(1), 2, 3, .random(in: 4...(.max))])
  func theReplacementWritesWhatTheTriggersWrite(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let plans = (0..<900).map { _ in Plan(random: &random) }
    let quick = try write(plans, replacesTriggers: true)
    let plain = try write(plans, replacesTriggers: false)
    for table in ["contact", "phone", "contact_card", "group_member", "section_count", "contact_checksum"] {
      #expect(quick[table] == plain[table], "\(table), seed \(seed)")
    }
    #expect(quick["log"] == plain["log"], "seed \(seed)")
    // The triggers run again.
    #expect(quick["after"] == plain["after"])
  }

  /// More rows than the log keeps make one line, and a reader knows that others are missing.
  @Test func aLongRangeIsOneLine() throws {
    let book = try AddressBook.inMemory()
    let log = ChangeTracking.contacts
    try book.store.transaction(isBulk: true, raisesVersions: true) { db in
      let reader = try #require(try ChangeLogReader(log, in: db))
      let before = try reader.cursor(in: db)
      let writer = try BulkWriter(db, groupPolicy: .add, recorder: nil, replacesTriggers: true)
      for number in 0..<log.capacity + 600 {
        try writer.write(contact("u\(number)", "Ann"))
      }
      try writer.finish()
      // The lines that the triggers wrote for the first contacts are pruned.
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(log.logTable)") == 1)
      let last = try reader.cursor(in: db)
      #expect(last.line - before.line == Int64(log.capacity + 600))
      #expect(try reader.writes(since: before, in: db) == .lost(cursor: last))
      #expect(try reader.writes(since: last, in: db) == .rows([:], cursor: last))
    }
    #expect(try book.checkedCount() == log.capacity + 600)
  }

  @Test func triggersOfOtherProgramsRun() throws {
    let book = try AddressBook.inMemory()
    try book.store.write { db in
      try db.execute(
        sql: """
          CREATE TABLE seen (id);
          CREATE TRIGGER see AFTER INSERT ON contact BEGIN INSERT INTO seen VALUES (NEW.id); END
          """)
    }
    try book.store.transaction(isBulk: true, raisesVersions: true) { db in
      let writer = try BulkWriter(db, groupPolicy: .add, recorder: nil, replacesTriggers: true)
      for number in 0..<400 { try writer.write(contact("u\(number)", "Ann")) }
      try writer.finish()
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM seen") == 400)
    }
  }

  private func contact(_ uid: String, _ name: String) -> Contact {
    var contact = Contact()
    contact.uid = uid
    contact.given = name
    return contact
  }

  private enum Plan {
    case add(String, groups: [String])
    case change(Int)
    case delete(Int)
    case restore(Int)

    init(random: inout SeededGenerator) {
      let index = Int.random(in: 0..<500, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: self = .change(index)
      case 1: self = .delete(index)
      case 2: self = .restore(index)
      default:
        let name = ["王", "Ann", "Zoë", "Иван", "7"].randomElement(using: &random) ?? ""
        self = .add(name, groups: ["家", "Work"].filter { _ in Bool.random(using: &random) })
      }
    }
  }

  /// Returns the rows of the tables after these writes.
  private func write(_ plans: [Plan], replacesTriggers: Bool) throws -> [String: [Row]] {
    let book = try AddressBook.inMemory()
    var rows: [String: [Row]] = [:]
    var start: Int64 = 0
    try book.store.transaction(isBulk: true, raisesVersions: true) { db in
      start = try ContactChecksums.line(db)
      let writer = try BulkWriter(
        db, groupPolicy: .add, recorder: nil, replacesTriggers: replacesTriggers,
        moment: "2026-01-01T00:00:00Z")
      var ids: [Int64] = []
      for (number, plan) in plans.enumerated() {
        switch plan {
        case .add(let name, let groups):
          var contact = contact("u\(number)", name)
          contact.groups = groups
          contact.phones = [LabeledValue(label: "home", value: "\(number)")]
          contact.cardLines = ["X-A:\"\\\u{1}\n"]
          ids.append(try writer.write(contact).id)
        case .change(let index) where index < ids.count:
          try writer.change(ids[index]) {
            $0.family = "Changed"
            $0.phones = []
          }
        case .delete(let index) where index < ids.count: try writer.delete(ids[index])
        case .restore(let index) where index < ids.count: try writer.restore(ids[index])
        default: break
        }
      }
      try writer.finish()
    }
    try book.store.write { db in
      for table in ["phone", "contact_card", "group_member", "section_count", "contact_checksum"] {
        rows[table] = try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1, 2")
      }
      rows["contact"] = try Row.fetchAll(
        db, sql: "SELECT id, uid, given, family, section, version, deleted_at IS NULL FROM contact ORDER BY id")
      rows["log"] = try Row.fetchAll(
        db,
        sql: """
          SELECT seq - ?, old_id, new_id, old_content FROM results_log_contact WHERE seq > ? ORDER BY seq
          """, arguments: [start, start])
      try db.execute(sql: "UPDATE contact SET given = 'x' WHERE id = 1")
      rows["after"] = try Row.fetchAll(
        db, sql: "SELECT old_id, new_id, old_content FROM results_log_contact ORDER BY seq DESC LIMIT 1")
    }
    return rows
  }
}

extension AddressBook {
  /// The number of contacts that have a checksum.
  fileprivate func checkedCount() throws -> Int? {
    try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM contact_checksum") }
  }
}
