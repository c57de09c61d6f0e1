import Contacts
import Foundation
import SeededRandom
import Testing
import VCard

@testable import ContactInterchange

@Suite struct JCardTests {
  private func cards(_ text: String) -> [JCardReader<Never>.Element] {
    var reader = JCardReader(source: Records.source(Array(text.utf8), 4))
    var all: [JCardReader<Never>.Element] = []
    while let next = reader.next() { all.append(next) }
    return all
  }

  private func read(_ text: String) -> Contact? {
    guard case .card(let card)? = cards(text).first else { return nil }
    return ContactCardReader().read(card).contact
  }

  @Test func aCardInTheFormOfRFC7095IsRead() throws {
    let contact = try #require(
      read(
        """
        ["vcard", [
          ["version", {}, "text", "4.0"],
          ["fn", {}, "text", "John Doe"],
          ["n", {}, "text", ["Doe", "John", ["Q.", "Public"], "", "Jr."]],
          ["gender", {}, "text", "M"],
          ["bday", {}, "date-and-or-time", "--04-12"],
          ["adr", {"type": "work"}, "text", ["", "", "Suite, 1", "Leeds", "", "", "UK"]],
          ["tel", {"type": ["work", "voice"], "pref": "1"}, "uri", "tel:+1-555-0100;ext=5"],
          ["categories", {}, "text", "A", "b,c"],
          ["x-thing", {"group": "item1"}, "unknown", "a;b\\\\,c"],
          ["rev", {}, "timestamp", "2011-01-01T12:00:00Z"]
        ]]
        """))
    #expect(contact.family == "Doe" && contact.middle == "Q. Public" && contact.suffix == "Jr.")
    #expect(contact.birthday?.iso == "--04-12" && contact.groups == ["A", "b,c"])
    #expect(contact.addresses == [PostalAddress(label: "work", street: "Suite, 1", city: "Leeds", country: "UK")])
    #expect(contact.phones == [LabeledValue(label: "work", value: "+1-555-0100 ext. 5")])
    #expect(contact.cardLines.contains("item1.X-THING:a;b\\,c") && contact.cardLines.contains("REV:20110101T120000Z"))
  }

  /// Empty lists are allowed wherever a list is.
  @Test(
    arguments: [
      #"["fn",{"group":[]},"text","A"]"#, #"["fn",{"type":[]},"text","A"]"#, #"["n",{},"text",[]]"#,
      #"["n",{},"text",[[],"a"]]"#, #"["categories",{},"text",[]]"#, #"["photo",{},"uri",[]]"#,
    ])
  func listsMayBeEmpty(property: String) throws {
    let contact = try #require(read(#"["vcard",[["note",{},"text","x"],\#(property)]]"#))
    #expect(contact.note == "x")
  }

  @Test func aPhotoThatCannotBeReadIsReportedOnTheLineOfItsCard() {
    guard case .card(let card)? = cards("\n\n" + #"["vcard",[["photo",{},"uri",[[]]]]]"#).first else {
      return #expect(Bool(false))
    }
    #expect(ContactCardReader().read(card).diagnostics.map(\.line) == [3])
  }

  @Test func oneSeveralAndInvalidCards() {
    let one = "[\"vcard\",[[\"fn\",{},\"text\",\"A\"]]]"
    #expect(cards(one).count == 1 && cards("[\(one),\n\(one)]").count == 2 && cards(one + "\n" + one).count == 2)
    #expect(cards("[]").isEmpty && cards("").isEmpty)
    guard case .unreadable(let line)? = cards("[\(one),\n[\"vcard\", 5]]").last else { return #expect(Bool(false)) }
    #expect(line == 2)
    for name in ["begin", "END"] {
      guard case .card(let card)? = cards(#"["vcard",[["fn",{},"text","A"],["\#(name)",{},"text","VCARD"]]]"#).first
      else { return #expect(Bool(false)) }
      #expect(card.lines.map(\.verbatim) == ["FN:A"] && card.diagnostics.count == 1)
    }
    guard case .malformed? = cards("[\(one), oops]").last, case .malformed? = cards("[\"vcard\",[").last else {
      return #expect(Bool(false))
    }
  }

  @Test func contactsSurviveARoundTrip() {
    let seed = UInt64.random(in: 0..<UInt64.max)
    print("seed \(seed)")
    var random = RandomContacts(generator: SeededGenerator(seed: seed))
    for _ in 0..<200 {
      var contact = random.contact()
      contact.cardLines = ["X-KEPT;X-P=1:raw\\;value", "item7.X-OTHER:2", "item7.X-ABLabel:Mine"]
      let text = JCardWriter().text(of: contact, photo: nil)
      guard case .card(let card)? = cards(text).first else { return #expect(Bool(false), "seed \(seed)") }
      // The same as through a card of version 4.0.
      let written = ContactCardWriter(version: .v40).card(for: contact)
      let expected = ContactCardReader().read(written).contact
      var back = ContactCardReader().read(card).contact
      back.cardLines = back.cardLines.map { $0.uppercased() }.sorted()
      var wanted = expected
      wanted.cardLines = wanted.cardLines.map { $0.uppercased() }.sorted()
      #expect(back == wanted, "seed \(seed)")
    }
  }

  @Test func itIsValidJSONWithTheVersionFirst() throws {
    var contact = Contact()
    contact.given = "A\"\u{1}"
    contact.birthday = PartialDate(year: 1990, month: 2, day: 3)
    let photo = CardBinary(mediaType: "image/png", bytes: [1, 2, 3])
    let text = JCardWriter().text(of: contact, photo: photo)
    let array = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any])
    let properties = try #require(array[1] as? [[Any]])
    #expect(properties[0][0] as? String == "version")
    let byName = Dictionary(properties.map { ($0[0] as? String ?? "", $0) }, uniquingKeysWith: { one, _ in one })
    #expect(byName["bday"]?[3] as? String == "1990-02-03" && byName["bday"]?[2] as? String == "date-and-or-time")
    #expect(byName["photo"]?[3] as? String == "data:image/png;base64,AQID" && byName["photo"]?[2] as? String == "uri")
  }

  /// RFC 7095, 3.5: other forms of times, offsets, numbers and truth values.
  @Test(arguments: [
    ("TZ;VALUE=utc-offset:-0500", #"["tz",{},"utc-offset","-05:00"]"#),
    ("REV:20240506T070809-0600", #"["rev",{},"timestamp","2024-05-06T07:08:09-06:00"]"#),
    ("BDAY:T102200", #"["bday",{},"date-and-or-time","T10:22:00"]"#),
    ("X-AT;VALUE=time:102200-0800", #"["x-at",{},"time","10:22:00-08:00"]"#),
    ("X-AT;VALUE=time:-2200", #"["x-at",{},"time","-22:00"]"#),
    ("X-NUMBER;VALUE=integer:42", #"["x-number",{},"integer",42]"#),
    ("X-NUMBER;VALUE=float:1.5", #"["x-number",{},"float",1.5]"#),
    ("X-TRUE;VALUE=boolean:TRUE", #"["x-true",{},"boolean",true]"#),
    ("ORG:Acme", #"["org",{},"text","Acme"]"#), ("ORG:Acme;Sales", #"["org",{},"text",["Acme","Sales"]]"#),
    (#"URL:https://a.example/b\,c"#, #"["url",{},"uri","https://a.example/b,c"]"#),
    (#"URL:https://a.example/\\new"#, #"["url",{},"uri","https://a.example/\\new"]"#),
  ])
  func valuesHaveTheFormOfTheirType(_ line: String, _ json: String) throws {
    let lines = ["UID:u", "FN:A", line]
    let contact = ContactCardReader().read(Card(version: .v40, lines: CardLine.lines(lines, version: .v40))).contact
    let text = JCardWriter().text(of: contact, photo: nil)
    #expect(text.contains(json), "\(text)")
    guard case .card(let card)? = cards(text).first else { return #expect(Bool(false)) }
    #expect(ContactCardWriter().writes(ContactCardReader().read(card).contact.cardLines, for: contact), "\(text)")
  }

  @Test func aPropertyWithAnotherNameDoesNotCostTheContact() {
    guard
      case .card(let card)? = cards(
        #"["vcard",[["fn",{},"text","A"],["x:y",{},"text","b"],["x_reg",{},"unknown","R"]]]"#
      ).first
    else { return #expect(Bool(false)) }
    #expect(card.lines.map(\.verbatim) == ["FN:A", "X_REG:R"])
    #expect(
      card.diagnostics.map(\.problem) == [.malformedLine(#"["x:y",{},"text","b"]"#)]
        && card.diagnostics.first?.line == 1)
  }

  @Test func namesThatAJCardCannotHaveGetHyphens() {
    var contact = Contact()
    contact.given = "A"
    contact.cardLines = ["X-MESSAGING/XMPP-ALL;x user=o:a"]
    #expect(
      JCardWriter().text(of: contact, photo: nil).contains(#"["x-messaging-xmpp-all",{"x-user":"o"},"unknown","a"]"#))
  }

  /// An own export into the same book is no change, although it is another version and has no order of parameters.
  @Test(
    arguments: [
      (.v30, ["item1.EMAIL;type=INTERNET;type=pref:a@b.c", "item1.X-ABLabel:Bees", "X-A/B;x y=1:2"]),
      (.v30, ["REV:2020-01-02T03:04:05Z", "TZ:-05:00", "GEO:1;2", "PHOTO;VALUE=uri:http://a/b,c", #"NOTE:a\n\,b"#]),
      (.v40, ["REV;VALUE=timestamp:20200102T030405+0530", "BDAY:19700102T1234Z", "TZ;VALUE=utc-offset:+0530"]),
      (.v40, ["X-I;VALUE=integer:007", "X-F;VALUE=float:1e5", "X-B;VALUE=boolean:TRUE", "X-L;VALUE=integer:1,2"]),
      (
        .v40,
        [#"ADR;LABEL="a^nb";TYPE=home:;;S,T;C;;;"#, "ORG:A;B;C;D", "X-QUOT;A=^'b^':1", "CLIENTPIDMAP:1;urn:uuid:3"]
      ),
      (
        .v21, ["NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=C3=BC=0D=0Ax", "TEL;HOME;VOICE:1", "KEY;PGP;BASE64:AQID"]
      ),
    ] as [(CardVersion, [String])])
  func anOwnExportIsNoChange(version: CardVersion, further: [String]) throws {
    let lines = ["UID:u", "FN:A", "N:;A;;;"] + further
    let own = Card(version: version, lines: CardLine.lines(lines, version: version))
    let contact = ContactCardReader().read(own).contact
    guard case .card(let card)? = cards(JCardWriter().text(of: contact, photo: nil)).first else {
      return #expect(Bool(false))
    }
    let again = ContactCardReader().read(card).contact
    #expect(ContactCardWriter().writes(again.cardLines, for: contact))
    var edited = contact
    edited.note = "new"
    #expect(!ContactCardWriter().writes(again.cardLines, for: edited))
  }
}
