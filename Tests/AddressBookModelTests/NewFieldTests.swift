import ContactInterchange
import Contacts
import Testing
import VCard

@testable import AddressBookModel

/// A new field needs only a row in the table of fields: all code that uses the table handles it.
struct NewFieldTests {
  private let row = ContactField.Text(
    "birthFamily", { $0.birthFamily }, { $0.birthFamily = $1 }, limit: 20, search: .nickname,
    card: .init("X-BIRTH-FAMILY", rank: 45), form: .init(65, isRare: true))

  private var fields: ContactFields { ContactFields(ContactFields.standard.all + [.text(row)]) }

  private var ada: Contact {
    var contact = Contact()
    contact.given = "Ada"
    contact.family = "Lovelace"
    contact.nickname = "Countess"
    contact.birthFamily = "Byron"
    return contact
  }

  @Test func aNewFieldHasAColumnAKeyAndARowInTheForm() {
    #expect(row.column == "birth_family" && row.jsonKey == "birthFamily")
    #expect(fields.inFormOrder.firstIndex(of: .text(row)) == 7, "between the suffix and the full name")
  }

  @Test func jsonWritesAndReadsANewField() throws {
    var contact = ada
    contact.created = ""
    contact.birthFamily = "Byron"
    let text = ContactJSON.encode(contact, section: "L", fields: fields)
    #expect(text.contains(#""birthFamily": "Byron""#))
    #expect(!ContactJSON.encode(contact, section: "L").contains("birthFamily"))
    let read = try ContactPatch(json: Array(#"{"birthFamily": "Milbanke"}"#.utf8), fields: fields)
    #expect(read.applied(to: ada).birthFamily == "Milbanke")
    #expect(throws: ContactJSONError.unknownKey(path: "birthFamily")) {
      try ContactPatch(json: Array(#"{"birthFamily": "Milbanke"}"#.utf8))
    }
  }

  @Test func mergesIncludeANewField() {
    var mine = ada
    mine.birthFamily = "Milbanke"
    var theirs = ada
    theirs.title = "Countess"
    var merge = ThreeWayMerge(base: ada, mine: mine, theirs: theirs, fields: fields)
    let merged = merge.run()
    #expect(merged.birthFamily == "Milbanke" && merged.title == "Countess" && merge.conflictingFields.isEmpty)
    theirs.birthFamily = "Noel"
    var conflict = ThreeWayMerge(base: ada, mine: mine, theirs: theirs, fields: fields)
    _ = conflict.run()
    #expect(conflict.conflictingFields == ["birthFamily"])
  }

  @Test func importsAddAndTruncateANewField() {
    var bare = ada
    bare.birthFamily = ""
    #expect(bare.adding(ada, fields: fields).birthFamily == "Byron")
    #expect(!mineAndTheirsAgree())
    var long = ada
    long.birthFamily = String(repeating: "x", count: 21)
    #expect(long.shortened(fields: fields).birthFamily.count == 20)
  }

  private func mineAndTheirsAgree() -> Bool {
    var other = ada
    other.birthFamily = "Noel"
    return ada.agrees(with: other, fields: fields)
  }

  @Test func theRulesOfANewFieldApply() {
    var contact = ada
    contact.birthFamily = String(repeating: "x", count: 21) + "\u{1B}"
    let issues = ContactRules.issues(in: contact, fields: fields)
    #expect(issues.map { "\($0.property):\($0.rule)" } == ["birthFamily:tooLong", "birthFamily:controlCharacter"])
    #expect(issues.first?.arguments == ["20"])
    #expect(ContactRules.issues(in: contact).isEmpty)
  }

  @Test func aSearchFindsANewField() {
    #expect(ada.searchDocument(fields: fields).nickname == "Countess Byron")
    #expect(ada.searchDocument.nickname == "Countess")
  }

  @Test(arguments: CardVersion.allCases) func cardsContainANewField(_ version: CardVersion) throws {
    let card = ContactCardWriter(version: version, fields: fields).card(for: ada)
    let names = card.lines.map(\.key)
    #expect(names.firstIndex(of: "X-BIRTH-FAMILY") == names.firstIndex(of: "NICKNAME").map { $0 + 1 })
    let bytes = VCardWriter(version: version).bytes(of: card)
    let again = try #require(VCardReader.read(bytes).cards.first)
    let read = ContactCardReader(fields: fields).read(again).contact
    #expect(read.birthFamily == "Byron")
    // A program that does not know the field keeps the line anyway.
    let kept = ContactCardReader().read(again).contact
    #expect(kept.birthFamily.isEmpty && kept.cardLines.contains { $0.hasPrefix("X-BIRTH-FAMILY") })
  }
}

extension Contact {
  /// The new field is stored in `created`, which an unsaved contact does not need, and which is not in the table of
  /// fields.
  fileprivate var birthFamily: String {
    get { created }
    set { created = newValue }
  }
}
