import Contacts
import Testing
import VCard

@testable import ContactInterchange

@Suite struct ServerLossesTests {
  private func card(_ lines: [String], _ version: CardVersion = .v30) -> Card {
    Card(version: version, lines: CardLine.lines(["UID:a", "FN:Ann Lee", "N:Lee;Ann;;;"] + lines, version: version))
  }

  private func contact(_ lines: [String], _ version: CardVersion = .v30) -> Contact {
    ContactCardReader().read(card(lines, version)).contact
  }

  @Test func commasOfTextsAndURIsAreEscaped() {
    let lines = [
      "URL:http://a,b", "NOTE:a,b", "TEL:1,,2", "ORG:a,b;c", "X-FOO:a,b", "X-FOO:http://a,b", "NICKNAME:a,b",
      "CATEGORIES:a,b", "ADR:;;1,2;;;;", "KEY:data:x;base64,AAAA", "item1.X-ABLabel:a,b", #"URL:http\://a"#,
    ]
    let expected = [
      #"URL:http://a\,b"#, #"NOTE:a\,b"#, #"TEL:1\,\,2"#, #"ORG:a\,b;c"#, "X-FOO:a,b", #"X-FOO:http://a\,b"#,
      "NICKNAME:a,b", "CATEGORIES:a,b", "ADR:;;1,2;;;;", #"KEY:data:x;base64\,AAAA"#, #"item1.X-ABLabel:a\,b"#,
      "URL:http://a",
    ]
    #expect(card(lines).escapingCommas().lines.dropFirst(3).map(\.verbatim) == expected)
    #expect(contact(expected).urls == contact(lines).urls)
  }

  @Test func newURIsAreWrittenWithEscapes() {
    var contact = Contact()
    contact.urls = [LabeledValue(value: #"http://a/b,c;d\e"#)]
    contact.handles = [LabeledValue(label: "", value: "a,b"), LabeledValue(label: "skype", value: #"dom\nick"#)]
    for version in CardVersion.allCases {
      let card = ContactCardWriter(version: version).card(for: contact)
      let read = ContactCardReader().read(card).contact
      #expect(read.urls == contact.urls && read.handles == contact.handles, "\(version)")
      #expect(card.first("URL")?.rawValue == (version == .v21 ? #"http://a/b,c;d\\e"# : #"http://a/b\,c;d\\e"#))
    }
  }

  /// The lines of a contact, and what another program makes of them.
  static let losses = [
    ("URL:http://a/b,c", "URL:http://a/b"), (#"URL:http://a/b\,c"#, "URL:http://a/b"),
    (#"URL:http\://a"#, #"URL:http\\://a"#), ("IMPP:x-apple:a,b", "IMPP:x-apple:a"),
    ("X-SOCIALPROFILE;TYPE=x:http://a,b", "X-SOCIALPROFILE;TYPE=x:http://a"), ("NOTE:a,b", "NOTE:a"),
    ("NICKNAME:a,b", "NICKNAME:a"), ("X-FOO:a,b", "X-FOO:a"), ("TEL;HOME;CELL:1", "TEL:1"),
    (#"NOTE:a\"#, #"NOTE:a\\eof"#), ("X-FOO;X=:a", "X-FOO:a"),
  ]

  @Test(arguments: losses) func aLossIsUndone(_ line: String, _ answer: String) throws {
    let own = contact([line, "TITLE:Poet"])
    let restored = try #require(contact(["TITLE:Baker", answer]).undoingLosses(of: own))
    #expect(restored.isLoss && restored.contact.cardLines == contact(["TITLE:Baker", line]).cardLines)
    var expected = own
    expected.title = "Baker"
    expected.cardLines = restored.contact.cardLines
    #expect(restored.contact == expected)
  }

  /// Forms that say the same are no loss, and the own form stays.
  @Test(arguments: [
    ("ADR:;;a;b;;;;x", "ADR:;;a;b;;;"), ("X-Foo;b=1;a=2:x;y", #"X-FOO;A=2;B=1:x\;y"#),
    ("EMAIL;TYPE=home;TYPE=pref:a@b", "EMAIL;TYPE=home,pref:a@b"),
    ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-28", "BDAY:1604-02-28"),
    ("ANNIVERSARY;X-APPLE-OMIT-YEAR=1604:1604-03-05", "X-ANNIVERSARY:1604-03-05"), ("BDAY:--0228", "BDAY:16040228"),
  ]) func anotherFormIsNoLoss(_ line: String, _ answer: String) throws {
    let restored = try #require(contact([answer]).undoingLosses(of: contact([line])))
    #expect(!restored.isLoss && restored.contact.cardLines == contact([line]).cardLines)
    #expect(restored.contact.birthday == contact([line]).birthday && restored.contact.dates == contact([line]).dates)
  }

  @Test(arguments: [
    ("URL:http://a/b,c", "URL:http://a"), (#"NOTE:Mon\, Tue"#, "NOTE:Mon"), ("NOTE:a,b", "TITLE:a"),
    ("TEL;TYPE=home:1", "TEL:1"), ("BDAY:1999-02-28", "BDAY:1604-02-28"),
    ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-28", "BDAY:1604-02-27"), ("URL:http://a/b,c", "URL:http://a/b,c,d"),
  ]) func anEditStays(_ line: String, _ answer: String) {
    #expect(contact([answer]).undoingLosses(of: contact([line])) == nil)
  }

  @Test func aPhotoOfWhichOnlyTheTypeIsLeftComesBack() throws {
    let own = contact(["PHOTO:data:image/png;base64,iVBORw0KGgo="], .v40)
    var known = own
    known.photo = PhotoSummary(mediaType: "image/png", bytes: 8, sha256: SHA256.hexadecimal(of: Array("\u{89}".utf8)))
    known.cardLines = own.cardLines.map {
      $0.hasPrefix("PHOTO") ? "PHOTO:data:image/png;base64,sha256:" + (known.photo?.sha256 ?? "") : $0
    }
    let restored = try #require(contact([#"PHOTO:data:image/png\;base64"#], .v40).undoingLosses(of: known))
    #expect(restored.isLoss && restored.contact.photo == known.photo && restored.contact.cardLines == known.cardLines)
    // A photo that the contact has since the card was imported.
    known.cardLines.removeAll { $0.hasPrefix("PHOTO") }
    let new = try #require(contact([#"PHOTO:data:image/png\;base64"#], .v40).undoingLosses(of: known))
    #expect(new.contact.photo == known.photo)
  }

  /// vobject sorts by name; values of one list may come from several properties.
  @Test func anOrderByNameIsNoEdit() throws {
    let own = contact(["X-ABDATE:2020-01-01", "ANNIVERSARY:2010-01-01", "NOTE:x"])
    let answer = ["UID:a", "ANNIVERSARY:2010-01-01", "FN:Ann Lee", "N:Lee;Ann;;;", "NOTE:y", "X-ABDATE:2020-01-01"]
    let their = ContactCardReader().read(Card(lines: CardLine.lines(answer, version: .v30))).contact
    let restored = try #require(their.undoingLosses(of: own))
    #expect(!restored.isLoss && restored.contact.dates == own.dates && restored.contact.note == "y")
  }
}
