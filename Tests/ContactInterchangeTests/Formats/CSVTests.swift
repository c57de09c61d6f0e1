import Contacts
import Foundation
import SeededRandom
import Testing
import VCard

@testable import ContactInterchange

@Suite struct CSVRowsTests {
  private func rows(_ text: String, _ separator: Character = ",") -> [[String]] {
    var rows = CSVRows(separator: separator.asciiValue ?? 0, source: Records.source(Array(text.utf8), 3))
    var all: [[String]] = []
    while let row = rows.next() { all.append(row.cells.map { String(decoding: $0, as: UTF8.self) }) }
    return all
  }

  @Test func quotesLineEndsAndBlankRows() {
    #expect(
      rows("a,b\r\n\r\n\"1,2\",\"x\r\ny\"\n\"say \"\"hi\"\"\",\n") == [
        ["a", "b"], ["1,2", "x\ny"], ["say \"hi\"", ""],
      ])
    #expect(rows("a;\"b;c\";d", ";") == [["a", "b;c", "d"]])
    #expect(rows("a\tb\rc\td", "\t") == [["a", "b"], ["c", "d"]])
    #expect(rows("a,b") == [["a", "b"]] && rows("").isEmpty && rows("\n\n").isEmpty)
  }

  @Test func aCutValueIsReportedWithItsRow() {
    let text = Array("a,123456,b\nc,1234\n".utf8)
    var rows = CSVRows(separator: UInt8(ascii: ","), limit: 4, source: Records.source(text, 3))
    let (cut, whole) = (rows.next(), rows.next())
    #expect(cut?.isCut == true && cut?.cells.map { String(decoding: $0, as: UTF8.self) } == ["a", "1234", "b"])
    #expect(whole?.isCut == false && whole?.cells.count == 2)
  }

  @Test func badQuotesLoseNothing() {
    #expect(rows("5\" disk,\"in \"the\" middle\",x\n") == [["5\" disk", "in \"the\" middle", "x"]])
    #expect(
      rows("name,note\nAnn,\"never closed\nBob,\"fine, really\"\n") == [
        ["name", "note"], ["Ann", "\"never closed"], ["Bob", "fine, really"],
      ])
  }

  @Test func manyOpenQuotesAreRead() {
    let count = 200_000
    #expect(rows("a,b\n" + String(repeating: "\"x,\"y\n", count: count / 20)).count == count / 20 + 1)
    #expect(rows("a,b\n\"" + String(repeating: ",\"x", count: count)).count == 2)
  }
}

/// Files of other programs, with data made up for these tests.
@Suite struct CSVReaderTests {
  @Test func namesOfMonthsAreRead() {
    for (text, date) in [("28 Feb 1990", "1990-02-28"), ("Feb 28, 1990", "1990-02-28"), ("3 June", "--06-03")] {
      let read = Records.csv("Name,Birthday\nAnn,\"\(text)\"\n")
      #expect(read.contacts.first?.birthday?.iso == date && read.problems.isEmpty, "\(text)")
    }
  }

  @Test func googleLabelsAndJoinedAddresses() throws {
    let read = Records.csv(
      """
      Name,E-mail 1 - Type,E-mail 1 - Value,E-mail 2 - Type,E-mail 2 - Value,Phone 1 - Type,Phone 1 - Value,\
      Address 1 - Label,Address 1 - Formatted,Address 1 - Street,Address 1 - City
      Pia Lind,* Home,a@b.c,Work,d@e.f,*,1,Home,"Back 3
      Lund ::: Stor 8",Back 3 ::: Stor 8,Lund ::: Ystad
      """)
    let contact = try #require(read.contacts.first)
    #expect(
      contact.emails == [LabeledValue(label: "home", value: "a@b.c"), LabeledValue(label: "work", value: "d@e.f")])
    #expect(contact.phones == [LabeledValue(value: "1")])
    #expect(
      contact.addresses == [
        PostalAddress(label: "home", street: "Back 3", city: "Lund"),
        PostalAddress(label: "home", street: "Stor 8", city: "Ystad"),
      ])
  }

  @Test func rowsBeforeTheHeaderAreSkipped() {
    let read = Records.csv("Notes:\n\"some addresses, if missing\"\n\nFirst Name,Last Name,URL\nPia,Lind,http://a.b\n")
    #expect(read.contacts.map(\.displayName) == ["Pia Lind"] && read.problems.isEmpty)
    #expect(Records.csv("a,b\nc,d\n").contacts.isEmpty)
  }

  @Test func namesInOneWordAreRead() throws {
    let read = Records.csv(
      "DisplayName,GivenName,Surname,JobTitle,BusinessPhone,MobilePhone,BusinessCity,iPhone\nPia Lind,Pia,Lind,Cook,1,2,Lund,x\n"
    )
    let contact = try #require(read.contacts.first)
    #expect(
      [contact.given, contact.family, contact.title, contact.addresses.first?.city] == ["Pia", "Lind", "Cook", "Lund"])
    #expect(contact.phones == [LabeledValue(label: "work", value: "1"), LabeledValue(label: "mobile", value: "2")])
  }

  @Test(arguments: [
    "Vorname,Nachname,Firma,Position,Telefon geschäftlich 2,Mobiltelefon,E-Mail-Adresse,E-Mail 2: Adresse,Ort privat,Geburtstag",
    "Prénom,Nom,Société,Fonction,Téléphone 2 (bureau),Tél. mobile,Adresse de messagerie,Adresse de messagerie 2,Ville (domicile),Anniversaire",
    "Nombre,Apellidos,Empresa,Puesto,Teléfono del trabajo 2,Teléfono móvil,Dirección de correo electrónico,Dirección de correo electrónico 2,Ciudad particular,Cumpleaños",
    "Nome,Cognome,Società,Posizione,Ufficio 2,Cellulare,Indirizzo posta elettronica,Indirizzo posta elettronica 2,Città (ab.),Compleanno",
    "名,姓,会社名,役職,会社電話 2,携帯電話,電子メール アドレス,電子メール 2 アドレス,市区町村 (自宅),誕生日",
  ])
  func outlookInOtherLanguages(_ header: String) throws {
    let read = Records.csv(header + "\nPia,Lind,Works,Cook,1,2,a@b.c,d@e.f,Lund,1990-01-02\n")
    let contact = try #require(read.contacts.first)
    #expect(read.problems.isEmpty)
    #expect([contact.given, contact.family, contact.organization, contact.title] == ["Pia", "Lind", "Works", "Cook"])
    #expect(contact.phones == [LabeledValue(label: "work", value: "1"), LabeledValue(label: "mobile", value: "2")])
    #expect(
      contact.emails.map(\.value) == ["a@b.c", "d@e.f"]
        && contact.addresses == [PostalAddress(label: "home", city: "Lund")])
    #expect(contact.birthday?.iso == "1990-01-02")
  }

  @Test func workMobileKeepsBoth() {
    #expect(
      Records.csv("Name,Work Mobile\nPia,1\n").contacts.first?.phones == [
        LabeledValue(label: "work mobile", value: "1")
      ])
  }

  @Test func google() throws {
    let read = Records.csv(
      """
      First Name,Last Name,Organization Name,Organization Title,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,\
      Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value,Address 1 - Label,Address 1 - Formatted,\
      Address 1 - Street,Address 1 - City,Website 1 - Label,Website 1 - Value,Custom Field 1 - Label,Custom Field 1 - Value
      Ann,Ames,Acme,Boss, --11-26,"two
      lines",http://x/p,* myContacts ::: Friends ::: * starred,* Work,ann@example.com,Mobile,+44 20 7946 0000 ::: 123,\
      Home Fax,555,Home,,1 Main St,Leeds,Blog,http://a.example,Shoe,42
      """)
    let contact = try #require(read.contacts.first)
    #expect(contact.displayName == "Ann Ames" && contact.organization == "Acme" && contact.title == "Boss")
    #expect(
      contact.birthday?.iso == "--11-26" && contact.note == "two\nlines" && contact.groups == ["Friends", "starred"])
    #expect(contact.emails == [LabeledValue(label: "work", value: "ann@example.com")])
    #expect(
      contact.phones == [
        LabeledValue(label: "mobile", value: "+44 20 7946 0000"), LabeledValue(label: "mobile", value: "123"),
        LabeledValue(label: "home fax", value: "555"),
      ])
    #expect(contact.addresses == [PostalAddress(label: "home", street: "1 Main St", city: "Leeds")])
    #expect(contact.urls == [LabeledValue(label: "blog", value: "http://a.example")])
    #expect(
      read.problems == [
        .notMapped([.init(name: "Photo", count: 1)])
      ])
    #expect(contact.custom == [LabeledValue(label: "Shoe", value: "42")])
  }

  @Test func oldGoogle() throws {
    let read = Records.csv(
      """
      Name,Given Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,IM 1 - Type,IM 1 - Service,IM 1 - Value,\
      Phone 1 - Type,Phone 1 - Value,Organization 1 - Name,Organization 1 - Title,Relation 1 - Type,Relation 1 - Value,\
      Event 1 - Type,Event 1 - Value
      Ann Ames,Ann,Ames,* My Contacts,* Home,ann@example.com,Other,jabber,ann@jabber.example,Work,1,Acme,Boss,Spouse,Bob,\
      Anniversary,2001-02-03
      """)
    let contact = try #require(read.contacts.first)
    #expect(contact.formattedName.isEmpty && contact.organization == "Acme" && contact.title == "Boss")
    #expect(contact.handles == [LabeledValue(label: "jabber", value: "ann@jabber.example")])
    #expect(contact.related == [LabeledValue(label: "spouse", value: "Bob")])
    #expect(contact.dates == [LabeledValue(label: "anniversary", value: "2001-02-03")] && read.problems.isEmpty)
  }

  @Test func outlook() throws {
    let read = Records.csv(
      """
      "Title";"First Name";"Last Name";"Company";"Job Title";"Business Street";"Business City";"Business Country/Region";\
      "Home Street";"Business Fax";"Business Phone";"Business Phone 2";"Home Phone";"Mobile Phone";"Car Phone";\
      "Company Main Phone";"Primary Phone";"Birthday";"Categories";"E-mail Address";"E-mail Type";"E-mail 2 Address";"Spouse";\
      "Web Page";"Anniversary";"Hobby";"Business Address PO Box"
      "Dr.";"Ann";"Ames";"Acme";"Boss";"1 High St";"Leeds";"UK";"2 Low St";"5";"6";"7";"8";"9";"10";"11";"12";\
      "12/31/1990";"A;B";"ann@example.com";"SMTP";"b@example.com";"Bob";"http://x.example";"0/0/00";"Chess";"77"
      """)
    let contact = try #require(read.contacts.first)
    #expect(contact.prefix == "Dr." && contact.title == "Boss" && contact.birthday?.iso == "1990-12-31")
    #expect(contact.groups == ["A", "B"] && contact.related.first?.value == "Bob" && contact.dates.isEmpty)
    let phones = ["work fax 5", "work 6", "work 7", "home 8", "mobile 9", "car 10", "main 11", " 12"]
    #expect(contact.phones.map { $0.label + " " + $0.value } == phones)
    #expect(contact.emails.map(\.value) == ["ann@example.com", "b@example.com"])
    #expect(
      contact.addresses == [
        PostalAddress(label: "work", poBox: "77", street: "1 High St", city: "Leeds", country: "UK"),
        PostalAddress(label: "home", street: "2 Low St"),
      ])
    #expect(read.problems == [.notMapped([.init(name: "Hobby", count: 1)])])
  }

  @Test func appleAndThunderbirdNames() throws {
    let apple = Records.csv(
      "First name\tLast name\tPhone (mobile)\tHome Email\tWork: Address City\nAnn\tAmes\t1\ta@b.c\tLeeds\n")
    let contact = try #require(apple.contacts.first)
    #expect(contact.phones == [LabeledValue(label: "mobile", value: "1")] && apple.problems.isEmpty)
    #expect(contact.emails == [LabeledValue(label: "home", value: "a@b.c")])
    #expect(contact.addresses == [PostalAddress(label: "work", city: "Leeds")])
    let thunderbird = Records.csv(
      "Display Name,Primary Email,Secondary Email,Fax Number,Birth Year,Birth Month,Birth Day,Home ZipCode,Web Page 1\n"
        + "Ann,a@b.c,d@e.f,5,1990,2,29,LS1,http://x\nBob,b@b.c,,,,2,29,,\n")
    #expect(thunderbird.contacts.map { $0.birthday?.iso } == [nil, "--02-29"])
    #expect(thunderbird.problems == [.notADate(name: "Birth Year, Birth Month, Birth Day", text: "1990-2-29")])
    #expect(thunderbird.contacts[0].emails.count == 2 && thunderbird.contacts[0].phones[0].label == "fax")
  }

  @Test(arguments: ["GBK", "UTF-16LE", "UTF-16BE", "UTF-8"])
  func chineseInEachCharset(_ name: String) throws {
    let text = "姓名,手机,电子邮件地址,公司,备注\r\n张伟,13800001111,zw@example.com,北京公司,\"老同学，\n常联系\"\r\n李娜,13900002222,,,\r\n"
    let bytes: [UInt8]
    switch name {
    case "GBK":
      bytes = try #require(
        Base64.decode(
          ("0NXD+yzK1rv6LLXn19PTyrz+tdjWtyy5q8u+LLG416INCtXFzrAsMTM4MDAwMDExMTEsendAZXhhbXBsZS5jb20ssb"
            + "G+qbmry74sIsDPzazRp6OsCrOjwarPtSINCsDuxMgsMTM5MDAwMDIyMjIsLCwNCg==").utf8))
    case "UTF-16LE": bytes = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    case "UTF-16BE": bytes = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    default: bytes = [0xEF, 0xBB, 0xBF] + text.utf8
    }
    let read = Records.csv(bytes, chunk: 1)
    #expect(read.contacts.map(\.displayName) == ["张伟", "李娜"])
    #expect(read.contacts[0].note == "老同学，\n常联系" && read.contacts[0].phones[0].label == "mobile")
    #expect(read.problems == (name == "GBK" ? [.guessedCharset("GB18030")] : []))
  }

  @Test func columnsCanBeMapped() throws {
    let phones = try #require(ContactFields.standard.values.first)
    let note = try #require(ContactFields.standard.texts.first { $0.name == "note" })
    let read = Records.csv("Wer,Handy,Was,X\nAnn,1,Klempnerin,y\n") {
      $0.map = [
        CSVMapping(column: "Wer", slot: .name), CSVMapping(column: "2", slot: .value(phones, label: "mobile")),
        CSVMapping(column: "Was", slot: .text(note)), CSVMapping(column: "X", slot: nil),
      ]
    }
    let contact = try #require(read.contacts.first)
    #expect(contact.displayName == "Ann" && contact.phones[0].label == "mobile" && contact.note == "Klempnerin")
    #expect(read.problems.isEmpty)
    #expect(Records.csv("Wer,Was\nAnn,x\n").problems == [.noKnownColumn])
  }

  @Test func aMappedColumnThatIsAbsentIsReported() {
    let note = ContactFields.standard.texts.first { $0.name == "note" }.map(FieldSlot.text)
    let read = Records.csv("Name,Was\nAnn,x\n") {
      $0.map = ["Wer", "2", "3", "Wer"].map { CSVMapping(column: $0, slot: note) }
    }
    #expect(read.problems == [.absentColumns(["Wer", "3"])])
    #expect(read.contacts.map(\.note) == ["x"])
  }

  @Test func leftOutValuesAreReported() {
    let read = Records.csv("Name,Birthday,Shoe\nAnn,03/04/1990,42\nBob,soon,43,extra\nCy,26.11.1990,\nDi,1990年4月3日,\n")
    #expect(read.contacts.map { $0.birthday?.iso } == ["1990-03-04", nil, "1990-11-26", "1990-04-03"])
    #expect(
      read.problems == [
        .ambiguousDate(name: "Birthday", text: "03/04/1990", isDayFirst: false),
        .notADate(name: "Birthday", text: "soon"), .furtherValues(1), .notMapped([.init(name: "Shoe", count: 2)]),
      ])
    #expect(
      Records.csv("Name,Birthday\nAnn,03/04/1990\n", isDayFirst: true).contacts[0].birthday?.iso == "1990-04-03")
    #expect(Records.csv("Name,Birthday\nAnn,\"25/04/1990 00:00\"\n").contacts[0].birthday?.iso == "1990-04-25")
  }

  @Test(arguments: [("13/02/1990", true, "1990-04-03"), ("02/13/1990", false, "1990-03-04")])
  func aDateThatHasOneOrderShowsThatOfItsColumn(proof: String, isDayFirst: Bool, date: String) {
    let text = "Name,Birthday\nAnn,03/04/1990 00:00\nBob,\(proof)\n"
    let read = Records.csv(text)
    #expect(read.contacts.map { $0.birthday?.iso } == [date, "1990-02-13"])
    #expect(read.problems == [.inferredDateOrder(name: "Birthday", proof: proof, isDayFirst: isDayFirst)])
    let asked = Records.csv(text, isDayFirst: !isDayFirst)
    #expect(asked.contacts[0].birthday?.iso != date, "what the user says comes first")
    #expect(asked.problems == [.ambiguousDate(name: "Birthday", text: "03/04/1990 00:00", isDayFirst: !isDayFirst)])
  }

  @Test func theOrderOfDatesIsThatOfTheirColumn() {
    let ambiguous = RecordProblem.ambiguousDate(name: "Birthday", text: "03/04/1990", isDayFirst: false)
    let columns = Records.csv("Name,Birthday,Anniversary\nAnn,03/04/1990,13/02/2020\n")
    #expect(columns.problems == [ambiguous])
    let both = Records.csv("Name,Birthday\nAnn,03/04/1990\nBob,13/02/1990\nCy,02/13/1990\nDi,14/02/1990\n")
    #expect(both.contacts.map { $0.birthday?.iso } == ["1990-03-04", "1990-02-13", "1990-02-13", "1990-02-14"])
    #expect(both.problems == [ambiguous])
    #expect(Records.csv("Name,Birthday\nAnn,13/02/1990\nBob,12.11.1990\n").problems.isEmpty)
    let labeled = Records.csv("Name,Event 1 - Label,Event 1 - Value\nAnn,wedding,3/4/2020\nBob,wedding,13/2/2020\n")
    #expect(labeled.contacts.map { $0.dates.map(\.value) } == [["2020-04-03"], ["2020-02-13"]])
  }

  @Test func theOutlineSaysWhatTheColumnsAre() {
    let text = "Name,Phone 1 - Label,Phone 1 - Value,Shoe,Birthday\nAnn,home,555,42,13/2/1990\nBob,home,556,,3/2/1990\n"
    var reading = CSVReading()
    reading.map = [CSVMapping(column: "1", slot: nil)]
    let outline = CSVReader(reading, source: Records.source(Array(text.utf8), 7)).outline
    #expect(outline.separator == "," && outline.charset == nil)
    #expect(
      outline.columns.map(\.values) == [["Ann", "Bob"], ["home"], ["555", "556"], ["42"], ["13/2/1990", "3/2/1990"]])
    guard let phones = ContactFields.standard.values(named: "phones") else { return #expect(Bool(false)) }
    let phone = FieldSlot.value(phones, label: "")
    #expect(
      outline.columns.map(\.meaning) == [.leftOut, .label(phone), .field(phone), .unknown, .field(.birthday)])
    #expect(outline.columns.map(\.hasAmbiguousDate) == [false, false, false, false, true])
    #expect(outline.columns[4].dateOrder?.isDayFirst == true)
  }

  @Test func excelsSeparatorLineIsRead() {
    #expect(Records.csv("sep=;\r\nName;Email\r\nAnn;a@b.c\r\n").contacts.map(\.displayName) == ["Ann"])
  }

  @Test func aRowWithOnlyACompanyIsAnOrganization() {
    let read = Records.csv("Name,Company\n,Acme\nAnn,Acme\n")
    #expect(read.contacts.map(\.kind) == [.organization, .person])
  }
}

/// Export, and back.
@Suite struct CSVRoundTripTests {
  static func written(_ contacts: [Contact]) -> (text: String, losses: LossTally) {
    var extent = CSVWriter.Extent()
    for contact in contacts { extent.include(contact) }
    var writer = CSVWriter(extent)
    let rows = contacts.map { writer.row(of: $0) }
    return (writer.header + rows.joined(), writer.losses)
  }

  @Test func everyFieldSurvivesARoundTrip() {
    let seed = UInt64.random(in: 0..<UInt64.max)
    print("seed \(seed)")
    var random = RandomContacts(generator: SeededGenerator(seed: seed))
    for _ in 0..<60 {
      let contacts = (0..<5).map { _ in random.contact() }
      let (text, losses) = Self.written(contacts)
      let read = Records.csv(text)
      #expect(read.contacts == contacts, "seed \(seed)")
      #expect(read.problems.isEmpty && losses.isEmpty, "seed \(seed)")
    }
  }

  @Test(arguments: ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+cmd", "\t=1", "＝1", "'=1", "''=1"])
  func noCellIsAFormula(_ text: String) {
    var contact = Contact()
    contact.given = text.trimmed
    contact.family = "X"
    contact.note = text
    let (csv, _) = Self.written([contact])
    for row in csv.split(separator: "\r\n").dropFirst() {
      for cell in row.split(separator: ",") {
        let bare = cell.drop { $0 == "\"" }
        #expect(!"=+-@\t＝".contains(bare.first ?? "x"), "\(cell)")
      }
    }
    #expect(Records.csv(csv).contacts.map(\.note) == [contact.note])
    #expect(Records.csv(csv).contacts.map(\.given) == [contact.given])
  }

  /// Google marks its own groups and preferred values with an asterisk; Outlook separates groups by semicolons.
  @Test(arguments: [["a;b"], ["a;b", "c"], ["* myContacts", "* star"], ["Friends"], []])
  func groupsAndLabelsWithMarksSurviveARoundTrip(_ groups: [String]) {
    var contact = Contact()
    contact.family = "X"
    contact.groups = groups
    contact.phones = [LabeledValue(label: "* boat", value: "1"), LabeledValue(label: "* work", value: "2")]
    contact.addresses = [PostalAddress(label: "* hut", street: "1 Main Street")]
    let read = Records.csv(Self.written([contact]).text).contacts
    #expect(read.map(\.groups) == [groups])
    #expect(read.map(\.phones) == [contact.phones] && read.map(\.addresses) == [contact.addresses])
  }

  @Test func phoneNumbersStayAsTheyAre() {
    var contact = Contact()
    contact.family = "X"
    contact.phones = [LabeledValue(value: "+44 (20) 7946-0000"), LabeledValue(value: "*21#")]
    contact.birthday = PartialDate(year: nil, month: 2, day: 29)
    let (csv, _) = Self.written([contact])
    #expect(csv.contains(",+44 (20) 7946-0000,") && csv.contains(",--02-29"))
  }

  @Test func lateColumnsKeepTheirValuesTogether() {
    var contact = Contact()
    contact.family = "X"
    contact.phones = [LabeledValue(value: "1")]
    var extent = CSVWriter.Extent()
    extent.include(contact)
    contact.phones.append(LabeledValue(label: "home", value: "2"))
    var writer = CSVWriter(extent)
    let text = writer.header + writer.row(of: contact)
    #expect(Records.csv(text).contacts[0].phones.map(\.value) == ["1", "2"])
    #expect(writer.losses.labels == 1)
  }

  @Test func valuesWithoutAColumnAreCounted() {
    var contact = Contact()
    contact.family = "X"
    var writer = CSVWriter(CSVWriter.Extent())
    contact.phones = [LabeledValue(value: "1")]
    contact.addresses = [PostalAddress(street: "1 Main Street")]
    _ = writer.row(of: contact)
    #expect(writer.losses.counts == ["phones": 1, "addresses": 1])
    (contact.phones, contact.addresses) = ([], [])
    contact.cardLines = ["X-FOO:1"]
    contact.photo = PhotoSummary(mediaType: "image/png", bytes: 1, sha256: "")
    #expect(Self.written([contact]).losses.counts == ["photo": 1, "cardLines": 1])
    // Lines that have a column, and lines about the card, do not count as lost.
    contact.photo = nil
    contact.cardLines = [
      "VERSION:4.0", "PRODID:x", "REV:20200101T000000Z", "UID:u", "N:X;;;;", "FN:X", "item1.TEL:1",
      "item1.X-ABLabel:car",
      "BDAY:1990-01-02",
    ]
    #expect(Self.written([contact]).losses.isEmpty)
    for line in ["BDAY;VALUE=text:circa 1800", "PHOTO:http://a.example/a.png", "item1.X-ABADR:de", "item2.X-FOO:1"] {
      var other = contact
      other.cardLines[8] = line
      #expect(Self.written([other]).losses.counts == ["cardLines": 1], "\(line)")
    }
  }
}
