import Contacts
import Testing
import VCard

@testable import ContactInterchange

/// What other programs write into cards is read, shown and found.
@Suite struct ForeignCardTests {
  private func read(_ lines: [String], _ version: CardVersion = .v40) -> Contact {
    ContactCardReader().read(Card(version: version, lines: CardLine.lines(lines, version: version))).contact
  }

  private func handles(_ line: String) -> [LabeledValue] { read(["FN:A", line]).handles }

  // MARK: - Several of one kind

  @Test func thePreferredTextIsTheField() {
    let contact = read([
      "FN;PREF=2:Dr. A", "FN;PREF=1:A", "TITLE;PREF=2:Usher", "TITLE;PREF=1:Carpenter", "ORG;PREF=2:Club",
      "ORG;PREF=1:Firm",
      "NICKNAME:Odd", "NICKNAME;PREF=1:Bru", "NOTE;PREF=2:b", "NOTE;PREF=1:a",
    ])
    #expect(
      [contact.displayName, contact.title, contact.organization, contact.nickname, contact.note] == [
        "A", "Carpenter", "Firm", "Bru", "a",
      ])
    #expect(FurtherTexts.texts(in: contact.cardLines).map(\.text) == ["Dr. A", "Usher", "Club", "Odd", "b"])
  }

  @Test func furtherTextsAreOnlyThoseWithoutAField() {
    #expect(FurtherTexts.texts(in: ["FN:A", "item1.NOTE:a", "NOTE;X=1:b", "note:"]).map(\.text) == ["b"])
    #expect(
      FurtherTexts.texts(in: ["VERSION:4.0", "FN:A", "N;LANGUAGE=zh:单;禾;;;", "N;LANGUAGE=en:Shan;He;;;"]).map(\.text)
        == ["He Shan"])
    #expect(FurtherTexts.texts(in: ["FN:A", "NOTE:a", "TEL:1", "TEL:2"]).isEmpty)
    for (json, expected) in [(#"["NOTE:a","item1.NOTE:b"]"#, true), (#"["NOTE:a","TITLE:NOTE:b"]"#, false)] {
      let mayOccur = Array(json.utf8).withUnsafeBufferPointer { FurtherTexts.mayOccur(in: $0) }
      #expect(mayOccur == expected)
    }
  }

  @Test func anAddressThatIsOnlyALabelIsAnAddress() {
    #expect(
      read(["FN:A", #"ADR;TYPE=home;LABEL="Weg 7\nUlm":;;;;;;"#]).addresses == [
        PostalAddress(label: "home", street: "Weg 7\nUlm")
      ])
    #expect(
      read([#"LABEL;TYPE=work:Kai 5\nKiel"#], .v30).addresses == [PostalAddress(label: "work", street: "Kai 5\nKiel")])
    #expect(read(["ADR;TYPE=home:;;Weg 7;Ulm;;;", #"LABEL;TYPE=home:Weg 7\nUlm"#], .v30).addresses.count == 1)
  }

  @Test func aGroupWithNumbersAndWithoutMembersIsAContact() {
    let lines = ["KIND:group", "FN:Desk", "TEL:1"]
    let card = ContactCardReader().read(Card(version: .v40, lines: CardLine.lines(lines, version: .v40)))
    #expect(card.kind == .contact && card.contact.kind == .organization && card.contact.phones.count == 1)
    #expect(ContactCardWriter().card(for: card.contact).lines.map(\.verbatim) == lines)
    for lines in [["KIND:group", "FN:Desk"], ["KIND:group", "FN:Desk", "TEL:1", "MEMBER:urn:uuid:1"]] {
      let card = ContactCardReader().read(Card(version: .v40, lines: CardLine.lines(lines, version: .v40)))
      #expect(card.kind != .contact)
    }
  }

  // MARK: - Labels

  @Test(arguments: [
    ("RELATED;TYPE=SISTER:Thea Holm", "sister"), ("RELATED;VALUE=text;TYPE=brother,sibling:Thea Holm", "brother"),
    ("RELATED;VALUE=text;TYPE=assistant,co-worker:Thea Holm", "assistant"),
    ("X-ABRELATEDNAMES;TYPE=mother:Thea Holm", "mother"),
    ("RELATED;TYPE=spouse;VALUE=text:Thea Holm", "spouse"), ("RELATED;TYPE=x-tutor:Thea Holm", "tutor"),
  ])
  func relationsAreNames(_ line: String, _ label: String) {
    #expect(read(["FN:A", line]).related == [LabeledValue(label: label, value: "Thea Holm")])
  }

  @Test func anURIOfARelationIsKept() {
    #expect(read(["FN:A", "RELATED;TYPE=friend:urn:uuid:1", "RELATED:https://a.example/x"]).related.isEmpty)
  }

  @Test(arguments: [
    ("TEL;X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=E8=88=B9=E5=B1=8B):1", "船屋"),
    ("TEL;X-Workshop:1", "workshop"),
    ("TEL;WORK;CELL:1", "work mobile"), ("TEL;CELL:1", "mobile"), ("TEL;PREF=10,TYPE=OTHER:1", "other"),
  ])
  func labelsAreThePersonsOwnWord(_ line: String, _ label: String) {
    #expect(read(["FN:A", line], .v21).phones == [LabeledValue(label: label, value: "1")])
  }

  // MARK: - Dates

  @Test(arguments: [
    ("1978/05/23", "1978-05-23"), ("23.5.1978", "1978-05-23"), ("1978年5月23日", "1978-05-23"),
    ("1978-05-23;", "1978-05-23"),
    ("1604-08-17", "--08-17"), ("4/3/1990", nil), ("June 2001", nil),
  ])
  func datesWithOneReadingAreRead(_ text: String, _ day: String?) {
    #expect(read(["N:;A;;;", "FN:A", "BDAY:" + text], .v30).birthday?.iso == day)
  }

  // MARK: - Sorting

  @Test func theSortTextIsThePhoneticName() {
    func reading(_ lines: [String], _ version: CardVersion = .v40) -> [String] {
      let contact = read(lines, version)
      return [contact.phoneticFamily, contact.phoneticGiven]
    }
    #expect(reading(["FN:R H", #"N;SORT-AS="Harten,Rene":van der Harten;Rene;;;"#]) == ["Harten", "Rene"])
    #expect(reading(["N:de Carvalho;I;;;", "SORT-STRING:Carvalho"], .v30) == ["Carvalho", ""])
    #expect(reading(["KIND:org", "FN:The Kettle", "ORG;SORT-AS=Kettle:The Kettle"]) == ["Kettle", ""])
    #expect(reading(["N:Lee;Ann;;;", "FN:Ann Lee", "ORG;SORT-AS=Zeta:The Zeta"]) == ["", ""])
    #expect(
      reading(["N:;;;;", "FN:行舟", "ORG:行舟", "X-PHONETIC-ORG:Hangzhou", "X-ABShowAs:COMPANY"], .v30) == ["Hangzhou", ""])
    #expect(reading(["N:查;川;;;", "SORT-STRING:Zha", "X-PHONETIC-LAST-NAME:Cha"], .v30) == ["Cha", ""])
  }

  // MARK: - Accounts

  @Test func accountsAreReadFromURIs() {
    #expect(handles("IMPP;X-SERVICE-TYPE=QQ:x-apple:%E5%B0%8F%20qq") == [LabeledValue(label: "qq", value: "小 qq")])
    #expect(handles("IMPP:skype:100%25") == [LabeledValue(label: "skype", value: "100%")])
    #expect(handles("IMPP:skype:a%00b") == [LabeledValue(label: "skype", value: "a%00b")])
    #expect(
      handles("SOCIALPROFILE;SERVICE-TYPE=Mastodon:https://f.example/@t") == [
        LabeledValue(label: "mastodon", value: "https://f.example/@t")
      ])
    #expect(
      handles("SOCIALPROFILE;SERVICE-TYPE=WeChat;VALUE=text:t_m") == [LabeledValue(label: "wechat", value: "t_m")])
  }

  @Test(arguments: [
    ("wechat", "小禾 88"), ("teams", #"CORP\nils"#), ("teams", #"CORP\,nils;a"#),
    ("facebook", "https://www.facebook.com/r?a=1"),
    ("skype", "skype:r"), ("", "100%25"), ("jabber", "r@chat.example"), ("sip", "https://x.example/a,b"),
  ])
  func accountsComeBack(_ label: String, _ value: String) {
    var contact = Contact()
    contact.given = "A"
    contact.handles = [LabeledValue(label: label, value: value)]
    for version in CardVersion.allCases {
      let card = ContactCardWriter(version: version).card(for: contact)
      let again = ContactCardReader().read(card).contact
      #expect(again.handles == contact.handles, "\(card.lines.map(\.verbatim))")
      let line = card.first("IMPP")?.text ?? ""
      #expect(line.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !line.contains(":https:"))
    }
  }

  @Test(arguments: [
    (
      "X-SOCIALPROFILE;type=twitter:http://twitter.com/runa", "http://twitter.com/ness",
      "X-SOCIALPROFILE;type=twitter:http://twitter.com/ness"
    ),
    ("X-SOCIALPROFILE;type=twitter:http://twitter.com/runa", "ness", "X-SOCIALPROFILE;type=twitter:x-apple:ness"),
    (
      "X-SOCIALPROFILE;type=linkedin;x-user=kim:http://l.example/in/kim", "sol",
      "X-SOCIALPROFILE;TYPE=linkedin;X-USER=sol:http://l.example/in/sol"
    ),
    ("X-SKYPE:runa", "ness", "X-SKYPE:ness"),
    (
      "IMPP;X-SERVICE-TYPE=WhatsApp;type=HOME:whatsapp:+4760555501", "+4760555502",
      "IMPP;X-SERVICE-TYPE=WhatsApp;type=HOME:whatsapp:+4760555502"
    ),
  ])
  func anEditedAccountStaysInItsLine(_ line: String, _ value: String, _ new: String) {
    var contact = read(["N:;A;;;", "FN:A", line], .v30)
    contact.handles[0].value = value
    #expect(ContactCardWriter().card(for: contact).lines.last?.verbatim == new)
  }
}
