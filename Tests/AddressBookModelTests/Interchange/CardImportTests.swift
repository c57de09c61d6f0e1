import ContactInterchange
import Contacts
import Foundation
import Testing

@testable import AddressBookModel
@testable import BookInterchange

/// Cards that are imported, exported and imported again.
@Suite struct CardImportTests {
  private let run: ImportRun

  init() throws { run = try ImportRun() }

  private let card = """
    BEGIN:VCARD
    VERSION:3.0
    N:Lovelace;Ada;;;
    FN:Ada Lovelace
    item1.TEL;type=CELL;type=VOICE;type=pref:1
    EMAIL;TYPE=WORK:ada@example.com
    NOTE:first
    X-UNKNOWN;A=b:c
    REV:2001-02-03T04:05:06Z
    UID:u

    """.replacing("\n", with: "\r\n") + "END:VCARD\r\n"

  private func exported() throws -> String {
    let bytes = try run.contacts().flatMap { contact in
      CardExporter(version: nil).card(of: contact, photo: try run.book.photo(of: contact.id))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func edit(_ change: (inout Contact) -> Void) throws {
    let context = run.book.newContext()
    let person = try #require(try context.person(run.contacts()[0].id))
    var contact = try person.contact
    change(&contact)
    try person.apply(contact)
    try context.save()
  }

  @Test func aCardIsExportedByteForByte() throws {
    #expect(try run.take(card).report.imported == 1)
    #expect(try exported() == card)
    #expect(try run.take(card).report.unchanged == 1)
  }

  @Test func ownExportImportedAgainChangesNothing() throws {
    try run.take(card + card.replacing("UID:u", with: "UID:v").replacing("Ada", with: "Eve"))
    try edit { $0.note = "edited" }
    let text = try exported()
    #expect(text.contains("NOTE:edited\r\nX-UNKNOWN") && !text.contains("REV:2001-02-03T04:05:06Z\r\nUID:u\r"))
    let (report, notices) = try run.take(text)
    #expect(report.unchanged == 2 && notices.isEmpty)
    #expect(try exported() == text)
    // Into another book, too.
    let other = try ImportRun()
    try other.take(text)
    #expect(try other.take(text).report.unchanged == 2)
  }

  @Test func anExportOfAContactThatWasMadeHereChangesNothing() throws {
    let context = run.book.newContext()
    let person = context.insertPerson()
    var contact = Contact.example
    contact.cardLines = []
    contact.photo = nil
    try person.apply(contact)
    try context.save()
    for _ in 0..<2 {
      let text = try exported()
      #expect(try run.take(text).report.unchanged == 1)
      try edit { $0.note += "more" }
    }
  }

  @Test func localEditsAreMergedByField() throws {
    try run.take(card)
    try edit {
      $0.note = "mine"
      $0.phones.append(LabeledValue(label: "home", value: "2"))
    }
    let theirs = card.replacing("ada@example.com", with: "lovelace@example.com").replacing(
      "X-UNKNOWN;A=b:c", with: "X-UNKNOWN:d")
    let (report, notices) = try run.take(theirs)
    #expect(report.updated == 1 && notices.isEmpty)
    let contact = try run.contacts()[0]
    #expect(contact.note == "mine" && contact.phones.map(\.value) == ["1", "2"])
    #expect(contact.emails.map(\.value) == ["lovelace@example.com"])
    #expect(contact.cardLines.contains("X-UNKNOWN:d"))
  }

  @Test func aFieldThatBothChangedIsKeptAndReported() throws {
    try run.take(card)
    try edit { $0.note = "mine" }
    let theirs = card.replacing("first", with: "theirs").replacing("Ada", with: "Augusta")
    let (_, notices) = try run.take(theirs)
    let note = try #require(ContactFields.standard.field(jsonKey: "note"))
    #expect(notices == [.changedHere([note])])
    let contact = try run.contacts()[0]
    #expect(contact.note == "mine" && contact.given == "Augusta")
    // Importing the same card again reports nothing.
    let again = try run.take(theirs)
    #expect(again.report.unchanged == 1 && again.notices.isEmpty)
  }

  @Test func uneditedFieldsAreReplaced() throws {
    try run.take(card)
    let theirs = card.replacing("NOTE:first\r\n", with: "").replacing("pref:1", with: "pref:3")
    let (report, notices) = try run.take(theirs)
    #expect(report.updated == 1 && notices.isEmpty)
    #expect(try exported() == theirs)
  }

  @Test func aPhotoIsStoredOnceAndExportedInItsLine() throws {
    let png = try Data(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/Images/png-gray8.png"))
    let line = "PHOTO;ENCODING=b;TYPE=PNG;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&9&9&x==:"
    let withPhoto = card.replacing("NOTE:first", with: line + png.base64EncodedString())
    let folded = String(decoding: Self.folded(withPhoto), as: UTF8.self)
    try run.take(withPhoto)
    let contact = try run.contacts()[0]
    #expect(contact.photo != nil && !contact.cardLines.contains { $0.utf8.count > 300 })
    #expect(try exported() == folded)
    #expect(try run.take(withPhoto).report.unchanged == 1)
  }

  @Test func aPhotoThatCannotBeShownIsKeptAsALine() throws {
    let svg = Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8).base64EncodedString()
    let withPhoto = card.replacing("NOTE:first", with: "PHOTO;ENCODING=b;TYPE=SVG:\(svg)")
    let (_, notices) = try run.take(withPhoto)
    #expect(notices == [.photo(.notAPicture)])
    #expect(try run.contacts()[0].photo == nil)
    #expect(try exported() == String(decoding: Self.folded(withPhoto), as: UTF8.self))
    #expect(try run.take(withPhoto).report.unchanged == 1)
  }

  private static func picture(_ name: String) throws -> String {
    try Data(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/Images/" + name)
    ).base64EncodedString()
  }

  @Test(
    arguments: [
      ("heic.heic", .notAPicture), ("avif.avif", .notAPicture), ("svg.svg", .notAPicture), ("tiff.tif", .notAPicture),
      ("text-named.png", .notAPicture), ("one-byte.jpg", .notAPicture), ("bomb-png-ihdr-max.png", .tooManyPixels),
      ("png-gray8.png", nil), ("jpeg-truncated.jpg", nil),
    ] as [(String, PhotoRefusal?)])
  func photosOfAllKindsSurviveARoundTrip(_ name: String, _ refusal: PhotoRefusal?) throws {
    let withPhoto = card.replacing("NOTE:first", with: "NOTE:first\r\nPHOTO;ENCODING=b:\(try Self.picture(name))")
    let (_, notices) = try run.take(withPhoto)
    #expect(notices == (refusal.map { [.photo($0)] } ?? []))
    #expect((try run.contacts()[0].photo == nil) == (refusal != nil))
    #expect(try exported() == String(decoding: Self.folded(withPhoto), as: UTF8.self))
    try edit { $0.note = "second" }
    let edited = String(decoding: Self.folded(withPhoto.replacing("NOTE:first", with: "NOTE:second")), as: UTF8.self)
    let revision = "REV:" + (try run.contacts()[0].modified)
    #expect(try exported() == edited.replacing("REV:2001-02-03T04:05:06Z", with: revision))
    #expect(try run.take(exported()).report.unchanged == 1)
  }

  @Test func aSecondPhotoAndABrokenOneAreKept() throws {
    let first = "PHOTO;ENCODING=b;TYPE=PNG:" + (try Self.picture("png-gray8.png"))
    let second = "PHOTO;ENCODING=b;TYPE=JPEG:" + (try Self.picture("jpeg-gray.jpg"))
    let withPhotos = card.replacing("NOTE:first", with: first + "\r\nPHOTO;ENCODING=b:%%%\r\n" + second)
    let (_, notices) = try run.take(withPhotos)
    // The broken photo comes after the contact's photo, the only one that the book shows.
    #expect(notices.isEmpty)
    #expect(try run.contacts()[0].photo?.mediaType == "image/png")
    #expect(try exported() == String(decoding: Self.folded(withPhotos), as: UTF8.self))
    #expect(try run.take(withPhotos).report.unchanged == 1)
    // Removing the photo in the book removes its line, and the other lines stay.
    let context = run.book.newContext()
    let person = try #require(try context.person(run.contacts()[0].id))
    try person.setPhoto(nil)
    try context.save()
    let text = try exported()
    #expect(!text.contains("TYPE=PNG") && text.contains("PHOTO;ENCODING=b:%%%\r\n") && text.contains("TYPE=JPEG"))
  }

  @Test func propertiesWithAnyCharacterInTheirNameAreKept() throws {
    let odd = card.replacing(
      "NOTE:first",
      with: "X-messaging/aim-All:ada\r\nX-messaging/icq-All;TYPE=HOME:1\r\nX_under:2\r\nitem2.X-messaging/x:3")
    let (_, notices) = try run.take(odd)
    #expect(notices.isEmpty)
    #expect(try exported() == odd)
    try edit { $0.title = "Countess" }
    #expect(try exported().contains("X-messaging/aim-All:ada\r\nX-messaging/icq-All;TYPE=HOME:1\r\n"))
  }

  @Test func aGuessedCharsetIsReported() throws {
    let head = Array("BEGIN:VCARD\r\nVERSION:2.1\r\nN:".utf8)
    let name: [UInt8] = [0xD0, 0xBB, 0x3B, 0xBD, 0xA8, 0xBB, 0xAA]
    let end = Array("\r\nEND:VCARD\r\n".utf8)
    let importer = Importer(book: run.book)
    var notices: [ImportNotice.Kind] = []
    importer.onNotice = { notices.append($0.kind) }
    _ = try importer.run([run.folder.write(head + name + end, to: "guessed")])
    #expect(notices == [.card(.guessedCharset("GB18030"))])
    #expect(try run.contacts().map(\.displayName) == ["谢建华"])
    // Another line of the card declares a charset.
    notices = []
    let nickname = Array("\r\nNICKNAME;CHARSET=GBK:".utf8) + [0xD0, 0xBB]
    _ = try importer.run([run.folder.write(head + name + nickname + end, to: "declared")])
    #expect(notices == [.matched(name: "谢建华", by: [.name])])
    #expect(try run.contacts().map(\.displayName).last == "谢建华")
  }

  private static func folded(_ text: String) -> [UInt8] {
    text.components(separatedBy: "\r\n").map { line in
      var (rest, parts, room) = (Substring(line), [String](), 75)
      while rest.utf8.count > room {
        parts.append(String(rest.prefix(room)))
        rest = rest.dropFirst(room)
        room = 74
      }
      return (parts + [String(rest)]).joined(separator: "\r\n ")
    }.joined(separator: "\r\n").utf8.map { $0 }
  }

  private func groupCard(_ lines: String...) -> String {
    (["BEGIN:VCARD", "VERSION:3.0", "UID:g", "N:Friends;;;;", "FN:Friends", "X-ADDRESSBOOKSERVER-KIND:group"] + lines
      + ["REV:2001-02-03T04:05:06Z", "X-A;B=c:d", "END:VCARD"]).joined(separator: "\r\n") + "\r\n"
  }

  private func groupCards() throws -> String {
    String(decoding: try run.book.groupCards(version: nil).flatMap { $0 }, as: UTF8.self)
  }

  @Test func aGroupCardIsExportedUnchanged() throws {
    let group = groupCard("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:later")
    let (report, notices) = try run.take(group + card)
    #expect(report.imported == 2 && notices == [.unknownMember(group: "Friends", uid: "urn:uuid:later")])
    #expect(try run.contacts()[0].groups == ["Friends"])
    #expect(try groupCards() == group)
    let exporter = CardExporter(version: nil, groupsWithCard: try run.book.groupsWithCard())
    #expect(String(decoding: exporter.card(of: try run.contacts()[0], photo: nil), as: UTF8.self) == card)
    #expect(try run.take(card + group).report.unchanged == 2)
    // A missing member joins when its card is imported.
    try run.take(ImportRun.card("later", "Late"))
    #expect(try run.contacts()[1].groups == ["Friends"])
    #expect(try groupCards() == group)
  }

  /// A deleted contact is a missing member, and joins when it is imported again.
  @Test func aDeletedContactDoesNotJoinAGroup() throws {
    let group = groupCard("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u")
    try run.take(card)
    let id = try run.contacts()[0].id
    _ = try run.book.bulkEdit([id], .delete, as: StepName(.delete), isCancelled: { false })
    #expect(try run.take(group).notices == [.unknownMember(group: "Friends", uid: "urn:uuid:u")])
    #expect(try run.book.contactOrDeleted(id: id)?.groups == [])
    try run.take(card)
    #expect(try run.contacts().map(\.groups) == [["Friends"]])
    #expect(try groupCards() == group)
  }

  @Test(arguments: [0, 1]) func ofTwoSpellingsTheLiveContactIsMeant(deleted: Int) throws {
    let uid = "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"
    let ids = try run.book.bulkWrite { writer in
      try [uid, uid.uppercased()].map { uid in
        var contact = Contact()
        (contact.uid, contact.given) = (uid, "Eve")
        return try writer.write(contact).id
      }
    }
    _ = try run.book.bulkEdit([ids[deleted]], .delete, as: StepName(.delete), isCancelled: { false })
    #expect(try run.take(groupCard("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:" + uid)).notices.isEmpty)
    #expect(try run.contacts().map(\.groups) == [["Friends"]])
    #expect(try run.take(ImportRun.card(uid, "Eve")).report.imported == 0)
    #expect(try run.contacts().map(\.id) == [ids[1 - deleted]])
  }

  /// The sixth part of a name is from RFC 9554, and has no field.
  @Test(arguments: [";;;Dr.;", ";;;;Jr.", ";;;;;García"])
  func aCardWithAnyPartOfANameIsImported(_ name: String) throws {
    let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nN:\(name)\r\nUID:n\r\nEND:VCARD\r\n"
    #expect(try run.take(card).report.imported == 1)
    #expect(try run.take(card).report.unchanged == 1)
    #expect(try exported() == card)
    let empty = card.replacing(name, with: ";;; ;;").replacing("UID:n", with: "UID:m")
    #expect(try run.take(empty).notices == [.emptyCard])
  }

  @Test func membersOfAGroupCardFollowTheBook() throws {
    let group = groupCard("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u")
    let uuid = "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"
    try run.take(card + ImportRun.card(uuid, "Eve") + group)
    try edit { $0.groups = [] }
    let context = run.book.newContext()
    let eve = try #require(try context.person(run.contacts()[1].id))
    var contact = try eve.contact
    contact.groups = ["Friends"]
    try eve.apply(contact)
    try context.save()
    // The lines of new members come last.
    let expected = groupCard().replacing(
      "END:VCARD", with: "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:\(uuid)\r\nEND:VCARD")
    let own = try groupCards()
    #expect(own == expected)
    #expect(try run.take(own).report.unchanged == 1)
  }

  private static let spellings: [String] = {
    let uuid = "4fbe8971-0bc3-424C-9c26-36c3e1eff6b1"
    let all = [uuid, uuid.lowercased(), uuid.uppercased(), "4FBE8971-0bc3-424c-9C26-36c3e1eff6b1"]
    return all + all.map { "urn:uuid:" + $0 } + ["URN:UUID:" + uuid]
  }()

  /// A UUID is the same in any case and with any prefix: in cards, groups and commands.
  @Test(arguments: spellings) func aUUIDIsFoundInAnySpelling(stored: String) throws {
    try run.take(ImportRun.card("w", "Ada") + ImportRun.card(stored, "Eve"))
    let id = try run.contacts()[1].id
    for (number, spelling) in Self.spellings.enumerated() {
      let (report, notices) = try run.take(ImportRun.card(spelling, "Eve", "TEL:\(number)"))
      #expect(report.imported == 0 && notices.isEmpty && report.updated == 1, "\(spelling)")
      let member = "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:" + (spelling.split(separator: ":").last ?? "")
      let group = groupCard(member).replacing("Friends", with: "G\(number)").replacing("UID:g", with: "UID:g\(number)")
      #expect(try run.take(group).notices.isEmpty)
      #expect(try run.contacts()[1].groups.contains("G\(number)"))
      #expect(try run.book.contact(uid: spelling)?.id == id && run.book.idOfContactOrDeleted(uid: spelling) == id)
      #expect(try run.book.ids(ofUIDs: [spelling, "w"]) == [id, 1])
    }
    #expect(try run.contacts().map(\.uid) == ["w", stored])
  }

  @Test func aGroupIsFoundByItsUUIDInAnySpelling() throws {
    for spelling in Self.spellings {
      try run.take(groupCard().replacing("UID:g", with: "UID:" + spelling).replacing("Friends", with: "F" + spelling))
    }
    #expect(try run.book.groups().count == 1)
  }

  /// The group is made beside the smart group, because the card names it, and a notice says so.
  @Test func aGroupWithTheNameOfASmartGroupIsReported() throws {
    let files = [
      ImportRun.card("u", "Ada", "CATEGORIES:Friends,Work") + ImportRun.card("v", "Bo", "CATEGORIES:Friends"),
      ImportRun.card("u", "Ada") + groupCard("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u"),
      "Name,Groups\nAda,Friends\nBo,Friends\n", #"[{"name": "Ada", "groups": ["Friends"]}]"#,
      "dn: cn=Ada,dc=a\nobjectClass: person\ncn: Ada\nsn: A\n\n"
        + "dn: cn=Friends,dc=a\nobjectClass: groupOfNames\ncn: Friends\nmember: cn=Ada,dc=a\n",
    ]
    for file in files {
      let run = try ImportRun()
      try run.book.edit(.addSmart("Friends", .search("a")))
      #expect(try run.take(file) { $0.isDryRun = true }.notices == [.smartGroup("Friends")], "\(file)")
      #expect(try run.take(file).notices == [.smartGroup("Friends")], "\(file)")
      #expect(try run.contacts()[0].groups.contains("Friends"))
      #expect(try run.take(file).notices.isEmpty, "the group is there now")
    }
  }

  @Test func anEmptyGroupStays() throws {
    try run.take(groupCard())
    #expect(try run.book.groups().map(\.name) == ["Friends"])
    #expect(try groupCards() == groupCard())
  }

  @Test func undoRestoresTheCard() throws {
    try run.take(card)
    let theirs = card.replacing("X-UNKNOWN;A=b:c", with: "X-OTHER:1").replacing("first", with: "second")
    try run.take(theirs)
    #expect(try exported() == theirs)
    _ = try run.book.reverse(try #require(try run.book.stepToUndo()))
    #expect(try exported() == card)
  }

  // MARK: - Undo of groups with a card

  private func undo() throws { _ = try run.book.reverse(#require(try run.book.stepToUndo(in: nil))) }
  private func redo() throws { _ = try run.book.reverse(#require(try run.book.stepToRedo(in: nil))) }

  private func change(_ name: String, _ body: (BookContext, Group) throws -> Void) throws {
    let context = run.book.newContext()
    try body(context, #require(try context.existingGroup(named: name)))
    try context.save()
  }

  @Test func aDeletedGroupIsRestoredWithItsCard() throws {
    let group = groupCard(
      "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:later", "X-COLOR:blue")
    try run.take(card + group)
    try change("Friends") { try $0.delete($1) }
    #expect(try groupCards() == "")
    #expect(try run.contacts()[0].groups == [])
    try undo()
    #expect(try run.contacts()[0].groups == ["Friends"])
    #expect(try groupCards() == group)
    try redo()
    #expect(try groupCards() == "")
    try undo()
    #expect(try groupCards() == group)
    // The missing member still joins it.
    try run.take(ImportRun.card("later", "Eve"))
    #expect(try run.contacts()[1].groups == ["Friends"])
    #expect(try groupCards() == group)
  }

  @Test func undoOfARenamedGroupRestoresItsCard() throws {
    let group = groupCard("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u")
    try run.take(card + group)
    try change("Friends") { $1.name = "Chums" }
    #expect(try groupCards() == group.replacing("Friends", with: "Chums"))
    try undo()
    #expect(try groupCards() == group)
    try redo()
    #expect(try groupCards() == group.replacing("Friends", with: "Chums"))
  }

  @Test func undoOfAnImportRestoresTheReplacedCard() throws {
    let first = groupCard("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u", "X-COLOR:blue")
    let second = groupCard(
      "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:later", "X-COLOR:red")
    try run.take(card + first)
    try run.take(second)
    try undo()
    #expect(try groupCards() == first)
    try redo()
    #expect(try groupCards() == second)
    try undo()
    #expect(try groupCards() == first)
    // A card that was imported since then stays.
    try redo()
    let step = try #require(try run.book.stepToUndo(in: nil))
    let third = second.replacing("red", with: "green")
    try run.take(third)
    _ = try run.book.reverse(step)
    #expect(try groupCards() == third)
  }

  @Test func undoOfAnImportRemovesAGroupsCard() throws {
    try run.take(card)
    try edit { $0.groups = ["Friends"] }
    try run.take(groupCard("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:u"))
    #expect(try !groupCards().isEmpty)
    try undo()
    #expect(try groupCards().isEmpty)
    #expect(try run.book.groups().map(\.name) == ["Friends"])
    try redo()
    #expect(try !groupCards().isEmpty)
  }

  @Test func anImportOfAGroupIsUndoneAndRedone() throws {
    let group = groupCard("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:later")
    try run.take(group)
    try undo()
    #expect(try run.book.groups().isEmpty)
    try redo()
    #expect(try groupCards() == group)
  }
}
