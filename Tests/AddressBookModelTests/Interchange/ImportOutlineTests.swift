import ContactInterchange
import Contacts
import Testing

@testable import AddressBookModel
@testable import BookInterchange

/// What the screen shows before an import: the format, the columns and the first contacts, and then the names in
/// notices.
@Suite struct ImportOutlineTests {
  private let run: ImportRun

  init() throws { run = try ImportRun() }

  private func outline(_ text: String, name: String = "file", _ prepare: (inout ImportReading) -> Void = { _ in })
    throws -> ImportOutline
  {
    var reading = ImportReading()
    prepare(&reading)
    return try ImportOutline(path: run.folder.write(Array(text.utf8), to: name), reading, contacts: 2)
  }

  @Test func aFileOfCardsHasNoColumns() throws {
    let cards = ["Ann", "Bo", "Cy"].map { ImportRun.card($0, $0) }.joined()
    let found = try outline(cards)
    #expect(found.format == .vCard && found.csv == nil && found.contacts.map(\.displayName) == ["Ann", "Bo"])
    #expect(throws: ImportError.self) { try outline("") }
  }

  @Test func theColumnsOfCSVCanBeMapped() throws {
    let text = "Wer,Was\nAnn,555 0101\n"
    let unknown = try outline(text, name: "a.csv")
    #expect(unknown.format == .csv && unknown.contacts.isEmpty)
    #expect(unknown.csv?.columns.map(\.meaning) == [.unknown, .unknown])
    let mapped = try outline(text, name: "a.csv") {
      $0.csv.map = [CSVMapping(column: "Wer", slot: .name), CSVMapping(column: "2", slot: nil)]
    }
    #expect(mapped.contacts.map(\.displayName) == ["Ann"])
    #expect(mapped.csv?.columns.map(\.meaning) == [.field(.name), .leftOut])
  }

  @Test(
    arguments: [
      ("a", "Name,Phone\n", ImportFormat.csv), ("a.tsv", "x\ty\n", .csv), ("a.vcf", "x", .vCard), ("a", "x", nil),
      ("a.txt", "\n# by X\nBEGIN:VCARD\n", .vCard), ("a.csv", "dn: cn=a\n", .ldif), ("a.csv", "%PDF-1.4", nil),
    ] as [(String, String, ImportFormat?)])
  func aFileIsRecognizedByContentAndThenByName(name: String, text: String, format: ImportFormat?) {
    #expect(ImportFormat(beginning: Array(text.utf8), name: name) == format)
  }

  @Test func noticesNameTheContactAndWhatTheyAreAbout() throws {
    let importer = Importer(book: run.book)
    var notices: [ImportNotice] = []
    importer.onNotice = { notices.append($0) }
    let csv = "Name,Birthday,Shoe\nAnn,soon,42\nBo,03/04/1990,\n"
    let cards = ImportRun.card("a", "Cy", "no property") + ImportRun.card("a", "Cy", "no property")
    _ = try importer.run([
      run.folder.write(Array(csv.utf8), to: "a.csv"), run.folder.write(Array(cards.utf8), to: "b.vcf"),
    ])
    #expect(notices.map(\.name) == ["Ann", "Bo", "", "Cy", "Cy", "Cy"])
    #expect(notices.map(\.category) == [.dates, .dates, .leftOut, .leftOut, .leftOut, .repeated])
  }

  @Test func aSlotIsReadFromItsText() throws {
    let fields = ContactFields.standard
    var slots: [FieldSlot] = [.name, .birthday, .groups, .kind, .uid]
    slots += fields.texts.filter { $0.role != .fullName }.map(FieldSlot.text)
    slots += fields.values.flatMap { [.value($0, label: ""), .value($0, label: "a b]c")] }
    slots += AddressPart.allCases.flatMap { [.address($0, label: ""), .address($0, label: "home")] }
    for slot in slots { #expect(FieldSlot(argument: slot.argument) == slot, "\(slot.argument)") }
    #expect(FieldSlot(argument: "shoe") == nil)
  }
}
