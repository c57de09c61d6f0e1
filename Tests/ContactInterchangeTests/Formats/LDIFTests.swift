import Contacts
import SeededRandom
import Testing
import VCard

@testable import ContactInterchange

@Suite struct LDIFTests {
  @Test func thunderbird() throws {
    let read = Records.ldif(
      """
      dn: cn=Ann Ames,mail=ann@example.com
      objectclass: top
      objectclass: person
      objectclass: mozillaAbPersonAlpha
      givenName: Ann
      sn: Ames
      cn: Ann Ames
      mozillaNickname:: 5bCP5a6J
      mail: ann@example.com
      mozillaSecondEmail: ann@example.org
      telephoneNumber: +1
      homePhone: 2
      mobile: 3
      mozillaHomeStreet: 1 Main St
      mozillaHomeLocalityName: Leeds
      l: York
      birthyear: 1990
      birthmonth: 2
      birthday: 3
      description: a long
        note
      mozillaCustom1: Shoe 42
      modifytimestamp: 1700000000

      dn: cn=Friends
      objectclass: groupOfNames
      cn: Friends
      member: cn=Ann Ames, mail=ann@example.com

      """)
    let contact = try #require(read.records.first).contact
    #expect(contact.given == "Ann" && contact.family == "Ames" && contact.formattedName.isEmpty)
    #expect(contact.nickname == "小安" && contact.birthday?.iso == "1990-02-03" && contact.note == "a long note")
    #expect(contact.phones.map(\.label) == ["work", "home", "mobile"] && contact.emails.count == 2)
    #expect(
      contact.addresses == [
        PostalAddress(label: "home", street: "1 Main St", city: "Leeds"), PostalAddress(label: "work", city: "York"),
      ])
    #expect(read.records[1].members == [read.records[0].reference] && read.records[1].contact.displayName == "Friends")
    #expect(contact.custom == [LabeledValue(label: "custom 1", value: "Shoe 42")] && read.problems.isEmpty)
  }

  @Test func slapcat() throws {
    let read = Records.ldif(
      """
      # a comment
       folded
      version: 1

      dn: dc=example,dc=com
      objectClass: dcObject
      objectClass: organization
      o: Example

      dn:: dWlkPeW8oOS8nyxvdT1wZW9wbGU=
      objectClass: inetOrgPerson
      cn;lang-zh:: 5byg5Lyf
      sn:: 5byg5Lyf
      userPassword:: e1NTSEF9
      jpegPhoto:: /9j/
      entryUUID: 7b2a0b8e-0000-4000-8000-000000000001
      entryCSN: 2020
      labeledURI: http://x.example my page
      postalAddress: Unit 1 $ 2 High St $ Leeds
      certificate:< file:///etc/passwd

      dn: cn=x
      changetype: delete

      not an attribute

      """)
    #expect(read.records.count == 1)
    let record = try #require(read.records.first)
    #expect(
      record.contact.displayName == "张伟" && record.contact.family.isEmpty && record.picture == [0xFF, 0xD8, 0xFF])
    #expect(record.contact.uid == "7b2a0b8e-0000-4000-8000-000000000001" && record.line == 10)
    #expect(record.contact.urls == [LabeledValue(label: "my page", value: "http://x.example")])
    #expect(record.contact.addresses == [PostalAddress(label: "work", street: "Unit 1\n2 High St\nLeeds")])
    #expect(
      read.problems == [
        .elsewhere(name: "certificate"), .changeRecord("delete"), .malformedLine("not an attribute"), .notContacts(1),
      ])
  }

  /// Found by fuzzing: an export and import changed such addresses.
  @Test(arguments: [("Unit 1 $ ", "Unit 1"), ("$ $ Leeds", "Leeds"), (" $ ", nil)] as [(String, String?)])
  func emptyLinesOfAnAddressAreLeftOut(value: String, street: String?) {
    let read = Records.ldif("dn: cn=x\nobjectClass: inetOrgPerson\ncn: Li Wei\npostalAddress: \(value)\n")
    #expect(read.records.map(\.contact.addresses) == [street.map { [PostalAddress(label: "work", street: $0)] } ?? []])
  }

  @Test func writtenLDIFIsReadBack() {
    let seed = UInt64.random(in: 0..<UInt64.max)
    print("seed \(seed)")
    var random = RandomContacts(generator: SeededGenerator(seed: seed))
    var writer = LDIFWriter()
    var contacts: [Contact] = []
    var text = ""
    for _ in 0..<200 {
      var contact = random.contact()
      contact.kind = .person
      // Fields that LDIF has an attribute for.
      contact.phones = [LabeledValue(label: "work", value: "+1"), LabeledValue(label: "mobile", value: "2")]
      contact.emails = contact.emails.map { LabeledValue(value: $0.value) }
      contact.urls = contact.urls.map {
        LabeledValue(label: $0.label, value: "http://" + $0.value.filter { $0 != " " && $0 != "\t" })
      }
      contact.addresses = contact.addresses.prefix(1).map { $0 }
      (contact.dates, contact.handles, contact.related, contact.groups) = ([], [], [], [])
      (contact.middle, contact.phoneticGiven, contact.phoneticMiddle, contact.phoneticFamily) = ("", "", "", "")
      (contact.pronouns, contact.grammaticalGender, contact.languages, contact.custom) = ("", "", [], [])
      text += writer.write(contact, photo: nil)
      contact.uid = ""
      contacts.append(contact)
    }
    #expect(writer.losses.isEmpty, "\(writer.losses)")
    let read = Records.ldif(text)
    #expect(read.problems.isEmpty && read.records.count == contacts.count, "seed \(seed)")
    for (one, other) in zip(read.records.map(\.contact), contacts) {
      var (one, other) = (one, other)
      one.urls.sort { $0.value < $1.value }
      other.urls.sort { $0.value < $1.value }
      #expect(one == other, "seed \(seed)")
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 76 && $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test func groupsAreWrittenAtTheEnd() {
    var writer = LDIFWriter()
    var contact = Contact()
    contact.given = "Ann, \"the\" #1"
    contact.groups = ["Friends"]
    let text = writer.write(contact, photo: [0xFF, 0xD8, 0xFF, 0]) + writer.groups()
    let read = Records.ldif(text)
    #expect(read.records.count == 2 && read.records[1].members == [read.records[0].reference])
    #expect(read.records[0].picture == [0xFF, 0xD8, 0xFF, 0])
  }

  @Test func anEntryStaysTheSameOnItsWayToAnotherThread() throws {
    let seed = UInt64.random(in: 0..<UInt64.max)
    print("seed \(seed)")
    var random = RandomContacts(generator: SeededGenerator(seed: seed))
    var (plain, packed) = (LDIFWriter(), LDIFWriter())
    for _ in 0..<200 {
      let contact = random.contact()
      var bytes: [UInt8] = []
      packed.entry(of: contact, photo: nil).append(to: &bytes)
      let entry = try #require(bytes.withUnsafeBytes { LDIFWriter.Entry(packed: $0) })
      #expect(packed.write(entry) == plain.write(contact, photo: nil), "seed \(seed)")
    }
    #expect(packed.groups() == plain.groups() && packed.losses == plain.losses, "seed \(seed)")
    #expect([].withUnsafeBytes { LDIFWriter.Entry(packed: $0) } == nil)
  }

  @Test func anEntryBeginsAtItsFirstLine() {
    let text = """
      version: 1

      dn: cn=Ann
       Ames
      cn: Ann

      # a comment
       that is folded
      dn: cn=Bob
       by

       Berg
      cn: Bob

      dn: cn=Cleo
      """
    var entries = LDIFEntries(source: Records.source(Array(text.utf8), 3))
    var lines: [Int] = []
    while let entry = entries.next() { lines.append(entry.line) }
    #expect(lines == [3, 9, 12, 15])
  }

  @Test func aCutLineIsReportedWithItsEntry() {
    let texts = [
      ("dn: 1234567890\ncn: a\n\ndn: b\n", [true, false]),
      ("dn: a\n\ndn: 1234567890\ncn: a\n\ndn: c\n", [false, true, false]),
      ("dn: a\ncn: 1234567890\n\ndn: b\n", [true, false]), ("dn: a\ncn: 1234567890", [true]),
      ("dn: a\ncn: 1234\n 5678\nsn: c\n\ndn: b\n", [false, false]), ("dn: a\ncn: 12345678\n 9\n", [true]),
      ("dn: a\ncn: 1\n 2345678901234\nsn: c\n", [true]), ("dn: a\ncn: 1\n 2345678\nsn: 12345678\n", [false]),
    ]
    for (text, cuts) in texts {
      var entries = LDIFEntries(limit: 12, source: Records.source(Array(text.utf8), 4))
      var found: [Bool] = []
      while let entry = entries.next() {
        found.append(entry.isCut)
        for case .bytes(let bytes) in entry.attributes.map(\.value) { #expect(bytes.count <= 8, "\(text)") }
      }
      #expect(found == cuts, "\(text)")
    }
  }

  @Test func datesAreReadWithTheDayOrTheMonthFirst() {
    for (isDayFirst, date) in [(false, "1990-03-04"), (true, "1990-04-03")] {
      let read = Records.ldif("dn: a\ncn: Ann\nsn: Ames\ndateOfBirth: 3/4/1990\n", isDayFirst: isDayFirst)
      #expect(read.records.first?.contact.birthday?.iso == date)
      #expect(read.problems == [.ambiguousDate(name: "dateofbirth", text: "3/4/1990", isDayFirst: isDayFirst)])
    }
  }

  @Test func aLabelWithoutAnAttributeIsALoss() {
    var contact = Contact()
    contact.given = "Ann"
    contact.phones = [LabeledValue(value: "1")]
    var writer = LDIFWriter()
    #expect(writer.write(contact, photo: nil).contains("telephoneNumber: 1\n") && writer.losses.labels == 1)
    contact.phones = []
    contact.addresses = [PostalAddress(city: "Leeds")]
    #expect(writer.write(contact, photo: nil).contains("l: Leeds\n") && writer.losses.labels == 2)
    contact.addresses = []
    contact.phones = [LabeledValue(label: "work mobile", value: "1")]
    #expect(writer.write(contact, photo: nil).contains("mobile: 1\n") && writer.losses.labels == 3)
  }

  @Test func entriesHaveNamesOfOnePartThatDiffer() throws {
    var writer = LDIFWriter()
    var text = ""
    var contact = Contact()
    contact.given = "Ann"
    contact.groups = ["ann"]
    for (uid, email) in [("1", "a@b.example"), ("2", "c@d.example"), ("3", "c@d.example"), ("4", "")] {
      contact.uid = uid
      contact.emails = email.isEmpty ? [] : [LabeledValue(value: email)]
      contact.note = uid
      text += writer.write(contact, photo: nil)
    }
    contact.groups = ["ANN"]
    text += writer.write(contact, photo: nil) + writer.groups()
    let names = text.split(separator: "\n").filter { $0.hasPrefix("dn:") }
    #expect(
      names == [
        "dn: cn=Ann", "dn: cn=Ann+mail=c@d.example", "dn: cn=Ann+uid=3", "dn: cn=Ann+uid=4", "dn: cn=Ann+uid=4",
        "dn: cn=ANN+businessCategory=group", "dn: cn=ann+businessCategory=group 2",
      ])
    let read = Records.ldif(text)
    #expect(read.problems.isEmpty && read.records.prefix(4).map(\.contact.note) == ["1", "2", "3", "4"])
    #expect(read.records.last?.members == read.records.prefix(4).map(\.reference))
  }

  @Test func namesThatADirectoryRequiresAreNotRead() {
    func again(_ contact: Contact) -> Contact? {
      var writer = LDIFWriter()
      let read = Records.ldif(writer.write(contact, photo: nil))
      #expect(read.problems.isEmpty)
      return read.records.first?.contact
    }
    var contact = Contact()
    for edit: (inout Contact) -> Void in [
      { $0.given = "Ilka" }, { $0.suffix = "MD" }, { $0.family = "Voss" }, { $0.organization = "Lahn" },
      { $0.kind = .organization }, { $0.formattedName = "Werft" },
      {
        $0 = Contact(); $0.family = "Voss"
      },
    ] {
      edit(&contact)
      #expect(again(contact) == contact)
    }
    contact = Contact()
    contact.note = "key"
    var writer = LDIFWriter()
    #expect(writer.write(contact, photo: nil).isEmpty && writer.losses.counts == ["note": 1])
  }

  @Test func countriesAreCodesOrNames() {
    var contact = Contact()
    contact.family = "Voss"
    for (country, line) in [("DE", "\nc: DE\n"), ("Germany", "\nco: Germany\n")] {
      contact.addresses = [PostalAddress(label: "work", country: country)]
      var writer = LDIFWriter()
      let text = writer.write(contact, photo: nil)
      #expect(text.contains(line) && Records.ldif(text).records.first?.contact == contact)
    }
  }

  @Test func valuesThatLDIFCannotHoldAreCounted() {
    var writer = LDIFWriter()
    var contact = Contact()
    contact.given = "Ann"
    contact.middle = "M"
    contact.phones = [LabeledValue(label: "car", value: "1")]
    contact.photo = PhotoSummary(mediaType: "image/png", bytes: 1, sha256: "")
    _ = writer.write(contact, photo: [0x89])
    #expect(writer.losses.counts == ["middle": 1, "photo": 1] && writer.losses.labels == 1)
  }
}

@Suite struct AbookTests {
  @Test func aFileOfAbook() throws {
    let text = """
      # abook addressbook file

      [format]
      program=abook
      version=0.6.1


      [0]
      name=Zoë Ames
      email=a@example.com,b@example.com
      address=1 Main St
      city=Leeds
      phone=1
      mobile=+44 2, or 3
      nick=zoe
      notes=x
      anniversary=2001-02-03
      custom1=shoe 42, or 43

      [1]
      name=Bob
      oddity

      """
    for bytes in [Array(text.utf8), text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }] {
      let read = Records.abook(bytes)
      #expect(read.contacts.map(\.displayName) == ["Zoë Ames", "Bob"])
      let contact = try #require(read.contacts.first)
      #expect(contact.emails.map(\.value) == ["a@example.com", "b@example.com"] && contact.nickname == "zoe")
      #expect(contact.addresses == [PostalAddress(street: "1 Main St", city: "Leeds")])
      #expect(contact.phones.map(\.label) == ["home", "mobile", "mobile"])
      #expect(contact.phones.map(\.value) == ["1", "+44 2", "or 3"])
      #expect(contact.dates == [LabeledValue(label: "anniversary", value: "2001-02-03")])
      #expect(contact.custom == [LabeledValue(label: "custom1", value: "shoe 42, or 43")])
      #expect(read.problems == [.malformedLine("oddity")])
    }
  }
  @Test func whatCannotBeReadIsReported() {
    let text = "[format]\nprogram=abook of another time\n[0]\nname=Ann\nnotes=1234567890\n[1]\nname=Bob\n"
    let read = Records.abook(Array(text.utf8), limit: 12)
    #expect(read.contacts.map(\.note) == ["123456", ""] && read.problems == [.tooLong(12)])
    let damaged = Array("[0]\nname=曾国藩左宗棠 ".utf8) + [0xFF] + Array("\n[1]\nname=Bob\n".utf8)
    #expect(Records.abook(damaged).problems == [.unreadableCharacters(1)])
  }

  @Test func datesAreReadWithTheDayOrTheMonthFirst() {
    let text = Array("[0]\nname=Ann\nanniversary=03/04/1990\n".utf8)
    for (isDayFirst, date) in [(false, "1990-03-04"), (true, "1990-04-03")] {
      let read = Records.abook(text, isDayFirst: isDayFirst)
      #expect(read.contacts.first?.dates.map(\.value) == [date])
      #expect(read.problems == [.ambiguousDate(name: "anniversary", text: "03/04/1990", isDayFirst: isDayFirst)])
    }
  }
}
