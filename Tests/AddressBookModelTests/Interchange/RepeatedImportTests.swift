import ContactInterchange
import Contacts
import Foundation
import Testing

@testable import AddressBookModel
@testable import BookInterchange

extension ImportRun {
  static func plain(_ lines: String...) -> String {
    (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
  }

  func edit(_ index: Int = 0, _ change: (inout Contact) -> Void) throws {
    let context = book.newContext()
    let person = try #require(try context.person(contacts()[index].id))
    var contact = try person.contact
    change(&contact)
    try person.apply(contact)
    try context.save()
  }
}

/// A file that is imported again changes nothing, whatever was edited since.
@Suite struct RepeatedImportTests {
  private let run: ImportRun

  init() throws { run = try ImportRun() }

  private static let png = try? Data(
    contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/Images/png-gray8.png")
  ).base64EncodedString()

  private static let petra = [
    "N:Muster;Petra;;;", "FN:Petra Muster", "TEL;TYPE=CELL:+49 555 0101", "EMAIL:p@a.example",
  ]
  private static func petra(_ lines: String...) -> String {
    (["BEGIN:VCARD", "VERSION:3.0"] + petra + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
  }

  private static let files: [String] = [
    petra("NOTE:one"), petra("NOTE:one") + petra("NOTE:one") + petra("NOTE:two"),
    petra("NOTE:one") + petra("NOTE:two") + petra("NOTE:two"), petra("NOTE:two") + petra("NOTE:one", "TITLE:Cook"),
    petra("NOTE:one", "X-OWN:1", "CATEGORIES:Cooks", "ADR;TYPE=HOME:;;Am Kai 1;Bonn;;53111;"),
    petra("PHOTO;ENCODING=b;TYPE=PNG:" + (png ?? "")), ImportRun.plain("FN:Petra Muster") + petra("NOTE:one"),
    // Cards with one UID.
    petra("UID:u", "NOTE:one") + petra("UID:u", "NOTE:two", "TEL:+49 555 0177", "X-OTHER:1"),
    petra("UID:u", "X-OWN:1") + ImportRun.card("w", "Ada") + petra("UID:u", "X-OTHER:1") + petra("UID:u", "TITLE:Cook"),
    petra("UID:u", "NOTE:one") + ImportRun.card("u", "Ada", "TEL:1"),
    petra("UID:u", "PHOTO;ENCODING=b;TYPE=PNG:" + (png ?? "")) + petra("UID:u", "NOTE:one"),
    // Other formats.
    "Given Name,Family Name,Phone 1 - Value,Notes\nPetra,Muster,+49 555 0101,one\nPetra,Muster,+49 555 0101,one\n"
      + "Petra,Muster,+49 555 0101,two\n",
    "UID,Given Name,Family Name,Phone 1 - Value,Notes\nu,Petra,Muster,+49 555 0101,one\n",
    "Name,Notes\nPetra Muster,one\nPetra Muster,two\n",
    """
    dn: cn=Petra Muster,dc=a
    objectClass: inetOrgPerson
    cn: Petra Muster
    sn: Muster
    telephoneNumber: +49 555 0101
    description: one
    jpegPhoto:: \(png ?? "")

    dn: cn=Petra Muster,dc=b
    objectClass: inetOrgPerson
    cn: Petra Muster
    sn: Muster
    telephoneNumber: +49 555 0101
    description: two

    """,
    "# abook\n[format]\nprogram=abook\n\n[0]\nname=Petra Muster\nphone=+49 555 0101\nnotes=one\n",
    #"[{"name": "Petra Muster", "phones": [{"value": "+49 555 0101"}], "note": "one"}, {"name": "Petra Muster"}]"#,
    #"["vcard",[["version",{},"text","4.0"],["fn",{},"text","Petra Muster"],["tel",{},"text","+49 555 0101"]]]"#,
  ]

  private static let edits: [@Sendable (inout Contact) -> Void] = [
    { _ in }, { $0.phones.append(LabeledValue(label: "work", value: "+49 555 0188")) }, { $0.phones = [] },
    { $0.phones = [LabeledValue(label: "", value: "+49 555 0199")] }, { $0.note = "edited" }, { $0.note = "" },
    { $0.setFullName("Ada Lovelace") }, { ($0.given, $0.family, $0.formattedName) = ("Ada", "Lovelace", "") },
    { $0.emails = [LabeledValue(value: "ada@a.example")] }, { $0.groups = ["Friends"] }, { $0.birthday = nil },
    { $0.phones.removeAll { $0.value.hasSuffix("0177") } },
  ]

  @Test(arguments: files.indices, edits.indices)
  func aFileTwiceChangesNothing(file: Int, edit: Int) throws {
    try run.take(Self.files[file])
    for index in try run.contacts().indices { try run.edit(index, Self.edits[edit]) }
    let before = try run.contacts()
    for _ in 0..<2 {
      let (report, _) = try run.take(Self.files[file])
      #expect(report.imported == 0 && report.updated == 0, "\(report)")
      #expect(try run.contacts() == before)
    }
  }

  @Test(arguments: ["", "UID:u"]) func aPhotoThatWasRemovedHereStaysRemoved(uid: String) throws {
    let card = Self.petra(
      [uid, "PHOTO;ENCODING=b;TYPE=PNG:" + (Self.png ?? "")].filter { !$0.isEmpty }
        .joined(separator: "\r\n"))
    try run.take(card)
    let context = run.book.newContext()
    try #require(try context.person(run.contacts()[0].id)).setPhoto(nil)
    try context.save()
    #expect(try run.take(card).report.unchanged == 1)
    #expect(try run.contacts().map(\.photo) == [nil])
  }

  /// A line that the only card with a UID lacks was removed, also at the end of a long file.
  @Test func whatACardWithAUIDLacksIsRemoved() throws {
    let others = (0..<300).map { ImportRun.card("w\($0)", "Ada \($0)") }.joined()
    try run.take(Self.petra("UID:u", "NOTE:one", "X-OWN:1") + others)
    #expect(try run.take(Self.petra("UID:u") + others).report.updated == 1)
    let contact = try run.contacts()[0]
    #expect(contact.note.isEmpty && !contact.cardLines.contains("X-OWN:1"))
    #expect(try run.take(Self.petra("UID:u") + others).report.updated == 0)
  }

  @Test func whatTwoCardsWithOneUIDLackIsRemoved() throws {
    let first = Self.petra("UID:u", "NOTE:one", "X-OWN:1")
    let second = Self.petra("UID:u", "TITLE:Cook", "X-OTHER:1")
    try run.take(first + second)
    let (report, notices) = try run.take(first.replacing("X-OWN:1\r\n", with: "") + second)
    #expect(report.updated == 1 && report.unchanged == 1 && notices == [.sameUID(line: 1)])
    let contact = try run.contacts()[0]
    #expect(contact.title == "Cook" && contact.note == "one")
    #expect(contact.cardLines.contains("X-OTHER:1") && !contact.cardLines.contains("X-OWN:1"))
  }
}

/// A changed file of the same source, whose records have no UID.
@Suite struct ChangedSourceTests {
  private let run: ImportRun

  init() throws { run = try ImportRun() }

  private let header =
    "Given Name,Family Name,Phone 1 - Value,Phone 2 - Value,E-mail 1 - Value,Address 1 - Street,"
    + "Address 1 - City,Organization Title,Notes\n"

  private func row(
    _ name: String = "Petra,Muster", phone: String = "", second: String = "", email: String = "", street: String = "",
    title: String = "", note: String = ""
  ) -> String {
    "\(name),\(phone),\(second),\(email),\(street),\(street.isEmpty ? "" : "Bonn"),\(title),\(note)\n"
  }

  @discardableResult
  private func take(
    _ rows: String..., prepare: (Importer) -> Void = { _ in }
  ) throws -> (report: ImportReport, notices: [ImportNotice.Kind]) {
    try run.take(header + rows.joined(), prepare)
  }

  @Test func theSameNameAndOneNumberOrAddressUpdate() throws {
    let others = row("Ada,King", phone: "+49 555 0199") + row("Bo,Ek", email: "bo@a.example")
    try take(row(phone: "+49 555 0101", email: "p@a.example", street: "Am Kai 1", title: "Cook"), others)
    for changed in [
      row(phone: "+49 555 0101", email: "new@a.example", title: "Chef"),
      row(phone: "+49 555 0102", email: "p@a.example", title: "Owner"),
      row(phone: "+49 555 0103", email: "other@a.example", street: "Am Kai 1", title: "Retired"),
    ] {
      let (report, notices) = try take(changed, others)
      #expect(report.updated == 1 && report.unchanged == 2 && report.imported == 0)
      guard case .matched("Petra Muster", let reasons)? = notices.first, notices.count == 1 else {
        Issue.record("\(notices)")
        return
      }
      #expect(reasons.contains(.name) && reasons.count > 1)
      #expect(try take(changed, others).report.updated == 0)
    }
    let contact = try run.contacts()[0]
    #expect(contact.title == "Retired" && contact.emails.count == 3 && contact.phones.count == 3)
  }

  @Test func aUIDColumnUpdates() throws {
    try run.take("UID,Name,Title\nu,Petra Muster,Cook\n")
    #expect(try run.take("UID,Name,Title\nu,Petra Muster,Chef\n").report.updated == 1)
    #expect(try run.contacts().map(\.title) == ["Chef"])
  }

  @Test func otherPeopleStayOthers() throws {
    try take(row(phone: "+49 555 0101", email: "home@a.example", street: "Am Kai 1"))
    let others = [
      // A household: the number, the address and the email are the same, but not the name.
      row("Paul,Muster", phone: "+49 555 0101", email: "home@a.example", street: "Am Kai 1"),
      row("Petra Anna,Muster-Weg", phone: "+49 555 0101"),
      // The name is the same, and nothing else, or only the city.
      row(phone: "+49 555 0999"), row(email: "p@b.example"), row(street: "Markt 2"), row(title: "Cook", note: "x"),
    ]
    for (index, other) in others.enumerated() {
      let (report, notices) = try take(other)
      #expect(report.imported == 1 && notices.isEmpty, "\(other)")
      #expect(try run.contacts().count == index + 2)
    }
    #expect(try take(others.joined()).report.unchanged == others.count)
  }

  @Test func aDifferentBirthdayIsAnotherPerson() throws {
    let table = "Name,Phone,Birthday\nJohn Doe,+49 555 0101,1950-01-02\n"
    try run.take(table)
    #expect(try run.take(table.replacing("1950", with: "1980") + "John Doe Jr.,+49 555 0101,\n").report.imported == 2)
    // The father's row says more now, and his birthday was edited here.
    try run.edit { $0.birthday = PartialDate("1950-01-03") }
    let (report, _) = try run.take("Name,Phone,Birthday,Title\nJohn Doe,+49 555 0101,1950-01-02,Cook\n")
    #expect(report.updated == 1 && report.imported == 0)
    #expect(try run.contacts().map(\.title) == ["Cook", "", ""])
  }

  /// A name alone shows that a row is about a contact only if one of the two says nothing that the other does not.
  @Test func aNameAloneIsWeakEvidence() throws {
    try take(row(street: "Am Kai 1"), row("Ada,King"), row("Bo,Ek", title: "Cook"))
    let (report, notices) = try take(
      row(title: "Cook"), row("Ada,King", title: "Cook"), row("Bo,Ek", title: "Cook", note: "x"),
      row("Bo,Ek", title: "Chef"))
    #expect(report.imported == 2 && report.updated == 2)
    #expect(notices == ["Ada King", "Bo Ek"].map { .matched(name: $0, by: [.name]) })
    #expect(try run.contacts().map(\.title) == ["", "Cook", "Cook", "Cook", "Chef"])
    // A group that it was put into here does not make another person of it.
    try run.edit(2) { $0.groups = ["Friends"] }
    #expect(try take(row("Bo,Ek", title: "Cook", note: "y")).report.imported == 1, "another note")
    #expect(try take(row("Bo,Ek", street: "Markt 2", title: "Cook", note: "x")).report.updated == 1)
  }

  /// What was edited here stays; the other fields follow the source.
  @Test func editsAreMergedWithTheChangedRow() throws {
    try take(row(phone: "+49 555 0101", title: "Cook", note: "one"))
    try run.edit { ($0.note, $0.nickname) = ("mine", "Pe") }
    let changed = row(phone: "+49 555 0101", email: "p@a.example", title: "Chef", note: "one")
    #expect(try take(changed).report.updated == 1)
    #expect(try run.contacts().map { [$0.note, $0.nickname, $0.title] } == [["mine", "Pe", "Chef"]])
    // Both changed the title.
    try run.edit { $0.title = "Boss" }
    let (report, notices) = try take(changed.replacing("Chef", with: "Owner"))
    let title = try #require(ContactFields.standard.field(jsonKey: "title"))
    #expect(report.updated == 0 && notices == [.changedHere([title])])
    // The row again, and one with a number that is new.
    #expect(try take(changed).report.updated == 0)
    #expect(try take(row(phone: "+49 555 0101", second: "+49 555 0102", title: "Chef")).report.updated == 1)
    #expect(try run.contacts().map { [$0.note, $0.title] } == [["mine", "Boss"]])
  }

  @Test func aContactRenamedHereIsFoundByItsRow() throws {
    try take(row(phone: "+49 555 0101", note: "one"))
    try run.edit { ($0.given, $0.phones) = ("Pia", []) }
    #expect(try take(row(phone: "+49 555 0101", second: "+49 555 0102", note: "two")).report.updated == 1)
    let contact = try #require(try run.contacts().first)
    #expect(try run.contacts().count == 1)
    #expect(contact.given == "Pia" && contact.note == "two" && contact.phones.map(\.value) == ["+49 555 0102"])
  }

  @Test func unknownLinesOfACardSurviveARow() throws {
    let card = ImportRun.plain(
      "FN:Petra Muster", "N:Muster;Petra;;;", "TEL;TYPE=CELL,VOICE:+49 555 0101", "X-OWN;A=b:1", "TITLE:Cook")
    try run.take(card)
    for title in ["Chef", "Owner"] { try take(row(phone: "+49 555 0101", title: title)) }
    let contact = try run.contacts()[0]
    #expect(contact.title == "Owner" && contact.cardLines.contains("X-OWN;A=b:1"))
    #expect(contact.cardLines.contains("TEL;TYPE=CELL,VOICE:+49 555 0101"))
    #expect(try run.contacts().count == 1)
  }

  @Test func twoRowsThatMayBeOnePersonStayTheSame() throws {
    try run.take(ImportRun.card("u", "Petra Muster", "TEL:+49 555 0101", "EMAIL:p@a.example"))
    let rows = row(phone: "+49 555 0101", note: "one") + row(phone: "+49 555 0101", second: "+49 555 0102", note: "two")
    try take(rows)
    let before = try run.contacts()
    #expect(before.count == 2)
    #expect(try take(rows).report.unchanged == 2)
    #expect(try run.contacts() == before)
  }

  @Test func matchesAreListedUpToALimit() throws {
    let rows = (1...30).map { row("Ada,No\($0)", phone: "+49 555 01\($0 + 10)", title: "Cook") }.joined()
    try take(rows)
    let changed = rows.replacing("Cook,", with: "Chef,new").replacing("+49 555", with: "0 999,+49 555")
      .replacing(",,,,,Chef", with: ",,,,Chef")
    let (report, notices) = try take(changed) { $0.matchLimit = 20 }
    #expect(report.updated == 30 && notices.count == 21, "\(notices)")
    #expect(notices.first == .matched(name: "Ada No1", by: [.name, .phone]) && notices.last == .furtherMatches(10))
    // A dry run lists the same.
    #expect(try take(changed.replacing("new", with: "next")) { $0.isDryRun = true }.report.updated == 30)
  }
}
