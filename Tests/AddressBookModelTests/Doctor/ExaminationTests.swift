import Contacts
import Foundation
import GRDB
import SystemCalls
import Testing

@testable import AddressBookModel
@testable import BookCare
@testable import Messages

/// What the doctor finds, and that an examination changes nothing.
struct ExaminationTests {
  private let file: DamagedBookFile

  init() throws { file = try DamagedBookFile() }

  private func find(_ kind: Finding.Kind) throws -> Finding {
    try #require(try file.doctor.examine().findings.first { $0.kind == kind })
  }

  @Test func aGoodBookHasNoFindings() throws {
    let examination = try file.doctor.examine()
    #expect(examination.isHealthy && !examination.isRepairable && !examination.needsSalvage)
    #expect(examination.contacts == 61)
    #expect(try file.kinds().isEmpty)
  }

  @Test func anExaminationWritesNothing() throws {
    let (names, bytes) = (file.folder.names, file.bytes)
    _ = try file.doctor.examine()
    #expect(file.folder.names == names)
    #expect(file.bytes == bytes)
  }

  @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
  func aBookInAReadOnlyFolderIsExamined() throws {
    chmod(file.path, 0o400)
    chmod(file.folder.path, 0o500)
    defer { chmod(file.folder.path, 0o700) }
    #expect(try file.doctor.examine().isHealthy)
  }

  @Test func aLeftoverLogIsReadButNotChanged() throws {
    let before = file.bytes
    let book = try AddressBook.open(at: file.location)
    var contact = Contact()
    contact.family = "Clark"
    try book.bulkWrite { _ = try $0.write(contact) }
    let log = file.folder.bytes(of: "book.db-wal")
    book.close()
    file.bytes = before
    _ = file.folder.write(log, to: "book.db-wal")
    let names = file.folder.names
    let examination = try file.doctor.examine()
    #expect(examination.contacts == 62, "what the log holds is part of the book")
    #expect(examination.findings.contains { $0.kind == .log && $0.severity == .note })
    #expect(file.folder.names == names)
    #expect(file.folder.bytes(of: "book.db-wal") == log)
    #expect(file.bytes == before)
  }

  @Test func aBookOpenInThisProcessIsLeftAlone() throws {
    let book = try AddressBook.open(at: file.location)
    defer { book.close() }
    #expect(throws: StoreError.self) { try file.doctor.examine() }
  }

  @Test(arguments: [
    ("UPDATE contact SET note = 'x' WHERE id = 9", Finding.Kind.contacts),
    ("UPDATE phone SET value = '1' WHERE id = 2", .contacts),
    ("UPDATE avatar SET data = x'00' WHERE contact_id = 1", .photos),
    ("UPDATE section_count SET count = count + 1 WHERE section = 3", .sectionCounts),
    ("DELETE FROM sqlite_sequence WHERE name = 'phone'", .numbers),
    ("UPDATE edit_entry SET changes = x'0102' WHERE changes IS NOT NULL", .history),
    ("DELETE FROM results_log_contact", .changeLog), ("DELETE FROM results_log_contact WHERE seq > 9", .changeLog),
    ("INSERT INTO phone (contact_id, value) VALUES (4711, '1')", .references),
    ("DROP TRIGGER part_inserted_phone", .schema), ("DROP INDEX phone_contact", .schema),
    ("CREATE TABLE other (a)", .additions), ("DROP TABLE not_same", .tables),
  ])
  func damageIsFound(_ sql: String, _ kind: Finding.Kind) throws {
    try file.execute(sql)
    let finding = try find(kind)
    #expect(!finding.message(in: Localization(language: .english)).contains("Finding/"))
    if kind != .additions { #expect(!finding.advice(in: Localization(language: .english)).isEmpty) }
  }

  @Test func tablesOfOtherProgramsAreNotExamined() throws {
    try file.execute("CREATE TABLE other (contact INTEGER REFERENCES contact(id)); INSERT INTO other VALUES (4711)")
    #expect(try file.kinds() == [.additions])
  }

  @Test func theIDsOfOtherProgramsAreNotExamined() throws {
    try file.execute(
      """
      CREATE TABLE other (key TEXT PRIMARY KEY /* no autoincrement */) WITHOUT ROWID;
      CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT);
      INSERT INTO numbered VALUES (5);
      DELETE FROM sqlite_sequence WHERE name = 'numbered'
      """)
    #expect(try file.kinds() == [.additions])
  }

  @Test func anEmptyFileWithALogIsNamed() throws {
    let folder = TemporaryFolder()
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { _ = try $0.write(.example) }
    let log = folder.bytes(of: "book.db-wal")
    book.close()
    _ = folder.write([], to: "book.db")
    _ = folder.write(log, to: "book.db-wal")
    let examination = try BookDoctor(folder.book()).examine()
    #expect(examination.findings.filter { $0.severity > .note }.map(\.kind) == [.emptied, .permissions])
    #expect(examination.contacts == 1 && !examination.findings.contains { $0.kind == .log })
    #expect(try BookDoctor(folder.book()).repair().after.isHealthy)
  }

  @Test func copiesOfOlderSchemasAreReported() throws {
    _ = file.folder.write(file.bytes, to: "book.db.v8")
    chmod(file.folder.file("book.db.v8"), 0o644)
    let path = RealPath.target(of: file.path) + ".v8"
    #expect(try find(.leftovers).details == [path])
    #expect(try find(.permissions).details == [path])
    _ = try file.doctor.repair()
    #expect(file.folder.mode(of: "book.db.v8") == 0o600)
  }

  @Test func writesOfOtherProgramsAreNotDamage() throws {
    try file.execute("UPDATE contact SET family = 'Zorn', formatted_name = '' WHERE id = 9", keepingChecksums: false)
    let finding = try find(.derived)
    #expect(finding.severity == .warning)
    #expect(finding.contacts.map(\.id) == [9])
    #expect(try find(.unchecked).severity == .note)
  }

  @Test func aPrunedChangeLogIsComplete() throws {
    try file.execute(
      "DELETE FROM results_log_contact WHERE seq < (SELECT max(seq) FROM results_log_contact)", keepingChecksums: false)
    #expect(try file.kinds().isEmpty)
  }

  @Test func aRepairCompletesTheChangeLog() throws {
    try file.execute("DELETE FROM results_log_contact", keepingChecksums: false)
    let contacts = try file.contacts()
    let report = try file.doctor.repair()
    #expect(report.after.isHealthy && !report.after.findings.contains { $0.kind == .changeLog })
    #expect(try file.contacts() == contacts)
  }

  @Test func aFlippedBitIsFoundAndNamed() throws {
    file.replace("second line", "second lane")
    let finding = try find(.contacts)
    #expect(finding.contacts.map(\.description) == ["61 李小龙"])
    #expect(finding.severity == .damage)
  }

  @Test func aGroupWithTwoNamesIsFound() throws {
    var data = Data(file.bytes)
    let range = try #require(data.range(of: Data("Friends".utf8)))
    data[range.lowerBound] ^= 1
    file.bytes = Array(data)
    let kinds = try file.kinds()
    #expect(kinds.contains(.groups))
    #expect(kinds.contains(.structure))
  }

  /// A table or an index is damaged. A query that reads only one of the two does not notice that they differ.
  @Test(arguments: ["group_member", "contact_deleted"])
  func differencesOfTableAndIndexAreNoticed(_ name: String) throws {
    var bytes = file.bytes
    // The first row that was written is at the end of its page, and the contact at the end of the row.
    bytes[try file.root(name) * 4096 - 1] ^= 64
    file.bytes = bytes
    let book = try AddressBook.open(at: file.location)
    defer { book.close() }
    do {
      _ = try book.groups()
      try book.checkGroups()
      #expect(book.damage.isListIncomplete)
    } catch {
      #expect(error.reason == .damaged)
    }
  }

  /// A list that is read through an index leaves out what the index leaves out.
  @Test(arguments: [
    ("contact_order", "UPDATE contact SET section = section + 1 WHERE id = 9"),
    ("contact_order", "UPDATE contact SET deleted_at = modified_at WHERE id = 9"),
    ("contact_order", "UPDATE contact SET deleted_at = NULL WHERE id = 3"),
    ("phone_contact", "UPDATE phone SET contact_id = 1 WHERE contact_id = 9"),
    ("email_contact", "DELETE FROM email WHERE id = (SELECT max(id) FROM email)"),
    ("address_contact", "UPDATE address SET position = position + 1 WHERE id = (SELECT max(id) FROM address)"),
  ])
  func anIndexThatDiffersIsNoticed(_ index: String, _ change: String) throws {
    try #require(try file.withoutIndex(index) { execute in try execute(change) })
    let book = try AddressBook.open(at: file.location)
    defer { book.close() }
    try book.checkIndexes()
    #expect(book.damage.isListIncomplete)
  }

  @Test func damageToADeletedContactIsNoticed() throws {
    func damage() throws -> Bool {
      let book = try AddressBook.open(at: file.location)
      defer { book.close() }
      try book.checkIndexes()
      try book.checkDeleted()
      return !book.damage.isEmpty
    }
    #expect(try !damage())
    try file.execute("UPDATE contact SET note = 'damaged' WHERE id = 3")
    #expect(try damage())
  }

  @Test func otherFilesAreNeitherExaminedNorRepaired() throws {
    file.bytes = Array("some text ".utf8) + Array(repeating: 32, count: 9000)
    let examination = try file.doctor.examine()
    #expect(examination.findings.first?.kind == .unopenable)
    #expect(!examination.isRepairable)
    #expect(throws: Never.self) { try file.doctor.repair() }
    #expect(file.kept.isEmpty)
  }

  /// The rescue screen promises to keep the original only then.
  @Test(arguments: [
    ([Finding(.cut, .damage), Finding(.permissions, .warning, isRepairable: true)], false, false),
    ([Finding(.structure, .damage, isRepairable: true)], false, true), ([Finding(.cut, .damage)], true, true),
  ])
  func onlyARepairOfDamageKeepsTheOriginal(_ findings: [Finding], needsSalvage: Bool, isKept: Bool) {
    let examination = Examination(path: "", findings: findings, contacts: nil, needsSalvage: needsSalvage)
    #expect(examination.keepsOriginal == isKept)
  }

  @Test func aFolderKeepsItsPermissions() throws {
    let folder = TemporaryFolder()
    let path = folder.file("book.db")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    chmod(path, 0o755)
    let report = try BookDoctor(folder.book()).repair()
    #expect(report.actions.isEmpty && report.before.findings.map(\.kind) == [.unopenable])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o755)
  }

  @Test func readPermissionsOfOthersAreReported() throws {
    chmod(file.path, 0o644)
    #expect(try find(.permissions).details == [RealPath.target(of: file.path)])
    let report = try file.doctor.repair()
    #expect(file.folder.mode(of: "book.db") == 0o600)
    #expect(report.after.isHealthy)
    #expect(file.kept.isEmpty, "the book itself was not changed")
  }

  @Test func aNewerBookIsNotRepaired() throws {
    try file.execute("PRAGMA user_version = 99; INSERT INTO grdb_migrations VALUES ('v99')")
    let before = file.bytes
    let examination = try file.doctor.examine()
    #expect(examination.findings.first?.kind == .unopenable)
    #expect(!examination.isRepairable)
    _ = try file.doctor.repair()
    #expect(file.bytes == before)
  }

  /// The doctor does not know whether automatic backups are turned off, so its advice must be true in both cases.
  @Test(arguments: Language.allCases)
  func theAdviceOnBackupsMentionsTheSetting(_ language: Language) throws {
    #expect(try find(.noBackup).advice(in: Localization(language: language)).contains("config.toml"))
  }

  @Test func everyFindingHasItsStrings() {
    for language in Language.allCases {
      let localization = Localization(language: language)
      for kind in Finding.Kind.allCases where kind != .unopenable {
        #expect(localization.has("Finding/\(kind.rawValue)#other"), "\(language) \(kind)")
      }
      for kind in RepairReport.Action.Kind.allCases {
        #expect(localization.has("Repaired/\(kind.rawValue)#other"), "\(language) \(kind)")
      }
      for stage in DoctorProgress.Stage.allCases { #expect(localization.has("DoctorStage/\(stage.rawValue)")) }
    }
  }
}

/// The index of the list has the id of one contact in place of another's, so that one is twice in the list, and one is
/// not.
struct WrongIDTests {
  private let file: DamagedBookFile

  init() throws {
    file = try DamagedBookFile()
    let queue = try DatabaseQueue(path: file.path)
    let key = try #require(
      try queue.read {
        try Data.fetchOne($0, sql: "SELECT sort_key FROM contact WHERE id = 10")
      })
    try queue.close()
    var data = Data(file.bytes)
    // The column of the id, and the rowid, which is read.
    let cell = try #require(data.range(of: key + [10, 10]))
    data[cell.upperBound - 1] = 11
    file.bytes = Array(data)
  }

  @Test func aListNoticesIt() throws {
    let book = try AddressBook.open(at: file.location)
    var ids: [Int64] = []
    try book.forEachRow {
      ids.append($0.id)
      return true
    }
    #expect(ids.count { $0 == 11 } == 2 && !ids.contains(10), "the damage is what it should be")
    #expect(book.damage.isListIncomplete)
  }

  @Test func birthdaysDoNotDependOnIt() throws {
    let book = try AddressBook.open(at: file.location)
    let listed = try Set(book.contactIDsWithBirthday())
    let stored = try book.store.read {
      try Int64.fetchSet($0, sql: "SELECT id FROM contact NOT INDEXED WHERE birthday <> '' AND deleted_at IS NULL")
    }
    #expect(listed == stored)
  }
}
