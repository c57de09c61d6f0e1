import Contacts
import Foundation
import GRDB
import Testing

@testable import AddressBookModel
@testable import BookInterchange
@testable import FolderSync

/// Groups that have a card in a folder.
@Suite struct GroupSyncTests {
  private let folder = TemporaryFolder()
  private let book: AddressBook
  private let cards: String

  init() throws {
    book = try AddressBook.open(at: folder.book())
    cards = folder.file("cards")
    try FileManager.default.createDirectory(atPath: cards, withIntermediateDirectories: false)
    for (uid, name) in [("ann", "Ann"), ("bob", "Bob"), ("eva", "Eva")] {
      try write("\(uid).vcf", "UID:\(uid)", "FN:\(name) Lee", "N:Lee;\(name);;;")
    }
    try writeTeam("ann", "bob")
    try sync()
  }

  private func write(_ name: String, version: String = "3.0", _ lines: String...) throws {
    let text = (["BEGIN:VCARD", "VERSION:" + version] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    try Data(text.utf8).write(to: URL(filePath: cards + "/" + name))
  }

  private func writeTeam(_ members: String..., name: String = "Team", file: String = "team.vcf") throws {
    let lines =
      [
        "BEGIN:VCARD", "VERSION:3.0", "UID:team", "FN:\(name)", "N:\(name);;;;", "X-KEEP:1",
        "X-ADDRESSBOOKSERVER-KIND:group",
      ]
      + members.map { "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:" + $0 } + ["END:VCARD", ""]
    try Data(lines.joined(separator: "\r\n").utf8).write(to: URL(filePath: cards + "/" + file))
  }

  private func text(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: cards + "/" + name) ?? Data(), as: UTF8.self)
  }

  /// The members that the card lists.
  private func listed(_ name: String = "team.vcf") -> [String] {
    text(name).components(separatedBy: "\r\n").compactMap { line in
      line.contains("MEMBER:") ? line.components(separatedBy: ":").last : nil
    }
  }

  private func members(_ group: String = "Team") throws -> [String] {
    try book.database.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT c.uid FROM contact c JOIN group_member m ON m.contact_id = c.id JOIN contact_group g ON g.id = m.group_id
          WHERE g.name = ? AND c.deleted_at IS NULL ORDER BY c.uid
          """, arguments: [group])
    }
  }

  private func edit(_ uid: String, _ change: (inout Contact) -> Void) throws {
    let id = try #require(try book.contact(uid: uid)).id
    try book.bulkWrite(groups: .replace) { try $0.change(id, change) }
  }

  @discardableResult private func sync() throws -> SyncReport { try FolderSync(book: book, path: cards).run() }

  private func expectQuiet() throws {
    for _ in 0..<2 {
      let before = try FileManager.default.contentsOfDirectory(atPath: cards).sorted().map { ($0, text($0)) }
      let report = try sync()
      #expect(report.toBook.total == 0 && report.toFolder.total == 0 && report.skipped.isEmpty)
      for (name, content) in before { #expect(text(name) == content) }
    }
  }

  @Test func membersOfTheServerJoinAndLeave() throws {
    #expect(try members() == ["ann", "bob"])
    try expectQuiet()
    try writeTeam("bob", "eva")
    try sync()
    #expect(try members() == ["bob", "eva"])
    #expect(!text("eva.vcf").contains("CATEGORIES"))
    try expectQuiet()
  }

  @Test func membersOfTheBookJoinAndLeave() throws {
    try edit("eva") { $0.groups = ["Team"] }
    try edit("ann") { $0.groups = [] }
    #expect(try sync().toFolder.changed == 1)
    #expect(listed() == ["bob", "eva"] && text("team.vcf").contains("X-KEEP:1"))
    #expect(!text("eva.vcf").contains("CATEGORIES"))
    try expectQuiet()
  }

  @Test func bothSidesAreMergedByMember() throws {
    try edit("eva") { $0.groups = ["Team"] }
    try edit("ann") { $0.groups = [] }
    try write("max.vcf", "UID:max", "FN:Max Lee", "N:Lee;Max;;;")
    try writeTeam("ann", "max")
    try sync()
    #expect(try members() == ["eva", "max"])
    #expect(listed().sorted() == ["eva", "max"])
    try expectQuiet()
  }

  @Test func aNewNameArrivesOnEitherSide() throws {
    try writeTeam("ann", "bob", name: "Crew")
    try sync()
    #expect(try members("Crew") == ["ann", "bob"] && members().isEmpty)
    try book.edit(.rename("Crew", to: "Band"))
    try sync()
    #expect(text("team.vcf").contains("FN:Band\r\n") && text("team.vcf").contains("N:Band;;;;"))
    try expectQuiet()
    // Both at once: mine, unless theirs is preferred.
    try writeTeam("ann", "bob", name: "Duo")
    try book.edit(.rename("Band", to: "Pair"))
    try sync()
    #expect(text("team.vcf").contains("FN:Pair\r\n"))
    try expectQuiet()
  }

  @Test func aNameThatIsTakenStays() throws {
    try book.edit(.add("Crew"))
    try writeTeam("ann", "bob", name: "Crew")
    try sync()
    #expect(try members() == ["ann", "bob"])
    try expectQuiet()
    #expect(text("team.vcf").contains("FN:Team\r\n"))
  }

  @Test func aGroupThatIsDeletedHereLosesItsCard() throws {
    try book.edit(.delete("Team"))
    #expect(try sync().toFolder.deleted == 1)
    #expect(text("team.vcf").isEmpty)
    #expect(try book.contact(uid: "ann") != nil && members().isEmpty)
    try expectQuiet()
    // And gets it back with the group.
    _ = try book.reverse(try #require(try book.stepToUndo()))
    try sync()
    #expect(try members() == ["ann", "bob"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: cards).contains { listed($0) == ["ann", "bob"] })
    try expectQuiet()
  }

  @Test func aGroupWhoseCardIsDeletedIsDeleted() throws {
    try FileManager.default.removeItem(atPath: cards + "/team.vcf")
    try sync()
    #expect(try book.groupNames().isEmpty && book.contact(uid: "ann")?.groups == [])
    try expectQuiet()
    _ = try book.reverse(try #require(try book.stepToUndo()))
    #expect(try members() == ["ann", "bob"])
  }

  @Test func anEditWinsOverADeletion() throws {
    try FileManager.default.removeItem(atPath: cards + "/team.vcf")
    try edit("eva") { $0.groups = ["Team"] }
    try sync()
    #expect(try members() == ["ann", "bob", "eva"])
    #expect(listed("team.vcf") == ["ann", "bob", "eva"])
    try book.edit(.delete("Team"))
    try writeTeam("eva")
    try sync()
    #expect(try members() == ["eva"])
    try expectQuiet()
  }

  @Test func aMemberThatIsMissingWaits() throws {
    try writeTeam("ann", "later")
    try sync()
    try edit("ann") { $0.groups = [] }
    try sync()
    #expect(listed() == ["later"])
    try write("later.vcf", "UID:later", "FN:La Ter", "N:Ter;La;;;")
    try sync()
    #expect(try members() == ["later"])
    try expectQuiet()
    // A deleted member is none.
    let id = try #require(try book.contact(uid: "later")).id
    try book.bulkWrite { try $0.delete(id) }
    try sync()
    #expect(listed().isEmpty)
    try expectQuiet()
  }

  /// A group without a card is in the members' cards, and so are members in another folder than the card.
  @Test func otherGroupsAreInTheMembersCards() throws {
    let other = folder.file("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    try Data("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:zoe\r\nFN:Zoe Lee\r\nN:Lee;Zoe;;;\r\nEND:VCARD\r\n".utf8)
      .write(to: URL(filePath: other + "/zoe.vcf"))
    func syncBoth() throws {
      try sync()
      _ = try FolderSync(book: book, path: other).run()
    }
    try syncBoth()
    try edit("zoe") { $0.groups = ["Team"] }
    try edit("ann") { $0.groups = ["Choir", "Team"] }
    try syncBoth()
    #expect(text("../other/zoe.vcf").contains("CATEGORIES:Team") && text("ann.vcf").contains("CATEGORIES:Choir"))
    #expect(listed() == ["ann", "bob"])
    try book.edit(.rename("Choir", to: "Chorus"))
    try syncBoth()
    #expect(text("ann.vcf").contains("CATEGORIES:Chorus"))
    // The card's deletion removes its members only.
    try FileManager.default.removeItem(atPath: cards + "/team.vcf")
    try syncBoth()
    #expect(try members() == ["zoe"] && book.contact(uid: "ann")?.groups == ["Chorus"])
    try syncBoth()
    #expect(try members() == ["zoe"] && text("../other/zoe.vcf").contains("CATEGORIES:Team"))
  }

  @Test func anImportedGroupGetsACardBesideItsMembers() throws {
    let text = """
      BEGIN:VCARD\r\nVERSION:4.0\r\nUID:crew\r\nKIND:group\r\nFN:Crew\r\nMEMBER:urn:uuid:eva\r\nEND:VCARD\r\n
      """
    _ = try Importer(book: book).run([folder.write(Array(text.utf8), to: "crew.vcf")])
    #expect(try sync().toFolder.added == 1)
    #expect(listed("crew.vcf") == ["eva"] && !self.text("eva.vcf").contains("CATEGORIES"))
    try expectQuiet()
  }

  /// The rows of the groups were not there before.
  @Test func theCardOfAnEarlierVersionIsTheBase() throws {
    try book.database.write { try $0.execute(sql: "DELETE FROM synced_group") }
    try edit("ann") { $0.groups = [] }
    try writeTeam("ann", "bob", "eva")
    try sync()
    #expect(try members() == ["bob", "eva"])
    try expectQuiet()
  }

  /// Ends a sync after the group's card was written and before the book is.
  private func syncWithoutBook() throws {
    let before = text("team.vcf")
    let sync = FolderSync(book: book, path: cards)
    sync.isCancelled = { text("team.vcf") != before }
    #expect(throws: SyncError.self) { try sync.run() }
    #expect(text("team.vcf") != before)
  }

  @Test func whatIsEditedAfterAKilledSyncStays() throws {
    try edit("eva") { $0.groups = ["Team"] }
    try writeTeam("bob")
    try syncWithoutBook()
    #expect(listed() == ["bob", "eva"])
    // Eva leaves again; that Ann left there arrives.
    try edit("eva") { $0.groups = [] }
    try sync()
    #expect(try members() == ["bob"] && listed() == ["bob"])
    try expectQuiet()

    try book.edit(.rename("Team", to: "Crew"))
    try syncWithoutBook()
    try book.edit(.rename("Crew", to: "Team"))
    try sync()
    #expect(try members() == ["bob"] && text("team.vcf").contains("FN:Team\r\n"))
    try expectQuiet()
  }

  @Test func aGroupThatIsRestoredAfterAKilledSyncStays() throws {
    try book.edit(.delete("Team"))
    try syncWithoutBook()
    _ = try book.reverse(try #require(try book.stepToUndo()))
    try sync()
    #expect(try members() == ["ann", "bob"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: cards).contains { listed($0) == ["ann", "bob"] })
    try expectQuiet()
  }

  @Test func asRandomEditsOfBothSides() throws {
    var generator = SystemRandomNumberGenerator()
    let all = ["ann", "bob", "eva"]
    var expected = Set(["ann", "bob"])
    for _ in 0..<40 {
      var theirs = Set(listed())
      let mine = all.randomElement(using: &generator) ?? "ann"
      let other = all.filter { $0 != mine }.randomElement(using: &generator) ?? "bob"
      if theirs.remove(other) == nil { theirs.insert(other) }
      let isIn = try members().contains(mine)
      try edit(mine) { $0.groups = isIn ? [] : ["Team"] }
      expected.formSymmetricDifference([mine, other])
      let lines = ["UID:team", "FN:Team", "KIND:group"] + theirs.sorted().map { "MEMBER:" + $0 }
      try Data((["BEGIN:VCARD", "VERSION:4.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n").utf8)
        .write(to: URL(filePath: cards + "/team.vcf"))
      try sync()
      #expect(try members() == expected.sorted() && listed().sorted() == expected.sorted())
    }
    try expectQuiet()
  }

  @Test func aMergeOfTwoCardsIsByMember() throws {
    func card(_ name: String, _ members: String...) -> [UInt8] {
      let lines = ["BEGIN:VCARD", "VERSION:4.0", "UID:t", "KIND:group", "FN:" + name] + members.map { "MEMBER:" + $0 }
      return Array((lines + ["END:VCARD", ""]).joined(separator: "\r\n").utf8)
    }
    let merge = try #require(
      CardMerge(base: card("A", "a", "b"), mine: card("B", "b", "c"), theirs: card("A", "a", "b", "d"), prefers: nil))
    #expect(merge.bytes == card("B", "b", "d", "urn:uuid:c"))
  }
}
