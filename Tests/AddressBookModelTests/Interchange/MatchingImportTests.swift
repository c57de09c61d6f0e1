import Contacts
import Testing

@testable import AddressBookModel
@testable import BookInterchange

/// Records without a UID that `--match` assigns to contacts of the book.
@Suite struct MatchingImportTests {
  private let run: ImportRun

  init() throws {
    run = try ImportRun()
    try run.take(
      ImportRun.card("a", "Ann Ames", "TEL:+49 89 1234567", "TITLE:Boss")
        + ImportRun.card("b", "Bo Ames", "TEL:089 1234567", "EMAIL:bo@a.example")
        + ImportRun.card("c", "Cy", "EMAIL:cy@a.example", "TEL;TYPE=HOME:+1 212 5550100")
        + ImportRun.card("", "", "TEL:+1 212 5550199"))
  }

  private func card(_ lines: String...) -> String {
    (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
  }

  private func take(
    _ text: String, _ kinds: MatchKind...
  ) throws -> (report: ImportReport, notices: [ImportNotice.Kind]) {
    try run.take(text) { $0.matching = Set(kinds) }
  }

  @Test func withoutMatchingTheNameMustBeTheSame() throws {
    let (report, notices) = try take(card("FN:Anna", "TEL:089/1234567") + card("FN:Cyrus", "EMAIL:cy@a.example"))
    #expect(report.imported == 2 && notices.isEmpty)
    let same = try take(card("FN:Ann Ames", "TEL:089/1234567"))
    #expect(same.report.unchanged == 1 && same.notices == [.matched(name: "Ann Ames", by: [.name, .phone])])
  }

  @Test func aNumberAndTheNameFindTheContact() throws {
    let (report, notices) = try take(
      card("FN:Ames\\, Ann", "TEL;TYPE=WORK:089/1234567", "TEL:2", "TITLE:Chief"), .phone)
    #expect(report.updated == 1 && notices == [.matched(name: "Ann Ames", by: [.name, .phone])])
    let contact = try run.contacts()[0]
    #expect(contact.displayName == "Ann Ames" && contact.title == "Chief", "the name stays")
    #expect(contact.phones.map(\.value) == ["+49 89 1234567", "2"], "the same number is not added in another form")
    // A record with nothing new changes nothing.
    #expect(try take(card("FN:Ann Ames", "TEL;TYPE=WORK:089/1234567", "TEL:2"), .phone).report.unchanged == 1)
  }

  @Test func anAddressFindsTheContactUnderAnotherName() throws {
    let record = card("FN:Cyrus Cole", "EMAIL;TYPE=HOME:CY@a.example", "NOTE:x")
    let (report, notices) = try take(record, .email)
    #expect(report.updated == 1 && notices == [.matchedOtherName(name: "Cy", own: "Cyrus Cole")])
    let contact = try run.contacts()[2]
    #expect(contact.displayName == "Cy" && contact.note == "x" && contact.emails.count == 1)
    #expect(try take(record, .phone).report.imported == 1)
  }

  @Test func aContactWithoutANameGetsOne() throws {
    #expect(try take(card("FN:Dee", "TEL:212-555-0199"), .phone).report.updated == 1)
    #expect(try run.contacts()[3].displayName == "Dee")
  }

  @Test func anAmbiguousMatchIsANewContactAndReported() throws {
    let record = card("FN:Eve Ames", "TEL:089 1234567")
    let (report, notices) = try take(record, .phone, .email, .name)
    #expect(report.imported == 1 && notices == [.ambiguous(names: ["Ann Ames", "Bo Ames"])])
    #expect(try take(record, .phone).report.unchanged == 1)
  }

  @Test func rowsOfATableAreMatchedToo() throws {
    let table = "Name,E-mail,Notes\nCy,cy@a.example,from a table\nFay,fay@a.example,\n"
    let (report, _) = try take(table, .email)
    #expect(report.updated == 1 && report.imported == 1)
    #expect(try run.contacts()[2].note == "from a table")
    #expect(try take(table, .email).report.unchanged == 2)
  }

  @Test func cardsWithAUIDAreNotMatched() throws {
    #expect(try take(ImportRun.card("z", "Cy", "EMAIL:cy@a.example"), .email, .name).report.imported == 1)
  }

  @Test func furtherCardsAboutAContactAreMergedToo() throws {
    let first = card("FN:Cy", "EMAIL:cy@a.example", "NOTE:1")
    let (report, notices) = try take(
      first + card("FN:Cy", "EMAIL:cy@a.example", "TEL:5550123") + card("EMAIL:cy@a.example", "URL:https://cy.example"),
      .email)
    #expect(report.updated == 3 && report.imported == 0)
    let matched = ImportNotice.Kind.matched(name: "Cy", by: [.email, .name])
    #expect(notices == [matched, .mergedToo(name: "Cy", line: 1), .mergedToo(name: "Cy", line: 7)])
    let contact = try run.contacts()[2]
    #expect(contact.note == "1" && contact.phones.map(\.value).contains("5550123") && contact.urls.count == 1)
    // The same card twice is reported as such.
    #expect(try take(first + first, .email).notices == [matched, .sameCard(line: 1)])
  }

  @Test func aFurtherCardAboutSomeoneElseIsANewContact() throws {
    let (report, notices) = try take(
      card("FN:Cy", "EMAIL:cy@a.example", "NOTE:1") + card("FN:Dot", "EMAIL:cy@a.example")
        + card("FN:Cy", "EMAIL:cy@a.example", "BDAY:1990-01-01")
        + card("FN:Cy", "EMAIL:cy@a.example", "NOTE:2"),
      .email)
    #expect(report.updated == 2 && report.imported == 2)
    #expect(try run.contacts()[2].note == "1", "no card replaces what an earlier one brought")
    #expect(
      notices == [
        .matched(name: "Cy", by: [.email, .name]), .matchedTwice(name: "Cy", line: 1), .mergedToo(name: "Cy", line: 1),
        .matchedTwice(name: "Cy", line: 12),
      ])
  }

  @Test func newContactsOfAnImportAreNotMatchedWithEachOther() throws {
    let (report, notices) = try take(
      card("FN:Gil", "EMAIL:gil@a.example") + card("FN:Gil", "EMAIL:gil@a.example", "TEL:5550177"), .email)
    #expect(report.imported == 2 && notices.isEmpty)
  }
}
