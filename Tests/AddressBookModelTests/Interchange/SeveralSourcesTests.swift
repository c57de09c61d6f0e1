import ContactInterchange
import Contacts
import Testing

@testable import AddressBookModel
@testable import BookInterchange

/// The same people in several files without UIDs, of several programs, imported again and again.
@Suite struct SeveralSourcesTests {
  private let run: ImportRun
  private let card = ImportRun.plain(
    "FN:Anna Berg", "N:Berg;Anna;;;", "EMAIL:anna@a.example", "TEL:+49 30 1234567", "BDAY:--12-19", "ORG:Old Firm")

  init() throws { run = try ImportRun() }

  private func row(_ birthday: String = "1980-12-19", firm: String = "Old Firm", phone: String = "") -> String {
    "First Name,Last Name,E-mail Address,Birthday,Company,Mobile Phone\n"
      + "Anna,Berg,anna@a.example,\(birthday),\(firm),\(phone)\n"
  }

  @discardableResult
  private func take(
    _ text: String, _ name: String
  ) throws -> (report: ImportReport, notices: [ImportNotice.Kind]) {
    let importer = Importer(book: run.book)
    var notices: [ImportNotice.Kind] = []
    importer.onNotice = { if case .matched = $0.kind {} else { notices.append($0.kind) } }
    return (try importer.run([run.folder.write(Array(text.utf8), to: name)]), notices)
  }

  private func anna() throws -> Contact {
    let contacts = try run.contacts()
    #expect(contacts.count == 1)
    return contacts[0]
  }

  private static func field(_ name: String) throws -> ContactField {
    try #require(ContactFields.standard.field(jsonKey: name))
  }

  /// The second file says what was edited here, so what the first one says differs from the last card.
  @Test func anEditIsNotLostToAnOlderFile() throws {
    try take(card, "phone.vcf")
    try run.edit { ($0.birthday, $0.organization) = (PartialDate("1980-12-19"), "New Firm") }
    try take(row(firm: "New Firm", phone: "+49 170 9876543"), "mail.csv")
    let before = try anna()
    for _ in 0..<2 {
      let (report, notices) = try take(card, "phone.vcf")
      #expect(report.unchanged == 1)
      #expect(notices == [.replacedHere([try Self.field("organization"), try Self.field("birthday")])])
      #expect(try anna() == before)
    }
  }

  @Test func twoFilesThatDifferDoNotTakeTurns() throws {
    try take(card, "phone.vcf")
    #expect(try take(row(firm: "New Firm"), "mail.csv").report.updated == 1)
    let before = try anna()
    #expect(before.organization == "New Firm" && before.birthday == PartialDate("1980-12-19"))
    for _ in 0..<2 {
      #expect(try take(card, "phone.vcf").report.updated == 0)
      #expect(try take(row(firm: "New Firm"), "mail.csv").report.updated == 0)
      #expect(try anna() == before)
    }
    #expect(before.cardLines.filter { $0.hasPrefix("BDAY") }.count == 1)
  }

  /// What a file did not say before is news, also when the file is older than another one.
  @Test func newValuesOfAnOlderFileAreTaken() throws {
    try take(card, "phone.vcf")
    try take(row(firm: "New Firm"), "mail.csv")
    #expect(
      try take(card.replacing("ORG:Old Firm", with: "ORG:Old Firm\r\nTITLE:Cook"), "phone.vcf").report.updated == 1)
    #expect(try anna().title == "Cook" && anna().organization == "New Firm")
    #expect(try take(card.replacing("Old Firm", with: "Third Firm"), "phone.vcf").report.updated == 1)
    #expect(try anna().organization == "Third Firm")
  }

  /// A file may go back to what it said.
  @Test func oneFileMayChangeBack() throws {
    for firm in ["One", "Two", "One", "Two"] {
      try take(row(firm: firm), "mail.csv")
      #expect(try anna().organization == firm)
    }
    for (name, firm) in [("mail (1).csv", "One"), ("mail.csv", "Two"), ("./mail.csv", "One"), ("mail.csv", "Two")] {
      try take(row(firm: firm), name)
      #expect(try anna().organization == firm)
    }
    // Only a file of this name.
    #expect(try take(row(firm: "One"), "other.csv").notices == [.replacedHere([try Self.field("organization")])])
    #expect(try anna().organization == "Two")
  }

  /// A row with a UID says what is wanted, as one of this book's own exports that was edited.
  @Test func aRowWithAUIDBringsBackWhatItSays() throws {
    try take("UID,Name,Company\nu,Anna Berg,Old Firm\n", "book.csv")
    try run.edit { $0.organization = "New Firm" }
    try run.edit { $0.organization = "Third Firm" }
    try take("UID,Name,Company\nu,Anna Berg,New Firm\n", "book.csv")
    #expect(try anna().organization == "Third Firm", "both changed it")
    try run.book.database.write { try $0.execute(sql: "DELETE FROM contact_card") }
    try take("UID,Name,Company\nu,Anna Berg,New Firm\n", "book.csv")
    #expect(try anna().organization == "New Firm")
  }

  @Test func aDamagedHistoryStopsNoImport() throws {
    try take(card, "phone.vcf")
    try run.edit { $0.organization = "New Firm" }
    try run.edit { $0.organization = "Third Firm" }
    try run.book.database.write {
      try $0.execute(sql: "UPDATE edit_entry SET changes = x'00' WHERE changes IS NOT NULL")
    }
    #expect(try take(row(firm: "New Firm"), "mail.csv").report.imported == 0)
    #expect(try anna().emails.count == 1)
  }

  @Test func whatWasRemovedHereStaysRemoved() throws {
    try take(card.replacing("FN:", with: "UID:u\r\nFN:"), "phone.vcf")
    try take(row(phone: "+49 170 9876543"), "mail.csv")
    #expect(try anna().phones.count == 2)
    try run.edit { contact in
      contact.phones.removeAll { $0.value.contains("170") }
      contact.birthday = nil
    }
    let (report, notices) = try take(row(phone: "+49 170 9876543"), "mail.csv")
    #expect(report.unchanged == 1)
    #expect(notices == [.replacedHere([try Self.field("birthday")])])
    #expect(try anna().phones.count == 1 && anna().birthday == nil)
  }

  @Test func valuesOfAContactThatNoFileBroughtStayRemovedToo() throws {
    let context = run.book.newContext()
    var contact = Contact()
    contact.setFullName("Anna Berg")
    contact.phones = ["+49 170 9876543", "+49 30 1234567"].map { LabeledValue(value: $0) }
    contact.groups = ["Choir"]
    try context.insertPerson().apply(contact)
    try context.save()
    try run.edit { contact in
      contact.phones.removeFirst()
      contact.groups = []
    }
    let old = ImportRun.plain(
      "FN:Anna Berg", "TEL:+49 30 1234567", "TEL:+49 170 9876543", "CATEGORIES:Choir", "NOTE:Sings")
    let (report, notices) = try take(old, "old.vcf")
    #expect(report.updated == 1)
    #expect(notices == [.replacedHere([try Self.field("phones"), try Self.field("groups")])])
    let anna = try anna()
    #expect(anna.phones.map(\.value) == ["+49 30 1234567"] && anna.groups.isEmpty && anna.note == "Sings")
  }

  /// What was undone is as if it had never been in the book.
  @Test func anImportThatWasUndoneCanBeRepeated() throws {
    try take(card, "phone.vcf")
    try take(row(firm: "New Firm"), "mail.csv")
    let step = try #require(try run.book.stepToUndo())
    _ = try run.book.reverse(step)
    #expect(try anna().organization == "Old Firm")
    let (report, notices) = try take(row(firm: "New Firm"), "mail.csv")
    #expect(report.updated == 1 && notices.isEmpty)
    #expect(try anna().organization == "New Firm")
  }
}
