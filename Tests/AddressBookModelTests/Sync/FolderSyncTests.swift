import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel
@testable import BookInterchange
@testable import FolderSync
@testable import Messages

/// What the case files of a sync do not cover.
@Suite struct FolderSyncTests {
  private let folder = TemporaryFolder()
  private let book: AddressBook
  private let cards: String

  init() throws {
    book = try AddressBook.open(at: folder.book())
    cards = folder.file("cards")
    try FileManager.default.createDirectory(atPath: cards, withIntermediateDirectories: false)
  }

  private func write(_ name: String, version: String = "3.0", _ lines: String...) throws {
    let text = (["BEGIN:VCARD", "VERSION:" + version] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    try Data(text.utf8).write(to: URL(filePath: cards + "/" + name))
  }

  private func text(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: cards + "/" + name) ?? Data(), as: UTF8.self)
  }

  private func edit(_ uid: String, _ change: (inout Contact) -> Void) throws {
    let id = try #require(try book.contact(uid: uid)).id
    try book.bulkWrite(groups: .replace) { try $0.change(id, change) }
  }

  @discardableResult private func sync() throws -> SyncReport { try FolderSync(book: book, path: cards).run() }

  @Test func aVCard4KeepsItsVersionAndUnknownLines() throws {
    try write(
      "v.vcf", version: "4.0", "UID:urn:uuid:03a0e51f-d1aa-4385-8a53-e29025acd8af", "FN:Ann Lee", "N:Lee;Ann;;;",
      "X-ADDRESSBOOKSERVER-THING:1", "item1.X-ABLabel:Boat", "item1.X-SOCIAL:x", "GENDER:F")
    try sync()
    try edit("urn:uuid:03a0e51f-d1aa-4385-8a53-e29025acd8af") { $0.title = "Poet" }
    #expect(try sync().toFolder.changed == 1)
    let lines = Set(text("v.vcf").components(separatedBy: "\r\n"))
    #expect(
      lines.isSuperset(of: ["VERSION:4.0", "X-ADDRESSBOOKSERVER-THING:1", "item1.X-SOCIAL:x", "GENDER:F", "TITLE:Poet"])
    )
  }

  @Test func separatorsOfOtherProgramsAreNeverRaw() throws {
    var contact = Contact()
    contact.uid = "sep"
    contact.family = "Sep"
    contact.note = "one\u{2028}UID:evil\u{85}two\u{0B}three\u{1E}four"
    try book.bulkWrite { _ = try $0.write(contact) }
    try sync()
    let scalars = text("sep.vcf").unicodeScalars
    #expect(!scalars.contains { [0x0B, 0x0C, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029].contains($0.value) })
    #expect(!text("sep.vcf").contains("\nUID:evil"))
    // The next sync does not take this for a change.
    #expect(try sync().toBook == .init() && sync().toFolder == .init())
  }

  @Test func groupsAreReadAndTheirCardsStay() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;")
    try write(
      "team.vcf", "UID:team", "FN:Team", "N:Team;;;;", "X-ADDRESSBOOKSERVER-KIND:group",
      "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:ann", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:later")
    let before = (text("ann.vcf"), text("team.vcf"))
    try sync()
    #expect(try book.contact(uid: "ann")?.groups == ["Team"])
    for _ in 0..<2 { try sync() }
    #expect((text("ann.vcf"), text("team.vcf")) == before)
    // A member that is added later joins, and its card does not name the group.
    try write("later.vcf", "UID:later", "FN:La Ter", "N:Ter;La;;;")
    try sync()
    #expect(try book.contact(uid: "later")?.groups == ["Team"])
    try sync()
    #expect(!text("later.vcf").contains("CATEGORIES"))
  }

  @Test func aMemberThatWasRemovedStaysRemovedWhileAnotherIsMissing() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;")
    try write(
      "team.vcf", "UID:team", "FN:Team", "N:Team;;;;", "X-ADDRESSBOOKSERVER-KIND:group",
      "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:ann", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:later")
    try sync()
    try edit("ann") { $0.groups = [] }
    try sync()
    #expect(try book.contact(uid: "ann")?.groups == [])
    try write("later.vcf", "UID:later", "FN:La Ter", "N:Ter;La;;;")
    // The new contact, and its change by the group.
    #expect(try sync().toBook.total == 2)
    #expect(try book.contact(uid: "ann")?.groups == [] && book.contact(uid: "later")?.groups == ["Team"])
  }

  @Test func anUnreadableFolderIsNotTreatedAsEmpty() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    try sync()
    #expect(throws: SyncError.self) { try FolderSync(book: book, path: cards + "/nothing").run() }
    #expect(throws: SyncError.self) { try FolderSync(book: book, path: folder.file("book.db")).run() }
    #expect(try book.contactCount() == 1)
  }

  /// What was synced before the disk was full stays in the book.
  @Test func aFullDiskEndsASyncHalfway() throws {
    try AddressBook.open(at: folder.book("small.db")).close()
    let small = try AddressBook.open(
      at: folder.book("small.db"), configuration: StoreConfiguration(maximumPageCount: 1200))
    for number in 0..<4000 {
      try write("\(number).vcf", "UID:\(number)", "FN:N \(number)", "NOTE:" + String(repeating: "long ", count: 200))
    }
    let error = #expect(throws: SyncError.self) { try FolderSync(book: small, path: cards).run() }
    #expect(error?.reason == .diskFull && error?.path == folder.file("small.db"))
    #expect(try (1000..<4000).contains(small.contactCount()))
    small.close()
  }

  @Test func aContactThatWasRemovedForGoodStaysDeleted() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    try write("bob.vcf", "UID:bob", "FN:Bob Berg")
    try sync()
    let id = try #require(try book.contact(uid: "ann")).id
    try book.bulkWrite { try $0.delete(id) }
    try book.database.write { try $0.execute(sql: "DELETE FROM contact WHERE id = ?", arguments: [id]) }
    #expect(try sync().toFolder.deleted == 1)
    #expect(text("ann.vcf").isEmpty)
    #expect(try book.contactCount() == 1)
  }

  /// An edit wins over a deletion, also over one for good: the contact comes back with another id.
  @Test func aContactThatCameBackFromItsFileCanBeRemovedAgain() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    try write("bob.vcf", "UID:bob", "FN:Bob Berg")
    try sync()
    func remove() throws {
      let id = try #require(try book.contact(uid: "ann")).id
      try book.bulkWrite { try $0.delete(id) }
      try book.emptyTrash()
    }
    func rows() throws -> Int { try book.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM synced_card")! } }
    try remove()
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "TITLE:Poet")
    #expect(try sync().toBook.added == 1)
    #expect(try rows() == 2)
    try remove()
    #expect(try sync().toFolder.deleted == 1)
    #expect(try sync().toBook.total == 0)
    #expect(try book.contact(uid: "ann") == nil && text("ann.vcf").isEmpty)
  }

  /// Earlier versions kept the row of a contact that was removed for good when it came back from its file.
  @Test func theRowOfARemovedContactDoesNotTakeTheFileOfAnother() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    try sync()
    try book.database.write { db in
      try db.execute(
        sql: """
          UPDATE synced_card SET id = 100;
          INSERT INTO synced_card (id, folder_id, contact_id, file, uid, digest, version, base)
          SELECT 1, folder_id, 99, file, uid, digest, version, base FROM synced_card
          """)
    }
    #expect(try sync().toBook.total == 0)
    #expect(try book.contact(uid: "ann") != nil && !text("ann.vcf").isEmpty)
    #expect(try book.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM synced_card") } == 1)
  }

  @Test func movingToAnotherFolderMovesTheFile() throws {
    let other = folder.file("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    try Data("Work 公司\n".utf8).write(to: URL(filePath: other + "/displayname"))
    try Data("#ff8800".utf8).write(to: URL(filePath: other + "/color"))
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "X-FOO:1")
    try sync()
    _ = try FolderSync(book: book, path: other).run()
    let folders = try book.folders()
    #expect(folders.map(\.name) == ["Work 公司", "cards"] || folders.map(\.name) == ["cards", "Work 公司"])
    let work = try #require(folders.first { $0.name == "Work 公司" })
    #expect(work.color == "#ff8800" && work.count == 0)
    let id = try #require(try book.contact(uid: "ann")).id
    try book.move([id], to: work)
    #expect(try book.folderNames(ofContact: id) == ["Work 公司"])
    #expect(try sync().toFolder.deleted == 1)
    #expect(try FolderSync(book: book, path: other).run().toFolder.added == 1)
    #expect(FileManager.default.fileExists(atPath: other + "/ann.vcf") && text("ann.vcf").isEmpty)
    // The contact is now only in the book, and no sync puts it into a folder again.
    try book.move([id], to: nil)
    _ = try FolderSync(book: book, path: other).run()
    try sync()
    #expect(text("ann.vcf").isEmpty)
    #expect(!FileManager.default.fileExists(atPath: other + "/ann.vcf"))
    #expect(try book.contact(uid: "ann") != nil)
  }

  /// Makes a folder beside that of the tests, and syncs it once.
  private func otherFolder() throws -> (path: String, folder: ContactFolder) {
    let other = folder.file("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    _ = try FolderSync(book: book, path: other).run()
    return (other, try #require(try book.folders().first { $0.name == "other" }))
  }

  private func undo(_ policy: ContactMergePolicy = .byField) throws {
    _ = try book.reverse(try #require(try book.stepToUndo()), policy: policy)
  }

  @Test(arguments: [false, true]) func aMoveIsUndoneBeforeAndAfterTheSync(_ isSynced: Bool) throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "X-FOO:1")
    try sync()
    let (path, other) = try otherFolder()
    let id = try #require(try book.contact(uid: "ann")).id
    let modified = try book.contact(id: id)?.modified
    #expect(try book.move([id], to: other) == 1)
    #expect(try book.move([id], to: other) == 0)
    if isSynced {
      try sync()
      _ = try FolderSync(book: book, path: path).run()
    }
    try undo()
    #expect(try book.folderNames(ofContact: id) == ["cards"])
    _ = try FolderSync(book: book, path: path).run()
    try sync()
    #expect(text("ann.vcf").contains("X-FOO:1") && text("../other/ann.vcf").isEmpty)
    _ = try book.reverse(try #require(try book.stepToRedo()))
    #expect(try book.folderNames(ofContact: id) == ["other"])
    // Moving changes nothing in the contact.
    #expect(try book.contact(id: id)?.modified == modified)
    let change = try #require(try book.changes(ofContact: id).first)
    #expect(change.folders == ContactChange.FolderMove(before: ["cards"], after: ["other"]))
    let english = Localization(language: .english)
    #expect(change.differences(in: english).map { $0.line(in: english) } == ["Folder: cards → other"])
  }

  /// The file was written, but not the book.
  @Test func aSyncThatEndedAfterTheFileOfAMovedContactIsResumed() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    try sync()
    let (path, other) = try otherFolder()
    let id = try #require(try book.contact(uid: "ann")).id
    try book.move([id], to: other)
    _ = try FolderSync(book: book, path: path).run()
    try book.database.write { db in
      try db.execute(
        sql: """
          UPDATE synced_card SET file = '', uid = '', digest = 0, version = 0, base = NULL WHERE folder_id = ?
          """, arguments: [other.id])
    }
    for _ in 0..<2 {
      let report = try FolderSync(book: book, path: path).run()
      #expect(report.skipped.isEmpty && report.toFolder.total == 0 && report.toBook.total == 0)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["ann.vcf"])
  }

  // MARK: - Moves by other programs

  /// In either order of the folders, with an edit of the book: the card is compared with what it was in the old folder.
  @Test(arguments: [false, true], [false, true])
  func aCardThatAnotherProgramMovedIsFollowed(newFolderFirst: Bool, isDeleted: Bool) throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;", "TEL:1", "TEL:2")
    let (path, _) = try otherFolder()
    try sync()
    try edit("ann") { $0.phones = [$0.phones[0], LabeledValue(label: "mobile", value: "33")] }
    let id = try #require(try book.contact(uid: "ann")).id
    if isDeleted { try book.bulkWrite { try $0.delete(id) } }
    #expect(rename(cards + "/ann.vcf", path + "/ann.vcf") == 0)
    for _ in 0..<2 {
      for folder in newFolderFirst ? [path, cards] : [cards, path] {
        let sync = FolderSync(book: book, path: folder)
        sync.forcesDeletion = true
        let report = try sync.run()
        #expect(report.conflicts.allSatisfy { $0.conflict.kept != .each } && report.skipped.isEmpty)
      }
    }
    #expect(text("ann.vcf").isEmpty)
    #expect(FileManager.default.fileExists(atPath: path + "/ann.vcf") != isDeleted)
    guard !isDeleted else { return }
    #expect(try book.folderNames(ofContact: id) == ["other"])
    #expect(try book.contact(id: id)?.phones.map(\.value) == ["1", "33"])
    #expect(!text("../other/ann.vcf").contains("TEL:2") && text("../other/ann.vcf").contains(":33"))
    let change = try #require(try book.changes(ofContact: id).first { $0.folders != nil })
    #expect(change.folders == ContactChange.FolderMove(before: ["cards"], after: ["other"]))
  }

  @Test func aContactThatWasMovedHereAndByAnotherProgramGoesWhereItWasMovedHere() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    let (path, _) = try otherFolder()
    let third = folder.file("third")
    try FileManager.default.createDirectory(atPath: third, withIntermediateDirectories: false)
    _ = try FolderSync(book: book, path: third).run()
    try sync()
    let id = try #require(try book.contact(uid: "ann")).id
    let place = try #require(try book.folders().first { $0.name == "third" })
    try book.move([id], to: place)
    #expect(rename(cards + "/ann.vcf", path + "/ann.vcf") == 0)
    for _ in 0..<2 { for folder in [cards, path, third] { _ = try FolderSync(book: book, path: folder).run() } }
    #expect(try book.folderNames(ofContact: id) == ["third"])
    let places = [cards, path, third].map { FileManager.default.fileExists(atPath: $0 + "/ann.vcf") }
    #expect(places == [false, false, true])
  }

  /// It was deleted in one folder, and comes back from another: it does not go back to the first.
  @Test func aDeletedContactThatComesBackInAnotherFolderStaysThere() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    try write("bob.vcf", "UID:bob", "FN:Bob Berg")
    try sync()
    try FileManager.default.removeItem(atPath: cards + "/ann.vcf")
    try sync()
    let (path, _) = try otherFolder()
    try write("../other/ann.vcf", "UID:ann", "FN:Ann Lee")
    for _ in 0..<2 {
      _ = try FolderSync(book: book, path: path).run()
      try sync()
    }
    #expect(text("ann.vcf").isEmpty && !text("../other/ann.vcf").isEmpty)
    #expect(try book.contact(uid: "ann").map { try book.folderNames(ofContact: $0.id) } == ["other"])
  }

  // MARK: - Accounts

  /// A contact was moved to the other folder and then deleted; another program moves or restores its card there.
  @Test func aDeletedContactComesBackInTheFolderThatItWasMovedTo() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    try sync()
    let (path, other) = try otherFolder()
    let id = try #require(try book.contact(uid: "ann")).id
    try book.move([id], to: other)
    try book.bulkWrite { try $0.delete(id) }
    let forcing = FolderSync(book: book, path: cards)
    forcing.forcesDeletion = true
    _ = try forcing.run()
    try write("../other/ann.vcf", "UID:ann", "FN:Ann Lee", "TITLE:Poet")
    let report = try FolderSync(book: book, path: path).run()
    #expect(report.skipped.isEmpty && report.toBook.added == 1)
    #expect(try book.contact(uid: "ann")?.title == "Poet")
    #expect(try FolderSync(book: book, path: path).run().toBook.total == 0)
  }

  /// A card that is edited here and not uploaded yet, while another program moves what the server has: both were the same
  /// before, no conflict comes of it, and the contact is in one folder.
  @Test(arguments: [false, true]) func aCardThatAnotherProgramMovedWhileItWasEditedHere(isWritten: Bool) throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;", "TITLE:A", "TEL:1", "TEL:2")
    try sync()
    let (path, _) = try otherFolder()
    try edit("ann") { contact in
      contact.title = "B"
      contact.phones.removeAll { $0.value == "1" }
      contact.phones.append(LabeledValue(label: "", value: "3"))
    }
    if isWritten {
      let sync = keeping("cards")
      #expect(try sync.run().toFolder.changed == 1)
      try sync.takeBack()
      #expect(text("ann.vcf").contains("TITLE:A"))
    }
    try FileManager.default.removeItem(atPath: cards + "/ann.vcf")
    try write("../other/ann.vcf", "UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;", "TITLE:A", "TEL:1", "TEL:2", "NICKNAME:N")
    try edit("ann") { $0.title = "C" }
    #expect(try FolderSync(book: book, path: path).run().conflicts.isEmpty)
    let ann = try #require(try book.contact(uid: "ann"))
    #expect(ann.title == "C" && ann.nickname == "N" && Set(ann.phones.map(\.value)) == ["2", "3"])
    #expect(text("../other/ann.vcf").contains("TITLE:C") && !text("../other/ann.vcf").contains("TEL:1"))
    #expect(try sync().toFolder.total == 0 && text("ann.vcf").isEmpty)
  }

  /// A sync that keeps what it changes until it is uploaded.
  private func keeping(_ name: String) -> FolderSync {
    let sync = FolderSync(book: book, path: folder.file(name))
    sync.previousCards = PreviousCards(folder: folder.file("former/" + name))
    sync.forcesDeletion = true
    return sync
  }

  /// What was not uploaded is taken back before another program fetches what is new, and is then written again.
  @Test func whatWasNotUploadedIsTakenBack() throws {
    for name in ["ann", "bob", "eve"] { try write(name + ".vcf", "UID:" + name, "FN:Al Lee", "N:Lee;Al;;;", "TITLE:A") }
    try sync()
    let (_, other) = try otherFolder()
    func id(_ name: String) throws -> Int64 { try #require(try book.contact(uid: name)).id }
    try edit("ann") { $0.title = "B" }
    try book.move([id("ann")], to: other)
    let bob = try id("bob")
    try book.bulkWrite { try $0.delete(bob) }
    try edit("eve") { $0.title = "B" }
    func both(_ run: (FolderSync) throws -> Void) throws { for name in ["cards", "other"] { try run(keeping(name)) } }
    let files = ["ann.vcf", "bob.vcf", "eve.vcf", "../other/ann.vcf"]
    func titles() -> [String] {
      files.map { text($0).components(separatedBy: "\r\n").first { $0.hasPrefix("TITLE:") } ?? "" }
    }
    for _ in 0..<2 {
      try both { _ = try $0.run() }
      #expect(titles() == ["", "", "TITLE:B", "TITLE:B"])
      for _ in 0..<2 { try both { try $0.takeBack() } }
      #expect(titles() == ["TITLE:A", "TITLE:A", "TITLE:A", ""])
    }
    for name in ["ann", "bob", "eve"] {
      let known = text(name + ".vcf").replacing("TITLE:A", with: "NICKNAME:N\r\nTITLE:A")
      try Data(known.utf8).write(to: URL(filePath: cards + "/" + name + ".vcf"))
    }
    var conflicts: [SyncReport.Conflict] = []
    for _ in 0..<2 { try both { conflicts += try $0.run().conflicts } }
    #expect(conflicts.allSatisfy { $0.conflict.kept != .each })
    #expect(titles() == ["", "TITLE:A", "TITLE:B", "TITLE:B"])
    for name in ["ann", "bob", "eve"] { #expect(try book.contact(uid: name)?.nickname == "N") }
    let ann = try id("ann")
    #expect(try book.folderNames(ofContact: ann) == ["other"])
  }

  /// A contact was moved, its card in the old folder edited, and the sync killed anywhere before another program moves that
  /// card too.
  @Test(arguments: 0..<8) func aMoveByBothAfterAKilledSyncKeepsBothEdits(steps: Int) throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;")
    try sync()
    let (path, other) = try otherFolder()
    try edit("ann") { $0.title = "B" }
    let id = try #require(try book.contact(uid: "ann")).id
    try book.move([id], to: other)
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;", "NICKNAME:N")
    let killed = FolderSync(book: book, path: cards)
    var left = steps
    killed.isCancelled = {
      left -= 1
      return left < 0
    }
    do { _ = try killed.run() } catch let error as SyncError where error.reason == .cancelled {}
    _ = rename(cards + "/ann.vcf", path + "/ann.vcf")
    for _ in 0..<2 { for folder in [cards, path] { _ = try FolderSync(book: book, path: folder).run() } }
    #expect(text("ann.vcf").isEmpty)
    #expect(text("../other/ann.vcf").contains("TITLE:B") && text("../other/ann.vcf").contains("NICKNAME:N"))
  }

  /// A contact was about to be moved, and was moved back; another program does what was not done.
  @Test func aContactThatWasMovedBackStaysWhenAnotherProgramMovesItsCard() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;")
    try sync()
    let (path, other) = try otherFolder()
    let place = try #require(try book.folders().first { $0.name == "cards" })
    let id = try #require(try book.contact(uid: "ann")).id
    try book.move([id], to: other)
    let killed = FolderSync(book: book, path: path)
    var left = 2
    killed.isCancelled = {
      left -= 1
      return left < 0
    }
    #expect(throws: SyncError.self) { try killed.run() }
    #expect(text("../other/ann.vcf").isEmpty)
    try book.move([id], to: place)
    #expect(rename(cards + "/ann.vcf", path + "/ann.vcf") == 0)
    for _ in 0..<2 { for folder in [cards, path] { _ = try FolderSync(book: book, path: folder).run() } }
    #expect(try book.folderNames(ofContact: id) == ["cards"])
    #expect(!text("ann.vcf").isEmpty && text("../other/ann.vcf").isEmpty)
  }

  /// A card comes back to the folder that it left, as it was after a later sync of the other folder: nobody edited it there,
  /// so it is not compared with what it was when it left.
  @Test func aCardComesBackToAFolderAsItWasLater() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;", "TEL:1", "TEL:2")
    try sync()
    let (path, other) = try otherFolder()
    func syncBoth() throws -> [SyncReport] { try [FolderSync(book: book, path: path).run(), sync()] }
    let id = try #require(try book.contact(uid: "ann")).id
    try book.move([id], to: other)
    _ = try syncBoth()
    try edit("ann") { contact in
      contact.title = "B"
      contact.phones.removeAll { $0.value == "1" }
    }
    _ = try syncBoth()
    try edit("ann") { $0.title = "C" }
    try FileManager.default.copyItem(atPath: path + "/ann.vcf", toPath: cards + "/ann.vcf")
    #expect(text("ann.vcf").contains("TITLE:B"))
    #expect(try sync().conflicts.isEmpty)
    #expect(try book.contact(uid: "ann")?.title == "C" && text("ann.vcf").contains("TITLE:C"))
    #expect(!text("ann.vcf").contains("TEL:1") && text("ann.vcf").contains("TEL:2"))
    // Someone edits it in the old folder.
    _ = try syncBoth()
    try book.move([id], to: other)
    _ = try syncBoth()
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;", "TITLE:D", "TEL:2")
    #expect(try sync().conflicts.isEmpty)
    #expect(try book.contact(uid: "ann")?.title == "D")
  }

  /// The folders of another account are beside each other, elsewhere.
  private func folderElsewhere() throws -> String {
    let path = folder.file("elsewhere/cards")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test func oneUIDInTwoAccountsIsTwoContacts() throws {
    let elsewhere = try folderElsewhere()
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "TEL:1")
    try write("../elsewhere/cards/ann.vcf", "UID:ann", "FN:Ann Lee", "TEL:2")
    func syncBoth() throws -> [SyncReport] { try [sync(), FolderSync(book: book, path: elsewhere).run()] }
    _ = try syncBoth()
    #expect(try syncBoth().allSatisfy { $0.toBook.total == 0 && $0.toFolder.total == 0 && $0.skipped.isEmpty })
    #expect(try book.contactCount() == 2)
    try edit("ann") { $0.title = "Poet" }
    _ = try syncBoth()
    #expect(text("ann.vcf").contains("TITLE:Poet") && !text("ann.vcf").contains("TEL:2"))
    #expect(text("../elsewhere/cards/ann.vcf").contains("UID:ann\r\n"))
    #expect(!text("../elsewhere/cards/ann.vcf").contains("Poet"))
    // An edit of the other one keeps the UID of its card.
    let other = try #require(try book.contacts(ids: [1, 2]).first { $0.uid != "ann" })
    try book.bulkWrite(groups: .replace) { try $0.change(other.id) { $0.title = "Chef" } }
    _ = try syncBoth()
    #expect(text("../elsewhere/cards/ann.vcf").contains("TITLE:Chef"))
    #expect(text("../elsewhere/cards/ann.vcf").contains("UID:ann\r\n"))
  }

  @Test func aContactThatIsMovedToAFolderWithItsUIDGetsAnotherUIDThere() throws {
    let elsewhere = try folderElsewhere()
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "TEL:1")
    try write("../elsewhere/cards/ann.vcf", "UID:ann", "FN:Ann Lee", "TEL:2")
    try sync()
    _ = try FolderSync(book: book, path: elsewhere).run()
    let id = try #require(try book.contact(uid: "ann")).id
    let place = try #require(try book.folders().first { $0.path.contains("elsewhere") })
    try book.move([id], to: place)
    for _ in 0..<2 {
      try sync()
      #expect(try FolderSync(book: book, path: elsewhere).run().skipped.isEmpty)
    }
    #expect(try book.contactCount() == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).count == 2)
  }

  @Test func theContactsOfARemovedFolderGoNowhereElse() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    try sync()
    try book.removeFolder(try #require(try book.folders().first).id)
    let elsewhere = try folderElsewhere()
    #expect(try FolderSync(book: book, path: elsewhere).run().toFolder.total == 0)
    #expect(try book.contactCount() == 1)
    // A new account with the same folder gets its contacts back.
    #expect(try sync().toBook.total == 0)
    #expect(try book.folderNames(ofContact: 1) == ["cards"])
  }

  // MARK: - Conflicts

  @Test(arguments: [false, true]) func aConflictEndsWhenOneSideIsEdited(inTheFolder: Bool) throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "TITLE:Editor")
    try sync()
    try edit("ann") { $0.title = "Baker" }
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "TITLE:Chef")
    for _ in 0..<2 { #expect(try sync().conflicts.count == 1) }
    // An edit of something else decides nothing.
    try edit("ann") { $0.note = "n" }
    #expect(try sync().conflicts.count == 1)
    if inTheFolder {
      try write("ann.vcf", "UID:ann", "FN:Ann Lee", "TITLE:Cook", "NOTE:n")
    } else {
      try edit("ann") { $0.title = "Cook" }
    }
    for _ in 0..<2 { #expect(try sync().conflicts.isEmpty) }
    #expect(try book.contact(uid: "ann")?.title == "Cook" && text("ann.vcf").contains("TITLE:Cook"))
  }

  @Test func aConflictThatBothSidesEditStaysOpen() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "TITLE:Editor")
    try sync()
    try edit("ann") { $0.title = "Baker" }
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "TITLE:Chef")
    try sync()
    try edit("ann") { $0.title = "Cook" }
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "TITLE:Waiter")
    #expect(try sync().conflicts.count == 1)
    #expect(try book.contact(uid: "ann")?.title == "Cook" && text("ann.vcf").contains("TITLE:Waiter"))
    // Back to what both had at first: the other side's value passes, as before.
    try edit("ann") { $0.title = "Editor" }
    #expect(try sync().conflicts.isEmpty)
    #expect(try book.contact(uid: "ann")?.title == "Waiter")
  }

  /// The same between a folder and a server.
  @Test func aConflictOfCardsEndsWhenOneSideIsEdited() throws {
    func card(_ title: String) -> [UInt8] {
      Array("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:ann\r\nFN:Ann\r\nTITLE:\(title)\r\nEND:VCARD\r\n".utf8)
    }
    let kept = PreviousCards(folder: folder.file("former"))
    func merge(_ mine: String, _ theirs: String) throws -> String? {
      let (mine, theirs) = (card(mine), card(theirs))
      let merge = CardMerge(
        base: card("Editor"), mine: mine, theirs: theirs, open: try kept.conflict(like: mine), prefers: nil)
      if merge == nil { try kept.saveConflict(mine: mine, theirs: theirs) }
      return merge.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
    for _ in 0..<2 { #expect(try merge("Baker", "Chef") == nil) }
    #expect(try merge("Cook", "Chef")?.contains("TITLE:Cook") == true)
    #expect(try merge("Baker", "Waiter")?.contains("TITLE:Waiter") == true)
    kept.clear()
    #expect(try kept.conflict(like: card("")) == nil)
  }

  /// A server may assign the UID, and another program the name.
  @Test func aFileThatGetsTheUIDOfItsContactAndANewNameIsFound() throws {
    try write("ann.vcf", "FN:Ann Lee")
    try sync()
    let contact = try #require(try book.contact(id: 1))
    try FileManager.default.removeItem(atPath: cards + "/ann.vcf")
    try write("new.vcf", "UID:" + contact.uid, "FN:Ann Lee")
    let report = try sync()
    #expect(report.skipped.isEmpty && report.toBook.total == 0)
    #expect(try book.contact(id: 1) != nil && text("new.vcf").contains("Ann Lee"))
  }

  @Test func anotherMoveIsNotUndoneUnasked() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    try sync()
    let (_, other) = try otherFolder()
    let id = try #require(try book.contact(uid: "ann")).id
    let session = EditSession(program: "screen")
    try book.move([id], to: other, in: session)
    let step = try #require(try book.stepToUndo(in: session))
    try book.move([id], to: nil, in: EditSession(program: "folder"))
    #expect { try book.reverse(step, in: session) } throws: { error in
      guard case EditError.writtenSince(let conflict) = error else { return false }
      return conflict.fields == ["folders"] && conflict.ids == [id]
    }
    _ = try book.reverse(step, policy: .objectWins, in: session)
    #expect(try book.folderNames(ofContact: id) == ["cards"])
  }

  @Test func anUndoOfAMoveLeavesOutRemovedFolders() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    try sync()
    let (_, other) = try otherFolder()
    let id = try #require(try book.contact(uid: "ann")).id
    try book.move([id], to: other)
    try book.removeFolder(other.id)
    try undo()
    #expect(try book.folderNames(ofContact: id) == ["cards"])
  }

  @Test func aFolderGetsANameAndAColor() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee")
    try sync()
    let cards = try #require(try book.folders().first)
    try book.rename(cards, to: "Home 家")
    try book.setColor("#FF8800", of: cards)
    func now() throws -> [String] { try book.folders().flatMap { [$0.name, $0.color] } }
    #expect(try now() == ["Home 家", "#FF8800"])
    try sync()
    #expect(try now() == ["Home 家", "#FF8800"] && text("displayname") == "Home 家" && text("color") == "#FF8800")
    try book.setColor("", of: cards)
    #expect(try now() == ["Home 家", ""] && text("color").isEmpty)
  }

  /// Damage by a disk is not an edit, and must not reach a server.
  @Test func aDamagedContactIsNotWritten() throws {
    try write("ann.vcf", "UID:ann", "FN:Ann Lee", "TITLE:Editor")
    try sync()
    try edit("ann") { $0.nickname = "Annie" }
    try book.database.write { db in
      let trigger = try #require(
        try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'checksum_updated'"))
      try db.execute(sql: "DROP TRIGGER checksum_updated")
      try db.execute(sql: "UPDATE contact SET title = 'Fditor' WHERE uid = 'ann'")
      try db.execute(sql: trigger)
    }
    let report = try sync()
    #expect(report.skipped == [.init(file: "ann.vcf", reason: .damaged)] && report.toFolder.total == 0)
    #expect(text("ann.vcf").contains("TITLE:Editor"))
  }

  @Test func aDamagedPhotoIsNotWritten() throws {
    var contact = Contact()
    contact.uid = "ann"
    contact.family = "Lee"
    let photo = Photo(mediaType: "image/png", data: Data([1, 2, 3]))
    try book.bulkWrite { _ = try $0.write(contact, photo: photo) }
    try book.database.write { try $0.execute(sql: "UPDATE avatar SET data = x'010204'") }
    let report = try sync()
    #expect(report.skipped.map(\.reason) == [.damaged] && report.toFolder.total == 0)
    #expect(text("ann.vcf").isEmpty)
  }

  /// CardDAV servers accept only 3.0 and 4.0.
  @Test func aCardOfVersion21IsWrittenAsVersion30() throws {
    let card = "BEGIN:VCARD\r\nVERSION:2.1\r\nUID:old\r\nN:Old;Ann\r\nTEL;CELL:1\r\nEND:VCARD\r\n"
    _ = try Importer(book: book).run([folder.write(Array(card.utf8), to: "old.vcf")])
    try sync()
    #expect(text("old.vcf").contains("VERSION:3.0") && text("old.vcf").contains("TEL;TYPE=CELL:1"))
  }

  @Test func manyOtherFilesAreSkipped() throws {
    for number in 0..<300 {
      try write("c\(number).vcf", "UID:c\(number)", "FN:Name \(number)")
      try Data("x".utf8).write(to: URL(filePath: cards + "/junk\(number).txt"))
    }
    try Data("BEGIN:VCARD\r\nUID:cut".utf8).write(to: URL(filePath: cards + "/cut.vcf"))
    try Data([0xFF, 0xD8, 0, 1]).write(to: URL(filePath: cards + "/picture.vcf"))
    let report = try sync()
    #expect(report.toBook.added == 300)
    #expect(report.skipped.map(\.file) == ["cut.vcf", "picture.vcf"])
    #expect(report.skipped.allSatisfy { $0.reason == .unreadable })
  }
}
