import ContactInterchange
import Foundation
import GRDB
import ResultsController
import SharedMaterial
import Synchronization
import TerminalKit
import Testing
import VCard

@testable import AddressBookModel
@testable import AddressBookTUI
@testable import BookCare
@testable import BookInterchange
@testable import BookSearching
@testable import Contacts
@testable import Messages

/// The recipe of CONTRIBUTING.md for a new field is all that a field needs: the two of ``NewFields`` are migrated into a
/// copy of a book, and every part of the program handles them. The table of fields is that of the whole process, so
/// these tests run in a process of their own (Scripts/run-tests.sh).
@Suite(
  .serialized,
  .enabled(if: ProcessInfo.processInfo.environment["NEW_FIELDS"] != nil, "they run in a process of their own"))
struct NewFieldTests {
  let folder: BookFolder

  init() throws {
    NewFields.added
    folder = try BookFolder()
  }

  private var ada: Contact {
    var contact = Contact()
    contact.uid = "ada"
    contact.given = "Ada"
    contact.family = "Lovelace"
    contact.handles = [LabeledValue(label: "matrix", value: "@ada:example.org")]
    contact.birthFamily = "Byron"
    contact.petNames = [
      LabeledValue(label: "school", value: "Lady Fairy"), LabeledValue(label: "my own", value: "Enchantress"),
      LabeledValue(value: "A"),
    ]
    return contact
  }

  /// Opens the book, which migrates it, calls `body` and closes it.
  func withBook<Result>(_ body: (AddressBook) throws -> Result) throws -> Result {
    let book = try AddressBook.open(at: folder.location)
    defer { book.close() }
    return try body(book)
  }

  private func add(_ contact: Contact, to book: AddressBook) throws -> Int64 {
    try book.bulkWrite(as: StepName(.importing, "a.vcf")) { try $0.write(contact).id }
  }

  func edit(_ id: Int64, in book: AddressBook, _ change: (inout Contact) -> Void) throws {
    let context = book.newContext()
    let person = try #require(try context.person(id))
    var contact = try person.contact
    change(&contact)
    try person.apply(contact)
    try context.save()
  }

  /// Runs SQL; the checksums stay as they are, as if the disk had changed the data.
  private func damage(_ sql: String) throws {
    let queue = try DatabaseQueue(path: folder.file("book.db"))
    defer { try? queue.close() }
    try queue.write { db in
      let sums = try Row.fetchAll(db, sql: "SELECT * FROM contact_checksum")
      try OwnVersions.begin(db)
      try db.execute(sql: sql)
      try OwnVersions.end(db)
      for row in sums {
        try db.execute(
          sql: "INSERT OR REPLACE INTO contact_checksum VALUES (?, ?)", arguments: [row[0], row[1]])
      }
    }
  }

  private func damageFound() throws -> [Finding.Kind] {
    try BookDoctor(folder.location).examine().findings.filter { $0.severity == .damage }.map(\.kind)
  }

  // MARK: - Storage

  @Test func theTableHasBoth() {
    #expect(ContactFields.standard.texts.contains(NewFields.text))
    #expect(ContactFields.standard.values.contains(NewFields.list))
    #expect(NewFields.text.column == "birth_family" && Schema.labeledTables.contains("pet_name"))
  }

  @Test func aBookIsMigrated() throws {
    try folder.fill()
    try withBook { book in
      let version = try book.database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
      #expect(version == NewFields.shipped + 1)
      let contacts = try book.contacts(ids: [1, 2])
      #expect(contacts.map(\.displayName) == ["曾国藩", "Åsa Lindström"] && contacts.allSatisfy { $0.trial == nil })
      // A checksum that was computed without the fields still fits.
      #expect(try book.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM contact_checksum") } ?? 0 > 0)
      #expect(book.damage.isEmpty)
    }
    #expect(FileManager.default.fileExists(atPath: folder.file("book.db.v\(NewFields.shipped)")))
    #expect(try damageFound().isEmpty)
  }

  @Test func bothAreWrittenAndReadInEachWay() throws {
    try folder.fill()
    try withBook { book in
      let id = try add(ada, to: book)
      #expect(try book.contact(id: id)?.comparable == ada.comparable)
      let context = book.newContext()
      #expect(try context.person(id)?.contact.comparable == ada.comparable)
      try edit(id, in: book) {
        $0.birthFamily = "Noel"
        $0.petNames.swapAt(0, 1)
        $0.petNames[2].label = "home"
      }
      var expected = ada
      expected.birthFamily = "Noel"
      expected.petNames.swapAt(0, 1)
      expected.petNames[2].label = "home"
      #expect(try book.contact(id: id)?.comparable == expected.comparable)
      let conditions = ["birthFamily == 'Noel'", "ANY petNames.value BEGINSWITH 'Ench'", "petNames.@count == 3"]
      for condition in conditions { #expect(try book.contactIDs(where: ContactCondition(condition)) == [id]) }
      try edit(id, in: book) { ($0.birthFamily, $0.petNames) = ("", []) }
      #expect(try book.contact(id: id)?.trial == nil)
      try edit(1, in: book) { ($0.birthFamily, $0.petNames) = (ada.birthFamily, ada.petNames) }
      #expect(try book.contact(id: 1)?.trial == ada.trial)
      #expect(throws: EditError.self) { try edit(1, in: book) { $0.birthFamily = String(repeating: "x", count: 21) } }
    }
    #expect(try damageFound().isEmpty)
  }

  @Test func changesOfTwoSidesAreMergedByField() throws {
    try folder.fill()
    try withBook { book in
      let id = try add(ada, to: book)
      let (mine, theirs) = (book.newContext(), book.newContext())
      let (my, their) = (try #require(try mine.person(id)), try #require(try theirs.person(id)))
      var (contact, other) = (try my.contact, try their.contact)
      other.birthFamily = "Noel"
      other.petNames[0].value = "Fairy"
      try their.apply(other)
      try theirs.save()
      contact.petNames[1].value = "Sorceress"
      contact.note = "mine"
      try my.apply(contact)
      try mine.save()
      let saved = try #require(try book.contact(id: id))
      #expect(saved.birthFamily == "Noel" && saved.note == "mine")
      #expect(saved.petNames.map(\.value) == ["Fairy", "Sorceress", "A"])
    }
  }

  @Test func theHistoryHasBothAndBringsThemBack() throws {
    try folder.fill()
    try withBook { book in
      let id = try add(ada, to: book)
      try edit(id, in: book) { ($0.birthFamily, $0.petNames) = ("Noel", [LabeledValue(value: "B")]) }
      let change = try #require(try book.lastChanges(ofContacts: [id])[id])
      #expect(change.fields == [.text(NewFields.text), .values(NewFields.list)])
      #expect(change.before.trial == ada.trial)
      let english = Localization(language: .english)
      #expect(change.differences(in: english).map { $0.line(in: english) }.contains("birthFamily: Byron → Noel"))
      _ = try book.reverse(try #require(try book.stepToUndo()))
      #expect(try book.contact(id: id)?.comparable == ada.comparable)
      _ = try book.reverse(try #require(try book.stepToRedo()))
      #expect(try book.contact(id: id)?.birthFamily == "Noel")
      #expect(try book.contact(id: id)?.petNames == [LabeledValue(value: "B")])
    }
    #expect(try damageFound().isEmpty)
  }

  @Test(arguments: [
    "UPDATE contact SET birth_family = 'Bxron' WHERE birth_family = 'Byron'",
    "UPDATE pet_name SET value = 'Lady' WHERE position = 0", "UPDATE pet_name SET label = 'x' WHERE position = 1",
    "DELETE FROM pet_name WHERE position = 2",
  ])
  func damageIsFoundAndRepaired(_ sql: String) throws {
    try folder.fill()
    try withBook { book in
      let id = try add(ada, to: book)
      for edit in [BulkEdit.delete, .restore] {
        #expect(try book.bulkEdit([id], edit, as: StepName(.edit), isCancelled: { false }) == 1)
      }
      _ = try AutomaticBackup(of: book, keeping: 1).run(on: CalendarDay(at: time(nil)))
    }
    #expect(try damageFound().isEmpty)
    try damage(sql)
    #expect(try damageFound() == [.contacts])
    _ = try BookDoctor(folder.location).repair()
    let repaired = try withBook { try $0.contact(uid: "ada") }
    #expect(repaired?.trial == ada.trial)
    #expect(try damageFound().isEmpty)
  }

  /// Contacts that were written before the migration have rows without the new column.
  @Test func aSalvageKeepsBoth() throws {
    try folder.fill()
    let before = try withBook { book in
      _ = try add(ada, to: book)
      return try book.contacts(ids: [1, 2, 4])
    }
    #expect(before[2].trial == ada.trial)
    var bytes = try Data(contentsOf: URL(filePath: folder.file("book.db")))
    let queue = try DatabaseQueue(path: folder.file("book.db"))
    let root = try queue.read { try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'url'") }
    try queue.close()
    let page = try #require(root)
    bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(repeating: 0xA5, count: 4096))
    try bytes.write(to: URL(filePath: folder.file("book.db")))
    let report = try BookDoctor(folder.location).repair()
    #expect(report.actions.contains { $0.kind == .salvaged } && report.after.isHealthy, "\(report.after.findings)")
    let after = try withBook { try $0.contacts(ids: [1, 2, 4]) }
    #expect(after.map(\.comparable) == before.map(\.comparable))
  }

  // MARK: - Other programs

  @Test func aWriteOfAnotherProcessReachesAList() throws {
    try folder.fill()
    try withBook { book in
      let id = try add(ada, to: book)
      let controller = FetchedRecordsController<ContactRow>(
        book.database, request: .contacts(in: .latin), tracking: .contacts, deliver: .init { $0() })
      let updated = Mutex(false)
      controller.listen { event in
        switch event {
        case .changed: updated.withLock { $0 = true }
        case .failed(let error): Issue.record(error)
        case .written: break
        }
      }
      try controller.performFetch()
      let version = try #require(try book.contact(id: id)?.version)
      for sql in [
        "INSERT INTO pet_name (contact_id, position, value) VALUES (\(id), 3, 'B')",
        "UPDATE pet_name SET label = 'home' WHERE value = 'B'", "DELETE FROM pet_name WHERE value = 'B'",
        "UPDATE contact SET birth_family = 'Noel' WHERE id = \(id)",
      ] {
        updated.withLock { $0 = false }
        let result = try CommandResult.run(
          "/usr/bin/sqlite3", [folder.file("book.db"), sql], environment: ["HOME": folder.path])
        #expect(result.status == 0, "\(result.errors)")
        var isUpdated: Bool { updated.withLock { $0 } }
        for _ in 0..<60_000 where !isUpdated { usleep(1000) }
        #expect(isUpdated, "\(sql)")
      }
      #expect(try book.contact(id: id)?.version == version + 4)
      controller.stopTracking()
    }
  }

  /// The cards of some contacts have the properties of the fields from before: the values must neither be missing nor,
  /// because they seem to have been removed, leave the cards.
  @Test func whatCardsSaidBeforeIsRead() throws {
    let lines = ["VERSION:4.0", "FN:Anne", "N:;Anne;;;", "X-BIRTH-FAMILY:Milbanke", "X-PET-NAME;TYPE=home:Annabella"]
    try folder.fill("UPDATE contact_card SET lines = '\(StoredLines.text(lines))' WHERE contact_id = 1")
    try withBook { book in
      let contact = try #require(try book.contact(id: 1))
      #expect(contact.birthFamily == "Milbanke")
      #expect(contact.petNames == [LabeledValue(label: "home", value: "Annabella")])
      let card = String(decoding: CardExporter(version: nil).card(of: contact, photo: nil), as: UTF8.self)
      #expect(lines.suffix(2).allSatisfy { card.components(separatedBy: $0).count == 2 }, "\(card)")
      try edit(1, in: book) { ($0.birthFamily, $0.petNames) = ("", []) }
    }
    // They are read once.
    let again = try withBook { try $0.contact(id: 1) }
    #expect(again?.displayName == "曾国藩" && again?.trial == nil)
    #expect(try damageFound().isEmpty)
  }

  // MARK: - Search

  @Test func aSearchFindsBoth() throws {
    try folder.fill()
    func expectFound(_ id: Int64, _ book: AddressBook, _ words: [String] = ["byron", "fairy", "ench lovelace"]) throws {
      for word in words { #expect(try BookQueries(book).find(word).map(\.id) == [id], "\(word)") }
    }
    let id = try withBook { book in
      let id = try add(ada, to: book)
      try expectFound(id, book)
      let queries = BookQueries(book)
      let matches = try queries.find("byron ench", explaining: true).first?.matches.map(\.field) ?? []
      #expect(Set(matches) == ["birthFamily", "petNames[1]"])
      queries.keepIndex()
      return id
    }
    try withBook { book in
      // The index comes from the file, with the edit on top.
      try expectFound(id, book)
      try edit(id, in: book) { ($0.birthFamily, $0.petNames[0].value) = ("Noel", "Titania") }
      try expectFound(id, book, ["noel", "titania"])
      #expect(try BookQueries(book).find("byron").isEmpty && BookQueries(book).find("fairy").isEmpty)
    }
  }

  // MARK: - Screens

  @Test func theFormHasBoth() throws {
    let english = Strings(Localization(language: .english))
    var form = FormModel(ada)
    #expect(form.contact == ada && !form.isChanged)
    let texts = form.rows.map(\.text)
    let place = try #require(form.rows.firstIndex { $0.identity == .single(.text(NewFields.text)) })
    #expect(texts[place] == "Byron" && texts.contains("Lady Fairy"))
    form.setFocus(place)
    form.setEditor(.field(TextField("Noel")))
    form.add(.values(NewFields.list))
    #expect(form.rows[form.focus].label == "home", "the first label that is not used yet")
    form.setEditor(.field(TextField("Titania")))
    var changed = ada
    changed.birthFamily = "Noel"
    changed.petNames.append(LabeledValue(label: "home", value: "Titania"))
    #expect(form.contact == changed)
    #expect(Draft(original: ada, changed: changed).applied(to: ada) == changed)
    // An empty one is hidden, and shown on request.
    var empty = FormModel(Contact())
    #expect(empty.hiddenNames.contains(NewFields.text))
    empty.showAllNames()
    #expect(empty.rows.contains { $0.identity == .single(.text(NewFields.text)) })
    form.show(errors: ["birthFamily": "bad", "petNames[1].value": "worse"])
    #expect(form.rows.compactMap(\.error) == ["bad", "worse"])
    // Without strings of the screen, the names are those of the model.
    #expect(english.name(of: .text(NewFields.text)) == "birthfamily")
    let items = FormFieldList(FormModel(Contact()), strings: english).items.map(\.text)
    #expect(items.contains("birthfamily") && items.contains("petnames.one"))
  }

  @Test func theDetailAndTheListShowBoth() throws {
    let english = Strings(Localization(language: .english))
    let today = try #require(CalendarDay(year: 2026, month: 11, day: 29))
    let lines = DetailLines(strings: english, today: today).lines(for: ada)
    let texts = lines.filter { $0.role == .value }.map { $0.label + ": " + $0.text }
    for text in ["birthfamily: Byron", "School: Lady Fairy", "my own: Enchantress", "petnames.one: A"] {
      #expect(texts.contains { $0.lowercased() == text.lowercased() }, "\(text) in \(texts)")
    }
    try folder.fill()
    try withBook { book in
      let id = try add(ada, to: book)
      let found = try #require(try BookQueries(book).find("byron ench @ada", explaining: true).first)
      let row = try #require(try book.listRows().first { $0.id == id })
      let hints = ListRow(row, matches: found.matches, strings: english).hints.map(\.cell.text)
      let expected = ["birthfamily: Byron", "petnames.one: Enchantress", "social account: @ada:example.org"]
      #expect(Set(hints) == Set(expected), "\(hints)")
    }
    #expect(ContactColumn("birthFamily")?.text(of: ada) == "Byron")
    #expect(ContactColumn("petName[my own]")?.text(of: ada) == "Enchantress")
    #expect(ContactColumn("petNames")?.text(of: ada) == "Lady Fairy, Enchantress, A")
    #expect(FieldPath("petNames")?.text(of: ada) == "Lady Fairy")
  }

  @Test func duplicatesMergeBoth() {
    var (one, two) = (ada, ada)
    (one.id, two.id) = (1, 2)
    (one.birthFamily, one.petNames) = ("", [ada.petNames[0]])
    two.petNames = [LabeledValue(label: "home", value: "Titania")]
    let merged = DuplicateMerge(one, [two]).merged
    #expect(merged.birthFamily == "Byron" && merged.petNames.map(\.value) == ["Lady Fairy", "Titania"])
  }

  // MARK: - Files

  /// Imports a file into a new book, and returns what became of Ada.
  private func imported(_ text: String, as name: String) throws -> Contact {
    let other = try BookFolder()
    try Data(text.utf8).write(to: URL(filePath: other.file(name)))
    let book = try AddressBook.open(at: other.location)
    defer { book.close() }
    let report = try Importer(book: book).run([other.file(name)])
    #expect(report.imported == 1)
    return try #require(try book.contacts(ids: book.listRows().map(\.id)).first)
  }

  private func expectAda(_ contact: Contact, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(contact.trial == ada.trial && contact.displayName == ada.displayName, sourceLocation: sourceLocation)
  }

  @Test(arguments: ["2.1", "3.0", "4.0"]) func cardsContainBoth(version: String) throws {
    let text = String(decoding: CardExporter(version: version).card(of: ada, photo: nil), as: UTF8.self)
    #expect(text.contains("X-BIRTH-FAMILY:Byron\r\n"))
    let read = try imported(text, as: "ada.vcf")
    expectAda(read)
    // Written again, the card is the same; an edit goes into its line.
    #expect(String(decoding: CardExporter(version: nil).card(of: read, photo: nil), as: UTF8.self) == text)
    var edited = read
    edited.birthFamily = "Noel"
    edited.petNames.removeLast()
    let card = String(decoding: CardExporter(version: nil).card(of: edited, photo: nil), as: UTF8.self)
    #expect(card.contains("X-BIRTH-FAMILY:Noel\r\n") && !card.contains("Byron"))
    #expect(card.components(separatedBy: "X-PET-NAME").count == 3)
  }

  @Test func otherFormatsContainBoth() throws {
    var jCard = CardExporter(version: nil).jCard(of: ada, photo: nil)
    jCard = "[\(jCard)]"
    expectAda(try imported(jCard, as: "ada.json"))
    expectAda(try imported(ContactJSON.encodeWhole(ada, section: "L", picture: nil), as: "contact.json"))
    var extent = CSVWriter.Extent()
    extent.include(ada)
    var csv = CSVWriter(extent)
    let table = csv.header + csv.row(of: ada)
    #expect(table.contains("birthFamily") && table.contains("petName 3 - Value") && csv.losses.isEmpty)
    expectAda(try imported(table, as: "ada.csv"))
    // LDIF has no attributes for them, and says so.
    var ldif = LDIFWriter()
    _ = ldif.write(ada, photo: nil)
    #expect(ldif.losses.counts["birthFamily"] == 1 && ldif.losses.counts["petNames"] == 1)
  }
}
