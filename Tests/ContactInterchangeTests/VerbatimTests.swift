import Contacts
import SeededRandom
import SharedMaterial
import Testing
import VCard

@testable import ContactInterchange

/// Unedited cards are exported as they were imported; in an edited one, only the edited lines differ.
@Suite struct VerbatimTests {
  private func lines(_ card: Card) -> [String] { card.lines.map(\.verbatim) }

  private func writes(_ imported: ImportedCard, _ version: CardVersion? = nil) -> [String] {
    lines(ContactCardWriter(version: version).card(for: imported.contact, photo: imported.photo))
  }

  // MARK: - Cards of other programs

  @Test func cardsOfTheFixturesComeBackVerbatim() throws { try count(CardFixtures.cards()) }

  @Test(.enabled(if: SharedMaterial.vCards.isNamed, "VCARD_CORPUS is not set"))
  func cardsOfTheCorpusComeBackVerbatim() throws {
    try count(CardFixtures.cards(of: [SharedMaterial.vCards.url]))
  }

  private func count(_ cards: [(name: String, card: Card)]) throws {
    for version in CardVersion.allCases {
      var (count, same) = (0, 0)
      var differing: [String] = []
      for (name, card) in cards where card.version == version {
        let made = ContactCardWriter().card(for: ContactCardReader().read(card).contact, photo: photo(of: card))
        let bytes = VCardWriter(version: made.version).bytes(of: made)
        let again = try #require(VCardReader.read(bytes).cards.first)
        count += card.lines.count
        let changes = lines(again).difference(from: lines(card))
        same += card.lines.count - changes.removals.count
        for change in changes {
          if case .remove(_, let line, _) = change, !mayDiffer(line) {
            differing.append("\(name): \(line.prefix(150))")
          }
        }
      }
      print("\(version.rawValue): \(same) of \(count) lines verbatim")
      #expect(differing.isEmpty)
      if version != .v21 { #expect(Double(same) >= 0.99 * Double(count)) }
    }
  }

  /// Returns whether a line may be written differently: text in another charset becomes UTF-8, control characters and
  /// line separators are replaced or removed, and AGENT and PHOTO may be encoded in another way.
  private func mayDiffer(_ line: String) -> Bool {
    ["AGENT", "PHOTO"].contains { line.hasPrefix($0) } || line.contains(";CHARSET=")
      || line.unicodeScalars.contains {
        [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
      }
  }

  private func photo(of card: Card) -> CardBinary? { ContactCardReader().read(card).photo }

  // MARK: - Random cards

  @Test(arguments: [CardVersion.v30, .v40]) func randomCardsComeBackByteForByte(_ version: CardVersion) throws {
    let seed = UInt64.random(in: 0..<UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let texts = RandomCard.lines(version, using: &random)
      let card = Card(version: version, lines: CardLine.lines(texts, version: version))
      let bytes = VCardWriter(version: version).bytes(of: card)
      let read = try #require(VCardReader.read(bytes).cards.first)
      let imported = ContactCardReader().read(read)
      let made = ContactCardWriter().card(for: imported.contact, photo: imported.photo)
      #expect(VCardWriter(version: made.version).bytes(of: made) == bytes, "seed \(seed): \(texts)")
      // The writer recognizes the contact as unedited.
      #expect(ContactCardWriter().writes(imported.contact.cardLines, for: imported.contact.with(imported.photo)))
    }
  }

  @Test(arguments: [CardVersion.v30, .v40]) func anEditChangesOnlyItsOwnLines(_ version: CardVersion) throws {
    let seed = UInt64.random(in: 0..<UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let texts = RandomCard.lines(version, using: &random)
      var imported = ContactCardReader().read(Card(version: version, lines: CardLine.lines(texts, version: version)))
      let edit = RandomCard.edit(&imported.contact, using: &random)
      let after = writes(imported)
      let changes = after.difference(from: texts)
      #expect(
        changes.removals.count <= edit.lines && changes.insertions.count <= edit.lines,
        "seed \(seed): \(edit) \(texts) \(after)")
      // Read again, the card gives the edited contact.
      let again = ContactCardReader().read(Card(version: version, lines: CardLine.lines(after, version: version)))
        .contact
      var (one, two) = (imported.contact, again)
      one.cardLines = []
      two.cardLines = []
      #expect(one == two, "seed \(seed): \(edit)\n\(texts)\n\(after)")
    }
  }

  /// A card that is not written as it was read, such as one in another charset, is not mistaken for an edited one when
  /// it is imported again.
  @Test(arguments: [
    ("2.1", "N;CHARSET=GBK:\u{CD}\u{F5};\u{D0}\u{A1}\r\nX-A;CHARSET=GBK:\u{CD}\u{F5}"),
    ("2.1", "N:Lee;Ann\r\nADR;HOME;CHARSET=ISO-8859-1:;;Stra\u{DF}e 1;Ulm;;;"),
    ("3.0", "FN:Ann Lee\r\nAGENT:BEGIN:VCARD\r\n VERSION:3.0\r\n FN:Bob\r\n END:VCARD\r\nNOTE:a\r\nEND:VCARD"),
  ])
  func anExportedCardIsRecognized(_ version: String, _ lines: String) throws {
    // Each character stands for a byte.
    let text = "BEGIN:VCARD\r\nVERSION:\(version)\r\nUID:u\r\n\(lines)\r\nEND:VCARD\r\n"
    let card = try #require(VCardReader.read(text.unicodeScalars.map { UInt8($0.value) }).cards.first)
    let contact = ContactCardReader().read(card).contact
    let made = ContactCardWriter().card(for: contact)
    let exported = VCardWriter(version: made.version).bytes(of: made)
    let again = ContactCardReader().read(try #require(VCardReader.read(exported).cards.first)).contact
    #expect(again.cardLines != contact.cardLines)
    #expect(ContactCardWriter().writes(again.cardLines, for: contact))
    var edited = contact
    edited.note = "new"
    #expect(!ContactCardWriter().writes(again.cardLines, for: edited))
  }

  // MARK: - Edits

  private func edited(_ texts: [String], version: CardVersion = .v30, _ edit: (inout Contact) -> Void) -> [String] {
    var imported = ContactCardReader().read(Card(version: version, lines: CardLine.lines(texts, version: version)))
    edit(&imported.contact)
    return writes(imported)
  }

  @Test func anEditedValueKeepsParametersAndGroup() {
    let lines = [
      "FN:A B", "N:B;A;;;", "item1.TEL;type=WORK;type=VOICE;X-EXT=7:1", "item1.X-ABLabel:_$!<Main>!$_", "X-Z:z",
    ]
    #expect(
      edited(lines) { $0.phones[0].value = "2" } == [
        "FN:A B", "N:B;A;;;", "item1.TEL;type=WORK;type=VOICE;X-EXT=7:2", "item1.X-ABLabel:_$!<Main>!$_", "X-Z:z",
      ])
    #expect(
      edited(lines) { $0.phones[0].label = "Boat" } == [
        "FN:A B", "N:B;A;;;", "item1.TEL;TYPE=VOICE;X-EXT=7:1", "item1.X-ABLabel:Boat", "X-Z:z",
      ])
    #expect(
      edited(lines) { $0.phones[0].label = "home" } == [
        "FN:A B", "N:B;A;;;", "item1.TEL;TYPE=HOME,VOICE;X-EXT=7:1", "X-Z:z",
      ])
    #expect(edited(lines) { $0.phones = [] } == ["FN:A B", "N:B;A;;;", "X-Z:z"])
    #expect(edited(lines) { $0.given = "C" } == ["FN:C B", "N:B;C;;;"] + lines.dropFirst(2))
    #expect(
      edited(["FN:A", "TEL;VALUE=uri;PREF=1:tel:+1-555", "NOTE:n"], version: .v40) { $0.phones[0].value = "+1 556" }
        == ["FN:A", "TEL;PREF=1:+1 556", "NOTE:n"])
  }

  @Test func newValuesAreWrittenAfterThoseOfTheirKind() {
    let lines = ["N:B;A;;;", "FN:A B", "EMAIL;type=INTERNET:a@b", "TEL:1", "X-Z:z", "UID:u"]
    #expect(
      edited(lines) { $0.emails.append(LabeledValue(label: "work", value: "c@d")) }
        == ["N:B;A;;;", "FN:A B", "EMAIL;type=INTERNET:a@b", "EMAIL;TYPE=INTERNET,WORK:c@d", "TEL:1", "X-Z:z", "UID:u"])
    #expect(
      edited(lines) { $0.title = "T" } == ["N:B;A;;;", "FN:A B", "TITLE:T"] + lines.dropFirst(2))
  }

  @Test func thePreferredValueIsTheFirst() {
    let lines = ["FN:A", "TEL;TYPE=HOME:1", "TEL;TYPE=CELL,PREF:2"]
    let contact = ContactCardReader().read(Card(lines: CardLine.lines(lines, version: .v30))).contact
    #expect(contact.phones.map(\.value) == ["2", "1"])
    #expect(edited(lines) { $0.phones.reverse() } == ["FN:A", "TEL;TYPE=HOME;TYPE=PREF:1", "TEL;TYPE=CELL:2"])
    #expect(
      edited(["FN:A", "EMAIL;PREF=2:a@b", "EMAIL;PREF=1:c@d"], version: .v40) { $0.emails.swapAt(0, 1) }
        == ["FN:A", "EMAIL;PREF=1:a@b", "EMAIL:c@d"])
  }

  @Test func groupsAreWrittenIntoTheirLine() {
    let lines = ["FN:A", "CATEGORIES;X-A=1:b,a", "CATEGORIES:c", "NOTE:n"]
    #expect(edited(lines) { $0.groups = ["a", "b", "c", "d"] }[1] == "CATEGORIES;X-A=1:b,a,d")
    #expect(edited(lines) { $0.groups = ["a"] } == ["FN:A", "CATEGORIES;X-A=1:a", "NOTE:n"])
  }

  @Test func aPhotoKeepsItsCropOnlyWhileItIsTheSame() {
    let one = Base64.encode([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let line = "PHOTO;ENCODING=b;TYPE=PNG;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&9&9&x==:"
    var imported = ContactCardReader().read(
      Card(lines: CardLine.lines(["FN:A", line + one, "NOTE:n"], version: .v30)))
    #expect(writes(imported) == ["FN:A", line + one, "NOTE:n"])
    imported.photo = CardBinary(mediaType: "image/jpeg", bytes: [1, 2, 3])
    #expect(writes(imported) == ["FN:A", "PHOTO;ENCODING=b;TYPE=JPEG:AQID", "NOTE:n"])
    imported.photo = nil
    #expect(writes(imported) == ["FN:A", "NOTE:n"])
  }

  // MARK: - Conversion

  @Test func conversionChangesOnlyWhatItMust() {
    let imported = ContactCardReader().read(
      Card(
        version: .v40,
        lines: CardLine.lines(
          [
            "FN:Alfred the Great", "N:B;A;;;", "KIND:org", "TEL;VALUE=uri;TYPE=cell:tel:+1-555-0100", "BDAY:--0203",
            "ANNIVERSARY:20010203", "X-A;TYPE=x:y",
          ], version: .v40)))
    #expect(
      writes(imported, .v30) == [
        "FN:Alfred the Great", "N:B;A;;;", "X-ABShowAs:COMPANY", "TEL;TYPE=cell:+1-555-0100",
        "BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-03", "item1.X-ABDATE:2001-02-03",
        "item1.X-ABLabel:_$!<Anniversary>!$_", "X-A;TYPE=x:y",
      ])
    let old = ContactCardReader().read(
      Card(
        version: .v30,
        lines: CardLine.lines(["FN:A", "X-B;ENCODING=QUOTED-PRINTABLE:=E4=BD=A0", "TEL;TYPE=home:1"], version: .v30)))
    #expect(writes(old, .v40) == ["FN:A", "X-B:你", "TEL;TYPE=home:1"])
  }

  @Test func noBlankBeginsALineAfterASoftBreak() {
    let text = String(repeating: "é ", count: 60)
    let card = Card(version: .v21, lines: [CardLine("NOTE", text: text, version: .v21)])
    let bytes = VCardWriter(version: .v21).bytes(of: card)
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n") { #expect(!line.hasPrefix(" ")) }
    #expect(VCardReader.read(bytes).cards[0].first("NOTE")?.text == text)
  }
}

extension Contact {
  /// Returns the contact with the summary of a photo, as a book has it.
  fileprivate func with(_ photo: CardBinary?) -> Contact {
    var contact = self
    contact.photo = photo.map {
      PhotoSummary(mediaType: $0.mediaType, bytes: $0.bytes.count, sha256: SHA256.hexadecimal(of: $0.bytes))
    }
    return contact
  }
}
