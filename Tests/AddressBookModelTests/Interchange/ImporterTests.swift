import ContactInterchange
import Contacts
import Foundation
import Synchronization
import Testing

@testable import AddressBookModel
@testable import BookInterchange

/// An import into a book in memory.
struct ImportRun {
  let folder = TemporaryFolder()
  let book: AddressBook

  init() throws { book = try AddressBook.inMemory() }

  /// Imports a text in any format.
  @discardableResult
  func take(
    _ text: String, _ prepare: (Importer) -> Void = { _ in }
  ) throws -> (report: ImportReport, notices: [ImportNotice.Kind]) {
    let importer = Importer(book: book)
    var notices: [ImportNotice.Kind] = []
    importer.onNotice = { notices.append($0.kind) }
    prepare(importer)
    let report = try importer.run([folder.write(Array(text.utf8), to: "file")])
    return (report, notices)
  }

  func contacts() throws -> [Contact] {
    var contacts: [Contact] = []
    try book.forEachContact(ids: nil) { contact in
      contacts.append(contact)
      return true
    }
    return contacts.sorted { $0.id < $1.id }
  }

  static func card(_ uid: String, _ name: String, _ lines: String...) -> String {
    let all = ["BEGIN:VCARD", "VERSION:3.0", "UID:\(uid)", "FN:\(name)"] + lines + ["END:VCARD"]
    return all.joined(separator: "\r\n") + "\r\n"
  }
}

/// What an importer says about its last run.
@Suite struct LastRunTests {
  @Test func aFailedRunWroteNothing() throws {
    let run = try ImportRun()
    let importer = Importer(book: run.book)
    _ = try importer.run([run.folder.write(Array(ImportRun.card("u", "Ada").utf8), to: "file")])
    #expect(importer.recordedCount == 1)
    #expect(throws: ImportError.self) { try importer.run([run.folder.file("missing")]) }
    #expect(importer.recordedCount == 0)
  }
}

/// One UID in several cards, of one import or of several.
@Suite struct SharedUIDTests {
  private let run: ImportRun

  init() throws { run = try ImportRun() }

  private func names() throws -> [String] { try run.contacts().map(\.displayName) }

  @Test func twoContactsWithOneUIDStayTwo() throws {
    let file =
      ImportRun.card("u", "Ada Lovelace", "TEL:1") + ImportRun.card("u", "Charles Babbage", "TEL:2")
      + ImportRun.card("u", "Grace Hopper", "NOTE:x")
    let (report, notices) = try run.take(file)
    #expect(report.imported == 3)
    #expect(notices == [.sharedUID(line: 1), .sharedUID(line: 1)])
    let contacts = try run.contacts()
    #expect(contacts.map(\.displayName) == ["Ada Lovelace", "Charles Babbage", "Grace Hopper"])
    #expect(contacts.map { $0.phones.map(\.value) } == [["1"], ["2"], []])
    #expect(contacts[0].uid == "u" && Set(contacts.map(\.uid)).count == 3)
  }

  @Test func importingAgainInAnyOrderDuplicatesNothing() throws {
    let cards = [
      ImportRun.card("u", "Ada", "TEL:1"), ImportRun.card("u", "Charles"), ImportRun.card("u", "Grace", "NOTE:x"),
    ]
    try run.take(cards.joined())
    let before = try run.contacts()
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
      let (report, _) = try run.take(order.map { cards[$0] }.joined())
      #expect(report.unchanged == 3)
      #expect(try run.contacts() == before)
    }
    #expect(try run.take(cards[1]).report.unchanged == 1)
    // A changed card of the second contact updates that contact.
    let changed = try run.take(ImportRun.card("u", "Charles", "TEL:7"))
    #expect(changed.report.updated == 1)
    #expect(try run.contacts()[1].phones.map(\.value) == ["7"])
    #expect(try names() == ["Ada", "Charles", "Grace"])
  }

  @Test func theSameCardTwiceIsOneContact() throws {
    let card = ImportRun.card("u", "Ada Lovelace", "TEL:1", "BDAY:1815-12-10")
    let (report, notices) = try run.take(card + card)
    #expect(report.imported == 1 && report.unchanged == 1)
    #expect(notices == [.sameUID(line: 1)])
    // Another spelling of the name, and a card without a name, add to the contact.
    try run.take(
      ImportRun.card("v", "ada  LOVELACE", "TEL:1") + ImportRun.card("v", "Ada Lovelace", "TEL:2")
        + "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:v\r\nTEL:3\r\nEND:VCARD\r\n"
        + ImportRun.card("v", "Lovelace, Ada", "N:Lovelace;Ada", "TEL:4"))
    #expect(try run.contacts().count == 3, "the family name of the last one is not that of a known contact")
    #expect(try run.contacts()[1].phones.map(\.value) == ["1", "2", "3"])
  }

  @Test func theSamePartsInAnotherOrderAreOneName() throws {
    let (report, _) = try run.take(
      ImportRun.card("u", "Ada Lovelace", "N:Lovelace;Ada") + ImportRun.card("u", "Lovelace, Ada", "N:Lovelace;Ada"))
    #expect(report.imported == 1 && report.cards == 2)
  }

  @Test func sameNamesWithDifferentBirthdaysAreTwoContacts() throws {
    let father = ImportRun.card("u", "John Smith", "BDAY:1950-01-02")
    let son = ImportRun.card("u", "John Smith", "BDAY:1980-03-04")
    try run.take(father + son)
    #expect(try run.contacts().map { $0.birthday?.iso } == ["1950-01-02", "1980-03-04"])
    let (report, _) = try run.take(son + father)
    #expect(report.unchanged == 2)
    // If only one of them has a year, that is not a contradiction.
    try run.take(ImportRun.card("w", "Eve", "BDAY:1990-05-06") + ImportRun.card("w", "Eve", "BDAY:--05-06"))
    #expect(try run.contacts().count == 3)
  }

  @Test func aRenamedCardUpdatesItsContact() throws {
    try run.take(ImportRun.card("u", "Ada Byron"))
    let (report, notices) = try run.take(ImportRun.card("u", "Ada Lovelace"))
    #expect(report.updated == 1 && notices.isEmpty)
    #expect(try names() == ["Ada Lovelace"])
  }

  @Test func aUIDOfAnotherContactGivesASecondContact() throws {
    try run.take(ImportRun.card("u", "Ada Byron", "TEL:1"))
    let card = ImportRun.card("u", "Grace Hopper", "TEL:2")
    let (report, notices) = try run.take(card)
    #expect(report.imported == 1 && notices == [.uidOfOther(name: "Ada Byron")])
    #expect(try names() == ["Ada Byron", "Grace Hopper"])
    #expect(try run.take(card).report.unchanged == 1)
    // The number is the same, so it is another name of the same person.
    #expect(try run.take(ImportRun.card("u", "Lady Lovelace", "TEL:1")).report.updated == 1)
    #expect(try names() == ["Lady Lovelace", "Grace Hopper"])
  }

  /// A UID that is already in the book, under another name.
  @Test(
    arguments: [
      // The family name changed, or the name is another one but the email or the birthday is the same.
      (
        ["N:Byron;Ada", "FN:Ada Byron", "TEL:+44 20 5550 1234"], ["N:King;Ada", "FN:Ada King", "TEL:02055501234"], true
      ),
      (["N:Byron;Ada", "FN:Ada Byron"], ["N:King;Ada", "FN:Countess Ada King"], true),
      (["N:王;小明", "FN:王小明"], ["N:李;小明", "FN:李小明"], true),
      (["FN:Ada Byron", "EMAIL:ada@a.example"], ["FN:Lady Lovelace", "EMAIL:ada@A.example"], true),
      (["FN:Ada Byron", "BDAY:1815-12-10", "TEL:1"], ["FN:Lady Lovelace", "BDAY:1815-12-10", "TEL:2"], true),
      // A similar or longer name, or the same one in another script.
      (["FN:Jon Smyth"], ["FN:Jon Smith"], true), (["FN:J. Smith"], ["FN:John Smith"], true),
      (["FN:王小明"], ["FN:Wang Xiaoming"], true),
      (["FN:Acme GmbH", "ORG:Acme GmbH"], ["FN:Acme AG", "ORG:Acme AG"], true),
      (["FN:Ada", "TEL:1"], ["FN:Ada Lovelace", "TEL:2"], true),
      // Another contact: the same family name, title, legal form or character is not enough.
      (["N:Byron;Ada", "FN:Ada Byron"], ["N:Byron;George", "FN:George Byron"], false),
      (["FN:Dr. Ada Byron"], ["FN:Dr. Grace Hopper"], false),
      (["FN:王伟"], ["FN:王芳"], false), (["N:王;伟", "FN:王伟"], ["N:李;伟", "FN:李伟"], false),
      (["FN:Acme GmbH", "ORG:Acme GmbH"], ["FN:Beta GmbH", "ORG:Beta GmbH"], false),
      // A given name is not enough where everything else differs.
      (["FN:John Smith", "TEL:5550001"], ["FN:John Miller", "TEL:5550002"], false),
      (["FN:John Smith", "EMAIL:a@a.example"], ["FN:John Miller", "EMAIL:b@b.example"], false),
      (["FN:John Smith", "BDAY:1950-01-02"], ["FN:John Miller", "BDAY:1980-03-04"], false),
    ] as [([String], [String], Bool)])
  func aUIDUnderAnotherNameIsTrustedOnlyIfTheContactsAreAlike(known: [String], comes: [String], isSame: Bool) throws {
    func card(_ lines: [String]) -> String {
      (["BEGIN:VCARD", "VERSION:3.0", "UID:u"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }
    try run.take(card(known))
    let (report, notices) = try run.take(card(comes))
    let names = try names()
    if isSame {
      #expect(report.updated == 1 && notices.isEmpty && names.count == 1)
    } else {
      #expect(report.imported == 1 && notices == [.uidOfOther(name: names[0])])
      // Imported again, both are recognized.
      #expect(try run.take(card(known)).report.unchanged == 1)
      #expect(try run.take(card(comes)).report.unchanged == 1)
    }
  }

  @Test func aContactRenamedInTheBookIsFoundByItsCard() throws {
    let card = ImportRun.card("u", "Ada Byron", "TEL:1")
    try run.take(card)
    let context = run.book.newContext()
    let person = try #require(try context.person(run.contacts()[0].id))
    var contact = try person.contact
    (contact.formattedName, contact.phones) = ("Grace Hopper", [])
    try person.apply(contact)
    try context.save()
    // The same card again, and one in which something else changed.
    #expect(try run.take(card).report.unchanged == 1)
    let (report, notices) = try run.take(ImportRun.card("u", "Ada Byron", "TEL:1", "NOTE:x"))
    #expect(report.updated == 1 && notices.isEmpty)
    #expect(try names() == ["Grace Hopper"])
    #expect(try run.contacts()[0].note == "x")
  }

  @Test func manyPeopleUnderOneUIDAreAllKept() throws {
    let all = (1...300).map { ImportRun.card("same", "Person \($0)", "TEL:\($0)") }.joined()
    #expect(try run.take(all).report.imported == 300)
    #expect(try run.take(all).report.unchanged == 300)
    #expect(Set(try names()).count == 300)
  }
}

/// JSON that an export wrote, and JSON with fewer keys.
@Suite struct JSONImportTests {
  private let run: ImportRun
  private let picture: [UInt8]

  init() throws {
    run = try ImportRun()
    picture = try [UInt8](
      Data(
        contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
          .deletingLastPathComponent().appending(path: "Fixtures/Images/png-gray8.png")))
  }

  /// Writes a contact whose JSON has every key, with unknown vCard lines, and an almost empty contact.
  private func fill(_ run: ImportRun) throws {
    try run.book.bulkWrite { writer in
      var contact = Contact.example
      contact.uid = "u"
      contact.formattedName = "Bruce Lee"
      contact.phoneticMiddle = "x"
      contact.kind = .person
      try writer.write(contact, photo: Photo(mediaType: "image/png", data: Data(picture)))
      var other = Contact()
      other.uid = "v"
      other.kind = .organization
      other.organization = "Acme"
      try writer.write(other)
    }
  }

  private func export(_ run: ImportRun) throws -> String {
    let texts = try run.contacts().map { contact in
      ContactJSON.encodeWhole(
        contact, section: "L", picture: try run.book.photo(of: contact.id).map { [UInt8]($0.data) })
    }
    return "[" + texts.joined(separator: ",\n") + "]"
  }

  @Test func anExportIntoItsOwnBookChangesNothing() throws {
    try fill(run)
    let before = try run.contacts()
    let (report, notices) = try run.take(export(run))
    #expect(report.unchanged == 2 && report.cards == 2 && notices.isEmpty)
    #expect(try run.contacts() == before)
  }

  @Test func anExportIntoAnotherBookLosesNothing() throws {
    try fill(run)
    let other = try ImportRun()
    let (report, notices) = try other.take(export(run))
    #expect(report.imported == 2 && notices.isEmpty)
    let (mine, theirs) = (try run.contacts(), try other.contacts())
    #expect(mine.map(\.content) == theirs.map(\.content) && mine.map(\.uid) == theirs.map(\.uid))
    #expect(try other.book.photo(of: theirs[0].id)?.data == Data(picture))
  }

  @Test func onlyPresentKeysAreChanged() throws {
    try fill(run)
    let before = try run.contacts()[0]
    try run.take(#"{"uid": "u", "title": "Teacher"}"#)
    var expected = before
    expected.title = "Teacher"
    #expect(try run.contacts()[0].content == expected.content)
    try run.take(#"{"uid": "u", "note": "", "phones": [], "birthday": null, "photo": null, "groups": ["New"]}"#)
    expected.note = ""
    expected.phones = []
    expected.birthday = nil
    expected.groups.append("New")
    #expect(try run.contacts()[0].content == expected.content)
    #expect(try run.take(#"{"uid": "v", "organization": ""}"#).report.updated == 1)
    #expect(try run.contacts()[1].organization.isEmpty)
    // A record with only an id and a time, or with only a UID, is unreadable.
    #expect(try run.take(#"[{"id": 7, "created": "x"}, {"uid": "w"}]"#).report.unreadable == 2)
  }

  @Test func aPhotoThatIsNotInTheFileIsReportedUnlessTheBookHasIt() throws {
    try fill(run)
    let digest = try #require(run.contacts()[0].photo?.sha256)
    #expect(try run.take(#"{"uid": "u", "photo": {"bytes": 1, "sha256": "\#(digest)"}}"#).notices.isEmpty)
    #expect(try run.take(#"{"uid": "u", "photo": {"bytes": 1, "sha256": "00"}}"#).notices == [.photoElsewhere])
    #expect(try run.take(#"{"name": "X", "photo": {"bytes": 1, "sha256": "00"}}"#).notices == [.photoElsewhere])
    #expect(try run.take(#"{"name": "Y", "photo": {"data": "%%%"}}"#).notices == [.photo(.notAPicture)])
    #expect(try run.contacts().map { $0.photo != nil } == [true, false, false, false])
  }

  @Test func invalidCardLinesInJSONAreRefused() throws {
    for line in [
      "no property", "NOTE:a\\nBEGIN:VCARD".replacing("\\n", with: "\n"), "X;A=\u{1}:b", "END:VCARD",
      "a.begin;X=1:VCARD",
    ] {
      let text = ContactJSON.encode(line)
      #expect(throws: ContactJSONError.invalidValue(path: "vcardLines[0]", value: line)) {
        try ContactPatch(json: Array(#"{"vcardLines": [\#(text)]}"#.utf8))
      }
    }
  }
}

@Suite struct ImportProgressTests {
  @Test func theLastBatchIsTheWholeFile() throws {
    var progress: [ImportProgress] = []
    let cards = (0..<300).map { ImportRun.card("u\($0)", "Ann \($0)") }.joined()
    try ImportRun().take(cards) { $0.onProgress = { progress.append($0) } }
    #expect(progress.count > 1 && progress.last == ImportProgress(cards: 300, fraction: 1))
    #expect(progress.allSatisfy { $0.fraction != nil })
  }
}

@Suite struct SeveralFilesTests {
  @Test func aCancellationIsNotTheErrorOfAnEarlierFile() throws {
    let run = try ImportRun()
    let file = run.folder.write(Array(ImportRun.card("u", "Ann").utf8), to: "file")
    let isCancelled = Mutex(false)
    let importer = Importer(book: run.book)
    importer.onProgress = { _ in isCancelled.withLock { $0 = true } }
    importer.isCancelled = { isCancelled.withLock(\.self) }
    let error = #expect(throws: ImportError.self) { try importer.run([run.folder.file("missing"), file]) }
    #expect(error == ImportError(.cancelled, file: file))
    #expect(importer.failures.map(\.reason) == [.missing])
  }
}
