import Contacts
import Foundation
import GRDB
import SeededRandom
import SystemCalls
import Testing

@testable import AddressBookModel
@testable import BookCare
@testable import FolderSync
@testable import Messages

/// Books that SQLite cannot read: everything readable is in the new book.
struct SalvageTests {
  private func salvage(_ file: DamagedBookFile) throws -> RepairReport {
    let damaged = file.bytes
    let report = try file.doctor.repair()
    #expect(report.after.isHealthy, "\(report.after.findings)")
    #expect(try file.integrity() == "ok")
    #expect(report.actions.contains { $0.kind == .salvaged })
    #expect(file.kept.map { file.folder.bytes(of: $0) } == [damaged], "the damaged file is kept as it was")
    #expect(file.folder.mode(of: "book.db") == 0o600)
    return report
  }

  /// The first page has the schema. Without it, a salvage assumes the root pages of a new book.
  @Test func theFirstPageCanBeLost() throws {
    let file = try DamagedBookFile()
    let original = try file.contacts()
    file.overwrite(pages: [1])
    _ = try salvage(file)
    #expect(try file.contacts() == original)
  }

  /// The schema has several pages. Each can be lost, alone or with the first one, which also says whose file it is.
  @Test(arguments: [Set<Int>(), [1]]) func anyPageOfTheSchemaCanBeLost(_ others: Set<Int>) throws {
    let whole = try DamagedBookFile()
    let (original, bytes) = (try whole.contacts(), whole.bytes)
    let pages = stride(from: 4096, to: bytes.count, by: 4096).filter { start in
      bytes[start] == 13 && Data(bytes[start..<start + 4096]).range(of: Data("CREATE T".utf8)) != nil
    }.map { $0 / 4096 + 1 }
    #expect(pages.count > 2)
    for page in pages {
      let file = try DamagedBookFile()
      file.bytes = bytes
      file.overwrite(pages: others.union([page]))
      _ = try salvage(file)
      #expect(try file.contacts() == original, "page \(page)")
    }
  }

  /// Another program's contacts, in tables with the names of ours, are not made into a book.
  @Test(arguments: [false, true]) func theBookOfAnotherProgramIsNotSalvaged(isDamaged: Bool) throws {
    let folder = TemporaryFolder()
    let queue = try DatabaseQueue(path: folder.file("book.db"))
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
      for name in ["contact", "phone", "email"] {
        try db.execute(
          sql: "CREATE TABLE \(name) (id INTEGER PRIMARY KEY AUTOINCREMENT, contact_id INTEGER, a, b, c, label, value)")
      }
      try db.execute(sql: "INSERT INTO phone (contact_id, label, value) VALUES (1, 'home', '123')")
    }
    try migrator.migrate(queue)
    try queue.close()
    var bytes = folder.bytes(of: "book.db")
    // The end of the list of the schema's rows.
    if isDamaged { bytes[4000] ^= 0xFF }
    _ = folder.write(bytes, to: "book.db")
    let examination = try BookDoctor(folder.book()).examine()
    #expect(!examination.isRepairable && !examination.needsSalvage, "\(examination.findings)")
    _ = try? BookDoctor(folder.book()).repair()
    #expect(folder.bytes(of: "book.db") == bytes)
  }

  /// Rows are in leaf pages, which can be found without the inner page above them.
  @Test(arguments: ["contact", "phone", "email", "address", "contact_card", "contact_checksum", "edit_entry", "avatar"])
  func theRootPageOfATableCanBeLost(_ table: String) throws {
    let file = try DamagedBookFile(people: 400, padding: 20)
    let original = try file.contacts()
    file.overwrite(pages: [try file.root(table)])
    _ = try salvage(file)
    let found = try file.contacts()
    // If the root page is a leaf, its rows are lost.
    if ["contact", "phone", "email", "contact_card"].contains(table) { #expect(found == original) }
    #expect(found.map(\.uid) == original.map(\.uid))
  }

  /// Damage has cut a row of a page that no tree leads to after its first value.
  @Test func aRowOfOneValueDoesNotEndASalvage() throws {
    let file = try DamagedBookFile(people: 400)
    let root = try file.root("phone")
    let leaf = try #require(try page(of: "phone", row: 1, file))
    try #require(leaf != root)
    var bytes = file.bytes
    let start = (leaf - 1) * 4096
    // The page is recognized by its first rows.
    let pointer = start + 8 + 2 * 20
    var offset = start + Int(bytes[pointer]) << 8 + Int(bytes[pointer + 1])
    for _ in 0..<2 {
      while bytes[offset] & 0x80 != 0 { offset += 1 }
      offset += 1
    }
    // The length of the row's header: its own byte, and one type.
    bytes[offset] = 2
    file.bytes = bytes
    file.overwrite(pages: [root])
    _ = try salvage(file)
  }

  /// All pages of `contact` are lost; the phone numbers and emails are in other pages.
  @Test func theValuesOfContactsWithoutARowAreKept() throws {
    let file = try DamagedBookFile(people: 8)
    let original = try file.contacts()
    file.overwrite(pages: Set(try (1...9).compactMap { try page(of: "contact", row: $0, file) }))
    #expect(try file.doctor.examine().needsSalvage)
    let report = try file.doctor.repair()
    #expect(report.after.isHealthy)
    let found = try file.contacts()
    #expect(Set(found.flatMap(\.phones)) == Set(original.flatMap(\.phones)))
    #expect(Set(found.flatMap(\.emails)) == Set(original.flatMap(\.emails)))
    #expect(report.actions.contains { $0.kind == .salvagedInPart })
  }

  @Test func theSchemaAndARootPageCanBeLost() throws {
    let file = try DamagedBookFile(people: 400)
    let original = try file.contacts()
    file.overwrite(pages: [1, try file.root("contact")])
    _ = try salvage(file)
    #expect(try file.contacts() == original)
  }

  /// In version 6, the lines of cards were rows of a table.
  @Test func aBookOfAnEarlierVersionKeepsItsCards() throws {
    let folder = try MigrationTests.book(ofVersion: 6)
    for name in folder.names where name != "book.db" { unlink(folder.file(name)) }
    var bytes = folder.bytes(of: "book.db")
    bytes.replaceSubrange(0..<4096, with: Array(repeating: 7, count: 4096))
    _ = folder.write(bytes, to: "book.db")
    chmod(folder.file("book.db"), 0o600)
    let report = try BookDoctor(folder.book()).repair()
    #expect(report.after.isHealthy, "\(report.after.findings)")
    let book = try AddressBook.open(at: folder.book())
    defer { book.close() }
    #expect(try book.contact(id: 1)?.cardLines == ["VERSION:4.0", #"X-SEAT;LANGUAGE=zh:湘乡\n"荷叶""#])
    #expect(try book.contact(id: 2)?.cardLines == ["AGENT:BEGIN:VCARD\nFN:x\nEND:VCARD"])
    #expect(book.damage.isEmpty)
  }

  @Test func theHistorySurvivesASalvage() throws {
    let file = try DamagedBookFile()
    file.overwrite(pages: [1])
    _ = try salvage(file)
    let book = try AddressBook.open(at: file.location)
    defer { book.close() }
    #expect(try book.stepToUndo()?.count == 3)
    #expect(try book.groups().map(\.name) == ["Friends", "Hong Kong", "Work"])
    #expect(try book.deletedCount() == 2)
  }

  @Test(arguments: [[1], [1, 0]]) func smartGroupsSurviveASalvage(_ pages: [Int]) throws {
    let file = try DamagedBookFile()
    let book = try AddressBook.open(at: file.location)
    try book.edit(.addSmart("Acme", .search("acme")))
    try book.edit(.addSmart("单位", .condition("organization != ''")))
    book.close()
    // 0 stands for the root page of `contact`.
    file.overwrite(pages: try pages.map { $0 == 0 ? try file.root("contact") : $0 })
    _ = try salvage(file)
    let repaired = try AddressBook.open(at: file.location)
    defer { repaired.close() }
    #expect(try repaired.smartGroups().map(\.name) == ["Acme", "单位"])
    #expect(try repaired.smartGroups().map(\.rule) == [.search("acme"), .condition("organization != ''")])
    try repaired.edit(.addSmart("Later", .search("x")))
    #expect(try repaired.smartGroups().count == 3)
  }

  /// Two indexes also store the names and the UIDs of groups.
  @Test func groupsSurviveTheLossOfTheirTable() throws {
    let file = try DamagedBookFile()
    let original = try file.contacts()
    let groups = try self.groups(file)
    file.overwrite(pages: [try file.root("contact_group")])
    _ = try salvage(file)
    #expect(try self.groups(file) == groups)
    #expect(try file.contacts() == original)
  }

  private func groups(_ file: DamagedBookFile) throws -> [String] {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read {
      try String.fetchAll($0, sql: "SELECT id || uid || name FROM contact_group ORDER BY id")
    }
  }

  /// A row has more values than the table of a new book.
  @Test(arguments: ["contact", "phone", "edit_step"])
  func columnsThatAnotherProgramAddedAreLeftOut(_ table: String) throws {
    let file = try DamagedBookFile(people: 200)
    let original = try file.contacts()
    try file.execute("ALTER TABLE \(table) ADD COLUMN extra TEXT; UPDATE \(table) SET extra = 'x'")
    file.overwrite(pages: [try file.root("contact_group")])
    let report = try salvage(file)
    #expect(!report.actions.contains { $0.isLoss }, "\(report.actions)")
    #expect(try file.contacts() == original)
  }

  /// The page leads to itself, and its entries do not look like those of the table.
  @Test(.timeLimit(.minutes(1))) func aTreeThatLeadsBackToItsRootEndsASalvage() throws {
    let file = try DamagedBookFile(people: 400)
    let book = try AddressBook.open(at: file.location)
    _ = try book.bulkEdit(Array(1...400), .change { $0.nickname = "x" }, as: StepName(.edit), isCancelled: { false })
    book.close()
    let original = try file.contacts()
    let root = try file.root("edit_entry")
    var bytes = file.bytes
    let start = (root - 1) * 4096
    try #require(bytes[start] == 2, "an inner page of an index")
    for cell in 0..<Int(bytes[start + 4]) {
      var offset = start + Int(bytes[start + 12 + cell * 2]) << 8 + Int(bytes[start + 13 + cell * 2]) + 4
      while bytes[offset] & 0x80 != 0 { offset += 1 }
      // The type of the first value, after the size of the entry and the length of its header.
      bytes[offset + 2] = 0
    }
    bytes[start + 8..<start + 12] = [0, 0, UInt8(root >> 8), UInt8(root & 0xFF)]
    bytes[0] = 0
    file.bytes = bytes
    _ = try salvage(file)
    #expect(try file.contacts() == original)
  }

  private func withSyncedFile(
    people: Int, _ body: (_ file: DamagedBookFile, _ sync: (AddressBook) throws -> SyncReport) throws -> Void
  ) throws {
    let file = try DamagedBookFile(people: people)
    let cards = file.folder.file("cards")
    try FileManager.default.createDirectory(atPath: cards, withIntermediateDirectories: false)
    try body(file) { try FolderSync(book: $0, path: cards).run() }
  }

  /// The next sync neither brings back what was deleted or removed for good, nor uploads what was removed from the folder.
  @Test(arguments: [true, false]) func theStateOfSyncsIsSalvaged(hasLog: Bool) throws {
    try withSyncedFile(people: 30) { file, sync in
      let team = [
        "BEGIN:VCARD", "VERSION:3.0", "UID:t", "FN:Team", "N:Team;;;;", "X-ADDRESSBOOKSERVER-KIND:group", "END:VCARD",
        "",
      ].joined(separator: "\r\n")
      try Data(team.utf8).write(to: URL(filePath: file.folder.file("cards/team.vcf")))
      try Data(team.replacing("Team", with: "Crew").replacing("UID:t", with: "UID:c").utf8)
        .write(to: URL(filePath: file.folder.file("cards/crew.vcf")))
      var book = try AddressBook.open(at: file.location)
      _ = try sync(book)
      try book.move([1], to: nil)
      _ = try sync(book)
      try book.bulkWrite { try $0.delete(2) }
      try book.bulkWrite { try $0.delete(8) }
      _ = try book.emptyTrash([8])
      try book.edit(.delete("Crew"))
      if !hasLog { try book.store.write { try $0.execute(sql: "DELETE FROM results_log_contact") } }
      book.close()
      file.overwrite(pages: [1])
      _ = try salvage(file)
      book = try AddressBook.open(at: file.location)
      defer { book.close() }
      let report = try sync(book)
      #expect(report.toBook.total == 0 && report.toFolder.total == 3 && report.toFolder.deleted == 3, "\(report)")
      #expect(try book.contact(id: 2) == nil && book.folderNames(ofContact: 1) == [])
      let groups = try book.groups().map(\.name)
      #expect(groups.contains("Team") && !groups.contains("Crew"))
    }
  }

  /// The folder still has what a salvage lost; the loss is neither an edit nor a deletion.
  @Test func aLossIsNotSynced() throws {
    try withSyncedFile(people: 8) { file, sync in
      var book = try AddressBook.open(at: file.location)
      _ = try sync(book)
      book.close()
      let original = try file.contacts()
      let lost = try (1...9).compactMap { try page(of: "contact", row: $0, file) }.max()
      file.overwrite(pages: [try file.root("phone"), try #require(lost)])
      _ = try salvage(file)
      book = try AddressBook.open(at: file.location)
      let report = try sync(book)
      book.close()
      #expect(report.toFolder.deleted == 0)
      let living = try file.contacts()
      for contact in original where ![3, 4].contains(contact.id) {
        let found = living.first { $0.uid == contact.uid }
        #expect(found.map { Set($0.phones) } == Set(contact.phones), "\(contact.id)")
      }
    }
  }

  @Test func theCardOfALostGroupIsRemoved() throws {
    let file = try DamagedBookFile()
    try file.execute("INSERT INTO group_card (group_id, lines) SELECT id, '[]' FROM contact_group")
    let pages = ["contact_group", "sqlite_autoindex_contact_group_1", "sqlite_autoindex_contact_group_2"]
    file.overwrite(pages: try pages.map(file.root))
    let report = try salvage(file)
    #expect(try file.contacts().allSatisfy(\.groups.isEmpty))
    #expect(report.actions.contains { $0.kind == .accepted }, "their members no longer fit their checksums")
  }

  @Test func lossesAreReported() throws {
    let file = try DamagedBookFile(people: 200)
    let original = try file.contacts()
    let leaf = try #require(try page(of: "contact", row: 50, file))
    file.overwrite(pages: [leaf])
    let report = try salvage(file)
    let found = try file.contacts()
    let lost = Set(original.map(\.id)).subtracting(found.map(\.id))
    let named = report.actions.filter { $0.kind == .lost }.flatMap { $0.contacts.map(\.id) }
    let partly = report.actions.filter { $0.kind == .salvagedInPart }.flatMap { $0.contacts.map(\.id) }
    #expect(Set(named) == lost)
    #expect(!partly.isEmpty, "their phone numbers are on other pages")
    #expect(
      found.filter { !partly.contains($0.id) } == original.filter { !partly.contains($0.id) && !lost.contains($0.id) })
  }

  @Test func lostContactsAreRestoredFromABackup() throws {
    let file = try DamagedBookFile(people: 200)
    let original = try file.contacts()
    try file.backUp()
    file.overwrite(pages: [try #require(try page(of: "contact", row: 50, file))])
    let report = try salvage(file)
    #expect(!report.actions.contains { $0.isLoss }, "\(report.actions)")
    #expect(try file.contacts() == original)
  }

  /// The file no longer names the lost contacts, but the backup has all of them.
  @Test func theContactsOfATruncatedFileAreTakenFromABackup() throws {
    let file = try DamagedBookFile(people: 300)
    let original = try file.contacts()
    try file.backUp()
    file.bytes = Array(file.bytes.prefix(file.bytes.count / 2))
    let report = try file.doctor.repair(takingOlderContacts: true)
    #expect(report.after.isHealthy, "\(report.after.findings)")
    #expect(try file.contacts().map(\.uid) == original.map(\.uid))
    #expect(!report.actions.contains { [.lost, .lostUnnamed, .salvagedInPart].contains($0.kind) }, "\(report.actions)")
  }

  @Test func anEarlierStateFromABackupIsNotReportedAsExact() throws {
    let file = try DamagedBookFile(people: 200)
    try file.backUp()
    let book = try AddressBook.open(at: file.location)
    _ = try book.bulkEdit([50], .change { $0.note = "later" }, as: StepName(.edit), isCancelled: { false })
    book.close()
    file.overwrite(pages: [try #require(try page(of: "contact", row: 50, file))])
    let report = try file.doctor.repair(takingOlderContacts: true)
    let earlier = report.actions.first { $0.kind == .restoredEarlier }
    #expect(earlier?.contacts.map(\.id) == [50])
    #expect(report.actions.contains { $0.kind == .restored && !$0.contacts.contains { $0.id == 50 } })
    #expect(earlier?.message(in: Localization(language: .english)).contains("may lack later changes") == true)
  }

  /// The backup has an earlier phone number and note of a contact that lost its row.
  @Test func aBackupOnlyAddsWhatTheFileLacks() throws {
    let file = try DamagedBookFile(people: 200)
    try change(50, in: file) { $0.note = "earlier" }
    try file.backUp()
    let phones = [LabeledValue(label: "work", value: "+44 20 7946 0000")]
    try change(50, in: file) { $0.phones = phones }
    let original = try file.contacts()
    file.overwrite(pages: [try #require(try page(of: "contact", row: 50, file))])
    let report = try file.doctor.repair(takingOlderContacts: true)
    #expect(report.actions.first { $0.kind == .restoredEarlier }?.contacts.map(\.id) == [50])
    let found = try #require(try file.contacts().first { $0.id == 50 })
    #expect(found.phones == phones && found.note == "earlier")
    #expect(try file.contacts().map(\.comparable) == original.map(\.comparable))
    #expect(report.after.isHealthy, "\(report.after.findings)")
  }

  /// The backup still has what was removed from a contact that lost its row.
  @Test func aBackupDoesNotBringBackRemovedValues() throws {
    let file = try DamagedBookFile(people: 200)
    try change(50, in: file) { $0.emails = [LabeledValue(label: "work", value: "old@example.com")] }
    try file.backUp()
    try change(50, in: file) { $0.emails = [] }
    file.overwrite(pages: [try #require(try page(of: "contact", row: 50, file))])
    _ = try file.doctor.repair(takingOlderContacts: true)
    #expect(try file.contacts().first { $0.id == 50 }?.emails == [])
  }

  /// A page with some of the contact's phone numbers is lost too.
  @Test func aBackupAddsLostValuesToThoseThatTheFileHas() throws {
    let file = try DamagedBookFile(people: 200)
    let phones = (0..<400).map { LabeledValue(label: "work", value: "+44 20 7946 \(1000 + $0)") }
    try change(50, in: file) { $0.phones = phones }
    try file.backUp()
    try change(50, in: file) { $0.note = "later" }
    let middle = "SELECT id FROM phone WHERE contact_id = 50 ORDER BY id LIMIT 1 OFFSET 200"
    let row = try #require(try file.number(middle))
    let pages = [try page(of: "contact", row: 50, file), try page(of: "phone", row: row, file)]
    file.overwrite(pages: pages.compactMap(\.self))
    _ = try file.doctor.repair(takingOlderContacts: true)
    let found = try #require(try file.contacts().first { $0.id == 50 })
    #expect(Set(found.phones) == Set(phones) && found.phones.count == phones.count)
  }

  /// Without the section counts, it is not known whether contacts are missing.
  @Test func contactsAreTakenFromABackupWithoutTheSectionCounts() throws {
    let file = try DamagedBookFile(people: 300)
    let original = try file.contacts()
    try file.backUp()
    file.overwrite(pages: [try file.root("section_count")])
    file.bytes = Array(file.bytes.prefix(file.bytes.count / 2))
    let report = try file.doctor.repair(takingOlderContacts: true)
    #expect(report.after.isHealthy, "\(report.after.findings)")
    #expect(try file.contacts().map(\.uid) == original.map(\.uid))
  }

  /// The index of UIDs or the change log says that a contact is not missing.
  @Test(arguments: ["section_count", "sqlite_autoindex_contact_1"])
  func aContactThatWasRemovedForGoodDoesNotComeBack(_ lost: String) throws {
    let file = try DamagedBookFile(people: 300)
    try file.backUp()
    let book = try AddressBook.open(at: file.location)
    #expect(try book.emptyTrash([3]) == 1)
    book.close()
    let original = try file.contacts()
    file.overwrite(pages: Set(try ["section_count", lost].map(file.root)))
    let report = try file.doctor.repair(takingOlderContacts: true)
    #expect(report.after.isHealthy, "\(report.after.findings)")
    #expect(try file.contacts().map(\.id) == original.map(\.id))
  }

  private func change(
    _ id: Int64, in file: DamagedBookFile, _ change: @escaping @Sendable (inout Contact) -> Void
  ) throws {
    let book = try AddressBook.open(at: file.location)
    defer { book.close() }
    _ = try book.bulkEdit([id], .change(change), as: StepName(.edit), isCancelled: { false })
  }

  @Test(arguments: [0.5, 0.6, 0.67, 0.75, 0.9]) func theRestOfATruncatedFileIsSalvaged(rest: Double) throws {
    let file = try DamagedBookFile(people: 300)
    let original = Dictionary(grouping: try file.contacts(), by: \.uid)
    file.bytes = Array(file.bytes.prefix(Int(Double(file.bytes.count) * rest)))
    let report = try salvage(file)
    let found = try file.contacts()
    #expect(!found.isEmpty)
    let incomplete = Set(
      report.actions.filter { [.salvagedInPart, .partsLost, .accepted, .photosAccepted].contains($0.kind) }
        .flatMap { $0.contacts.map(\.id) })
    let lost = report.actions.filter { $0.kind == .lost || $0.kind == .lostUnnamed }.reduce(0) { $0 + $1.count }
    #expect(found.count + lost == original.count)
    #expect(!incomplete.isEmpty)
    for contact in found where !incomplete.contains(contact.id) {
      #expect(contact == original[contact.uid]?.first, "it is not among those that lost something")
    }
  }

  /// The rows at the end of a page that is cut are incomplete, and named, even without checksums.
  @Test(arguments: ["contact", "address"], [10, 200, 2000])
  func aPageThatIsCutIsReadInPart(_ table: String, missing: Int) throws {
    let file = try DamagedBookFile(people: 300)
    let original = Dictionary(grouping: try file.contacts(), by: \.uid)
    try file.execute("DELETE FROM contact_checksum", keepingChecksums: false)
    let page = try #require(try page(of: table, row: 30, file))
    file.bytes = Array(file.bytes.prefix(page * 4096 - missing))
    let report = try salvage(file)
    let incomplete = Set(
      report.actions.filter { [.salvagedInPart, .partsLost, .accepted, .photosAccepted].contains($0.kind) }
        .flatMap { $0.contacts.map(\.id) })
    for contact in try file.contacts() where !incomplete.contains(contact.id) {
      #expect(contact == original[contact.uid]?.first, "it is not among those that lost something")
    }
  }

  /// The backup has the contacts that lost values in the same version, so it need not be allowed to be older.
  @Test(arguments: [0.5, 0.6, 0.67, 0.75, 0.85]) func partlyReadContactsAreTakenFromABackup(rest: Double) throws {
    let file = try DamagedBookFile(people: 300)
    let original = Dictionary(grouping: try file.contacts(), by: \.uid)
    try file.backUp()
    file.bytes = Array(file.bytes.prefix(Int(Double(file.bytes.count) * rest)))
    let report = try salvage(file)
    let partly = Set(
      report.actions.filter { [.salvagedInPart, .partsLost, .accepted, .photosAccepted].contains($0.kind) }
        .flatMap { $0.contacts.map(\.id) })
    for contact in try file.contacts() where !partly.contains(contact.id) {
      #expect(contact == original[contact.uid]?.first)
    }
    #expect(report.actions.contains { $0.kind == .restored }, "\(report.actions)")
  }

  /// Without a backup, their cards still say what was imported. What the row says stays.
  @Test func partlyReadContactsGetTheValuesOfTheirCards() throws {
    let file = try DamagedBookFile(people: 4)
    let book = try AddressBook.open(at: file.location)
    try book.bulkWrite { writer in
      for number in 100..<300 {
        var contact = Contact()
        (contact.uid, contact.family, contact.note) = ("card-\(number)", "Card\(number)", "later")
        contact.phones = [LabeledValue(label: "", value: "+49 170 \(number)")]
        contact.emails = [LabeledValue(label: "", value: "\(number)@example.com")]
        contact.cardLines = [
          "UID:\(contact.uid)", "N:\(contact.family);;;;", "FN:\(contact.family)", "NOTE:first",
          "TEL:\(contact.phones[0].value)", "EMAIL:\(contact.emails[0].value)",
        ]
        try writer.write(contact)
      }
    }
    book.close()
    let original = try file.contacts().filter { $0.uid.hasPrefix("card-") }
    var pages = Set(try ["phone_contact", "email_contact"].map(file.root))
    for (table, key) in [("phone", "id"), ("email", "id"), ("contact_checksum", "contact_id")] {
      let last = try file.number("SELECT max(\(key)) FROM \(table)") ?? 0
      for row in 1...last { if let page = try page(of: table, row: row, file) { pages.insert(page) } }
    }
    file.overwrite(pages: pages)
    let report = try salvage(file)
    let partly = Set(report.actions.filter { $0.kind == .salvagedInPart }.flatMap { $0.contacts.map(\.id) })
    #expect(partly.isSuperset(of: original.map(\.id)))
    #expect(try file.contacts().filter { $0.uid.hasPrefix("card-") } == original)
  }

  @Test func theLogIsReadToo() throws {
    let file = try DamagedBookFile()
    let before = file.bytes
    let book = try AddressBook.open(at: file.location)
    var contact = Contact()
    contact.family = "Clark"
    try book.bulkWrite { _ = try $0.write(contact) }
    let log = file.folder.bytes(of: "book.db-wal")
    book.close()
    let original = try file.contacts()
    file.bytes = before
    file.overwrite(pages: [try file.root("phone"), 1])
    _ = file.folder.write(log, to: "book.db-wal")
    unlink(file.path + "-shm")
    let report = try file.doctor.repair()
    #expect(report.after.isHealthy)
    #expect(Set(try file.contacts().map(\.uid)) == Set(original.map(\.uid)))
    #expect(try file.contacts().last?.family == "Clark")
  }

  @Test func aWrongVersionInTheHeaderIsRepaired() throws {
    let file = try DamagedBookFile()
    let original = try file.contacts()
    var bytes = file.bytes
    bytes[71] ^= 4
    file.bytes = bytes
    #expect(try file.kinds() == [.header])
    _ = try salvage(file)
    #expect(try file.contacts() == original)
  }

  @Test func idsAreNotReused() throws {
    let file = try DamagedBookFile()
    file.overwrite(pages: [1])
    _ = try salvage(file)
    let book = try AddressBook.open(at: file.location)
    defer { book.close() }
    var contact = Contact()
    contact.family = "Clark"
    #expect(try book.bulkWrite { try $0.write(contact).id } == 62)
  }

  /// After random damage, nothing crashes. A repaired book is intact, and after a salvage the damaged file is kept. A
  /// file that cannot be repaired is not changed.
  ///
  /// `DAMAGED_BOOKS` is the number of books to try.
  @Test(arguments: 0..<(ProcessInfo.processInfo.environment["DAMAGED_BOOKS"].flatMap { UInt64($0) } ?? 8))
  func randomDamageGivesABookThatOpens(_ seed: UInt64) throws {
    let file = try DamagedBookFile(people: 40)
    var generator = SeededGenerator(seed: seed)
    var bytes = file.bytes
    switch seed % 4 {
    case 0:
      let pages = bytes.count / 4096
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let page = Int.random(in: 0..<pages, using: &generator)
        for index in page * 4096..<(page + 1) * 4096 { bytes[index] = .random(in: 0...255, using: &generator) }
      }
    case 1:
      bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
    case 2:
      for _ in 0..<Int.random(in: 1...400, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
    default:
      let start = Int.random(in: 0..<bytes.count, using: &generator)
      let end = min(bytes.count, start + Int.random(in: 1...20_000, using: &generator))
      for index in start..<end { bytes[index] = 0 }
    }
    file.bytes = bytes
    let before = try file.doctor.examine()
    let report = try file.doctor.repair()
    if before.isRepairable || before.isHealthy {
      #expect(report.after.isHealthy, "seed \(seed): \(report.after.findings)")
      #expect(try file.integrity() == "ok", "seed \(seed)")
      let book = try AddressBook.open(at: file.location)
      try book.forEachContact { _ in true }
      #expect(book.damage.isEmpty, "seed \(seed)")
      book.close()
      if before.needsSalvage { #expect(file.kept.map { file.folder.bytes(of: $0) } == [bytes], "seed \(seed)") }
    } else {
      #expect(file.bytes == bytes, "seed \(seed)")
    }
  }

  /// Returns the page of a table that holds a row; nil if there is none.
  private func page(of table: String, row: Int64, _ file: DamagedBookFile) throws -> Int? {
    let pages = try #require(PageFile(ReadableFile(file.path), log: file.path + "-wal"))
    let reader = PageReader(pages)
    var waiting = [try file.root(table)]
    while let number = waiting.popLast() {
      guard let page = pages.page(number) else { continue }
      if reader.kind(page, number) == .tableNode { waiting += reader.children(page, number) }
      if reader.records(page, number).contains(where: { $0?.rowID == row }) { return number }
    }
    return nil
  }
}
