import Contacts
import SeededRandom
import Testing
import VCard

@testable import ContactInterchange

/// Every value of every property, column, attribute and key is imported, kept with the card, or named in the report.
@Suite struct NothingLostTests {
  // MARK: - CSV

  /// The columns that the vocabulary knows, and a few others.
  private static let columns: [String] = {
    var names = CSVVocabulary.textNames.flatMap(\.names) + CSVVocabulary.wholeNames
    names += CSVVocabulary.others.flatMap(\.1) + CSVVocabulary.labeled.map(\.name)
    names += CSVVocabulary.birthdayParts.keys.sorted() + CSVVocabulary.emailTypes.sorted()
    for kind in CSVVocabulary.kinds.map(\.words) {
      names += [kind, "Home " + kind, "Business " + kind, kind + " (mobile)"]
    }
    return names + numbered.flatMap(\.self) + ["Hobby", "Shoe Size", "Phone 1", "E-mail 2 Address"]
  }()

  /// The columns of numbered items, those of one item together.
  private static let numbered: [[String]] = {
    let parts = ["Label", "Type", "Service", "Value", "Yomi Name", "Symbol"]
    let ofAddresses = CSVVocabulary.addressParts.keys.sorted() + ["Label", "Extra"]
    let lists: [(String, [String])] = [
      ("Phone", parts), ("E-mail", parts), ("Website", parts), ("Event", parts), ("IM", parts), ("Relation", parts),
      ("Custom Field", parts), ("Address", ofAddresses),
      ("Organization", ["Name", "Title", "Department", "Type", "Symbol"]),
    ]
    return lists.flatMap { list, parts in [1, 2].map { number in parts.map { "\(list) \(number) - \($0)" } } }
  }()

  private func value(of column: String, _ number: Int) -> String {
    var vocabulary = CSVVocabulary()
    switch vocabulary.columns(named: [column])[0] {
    case .slot(.birthday): return "19\(70 + number % 30)-01-02"
    case .slot(.value(let field, _)) where field.rule == .date: return "20\(10 + number % 80)-03-04"
    case .item(.values(let field), _, .value) where field.rule == .date: return "20\(10 + number % 80)-05-06"
    case .slot(.kind): return number % 2 == 0 ? "person" : "organization"
    case .birthday: return String(1 + number % 12)
    default: return "Value\(number)x"
    }
  }

  /// Reads a row with these columns and checks that each value is in the contact or its column in the report.
  private func checkRow(_ columns: [String]) {
    let values = columns.enumerated().map { value(of: $1, $0) }
    let read = Records.csv(
      (["Nick"] + columns).joined(separator: ",") + "\n" + (["Pe"] + values).joined(separator: ","))
    let shown = read.contacts.map { ContactJSON.encode($0, section: "A") }.joined()
    let report = "\(read.problems)"
    for (column, value) in zip(columns, values) {
      let isDay = Int(value) != nil && shown.contains("\"birthday\": \"")
      #expect(shown.contains(value) || isDay || report.contains(column), "\(column)=\(value) of \(columns): \(report)")
    }
  }

  @Test func csvColumnsAloneAndTwice() {
    for column in Self.columns {
      checkRow([column])
      checkRow([column, column])
    }
  }

  @Test func csvColumnsTogether() {
    checkRow(Self.columns)
    for item in Self.numbered {
      for one in item {
        for other in item where one != other { checkRow([one, other]) }
      }
      checkRow(item)
    }
    checkRow(["Birth Year", "Birth Month"])
    checkRow(["Birth Year", "Birth Month", "Birth Day"])
    checkRow(["Birthday", "Birth Year", "Birth Month", "Birth Day"])
  }

  @Test func csvColumnsInRandomRows() {
    let seed = UInt64.random(in: 0..<UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      checkRow(
        (0..<Int.random(in: 2...12, using: &generator)).compactMap { _ in Self.columns.randomElement(using: &generator)
        })
    }
  }

  @Test func whatANumberedItemOrAnAddressAsTextLosesIsNamed() {
    func missed(_ text: String) -> [String] {
      Records.csv(text).problems.flatMap { problem -> [String] in
        if case .notMapped(let columns) = problem { return columns.map(\.name) }
        return []
      }
    }
    let account = "IM 1 - Type,IM 1 - Service,IM 1 - Value\n"
    #expect(missed(account + "Home,Jabber,a@b\n") == ["IM 1 - Type"] && missed(account + "Home,,a@b\n").isEmpty)
    #expect(missed("Name,Phone 1 - Type\nA,Mobile\n") == ["Phone 1 - Type"])
    #expect(missed("Name,Organization 1 - Type\nA,Work\n") == ["Organization 1 - Type"])
    #expect(missed("Name,E-mail Type,E-mail\nA,SMTP,a@b\n").isEmpty)
    #expect(missed("Name,E-mail Type,E-mail\nA,EX,a@b\n") == ["E-mail Type"])
    // The types of Google's second email are labels, not protocols as in Outlook.
    let types = Records.csv("E-mail 1 - Type,E-mail 1 - Value,E-mail 2 - Type,E-mail 2 - Value\nHome,a@b,Choir,c@d\n")
    #expect(types.contacts.first?.emails.map(\.label) == ["home", "Choir"])
    let address = "Address 1 - Street,Address 1 - City,Address 1 - Formatted\n"
    #expect(missed(address + "Am Kai 1,Bonn,\"Am Kai 1\nBonn\"\n").isEmpty)
    #expect(missed(address + "Am Kai 1,Bonn,\"Am Kai 1\n53111 Bonn\"\n") == ["Address 1 - Formatted"])
  }

  // MARK: - LDIF

  private static let attributes: [String] = {
    var names = LDIFVocabulary.texts.flatMap(\.attributes) + LDIFVocabulary.values.map(\.attribute)
    names += LDIFVocabulary.addresses.flatMap(\.attributes)
    names += ["cn", "commonname", "displayname", "entryuuid", "birthyear", "birthmonth", "birthday", "dateofbirth"]
    return names + ["labeleduri", "postaladdress", "homepostaladdress", "mozillaCustom1", "info", "cn;lang-sv"]
  }()

  private func value(ofAttribute name: String, _ number: Int) -> String {
    switch name {
    case "dateofbirth": "19\(70 + number % 30)-01-02"
    case "birthyear", "birthmonth", "birthday": String(1 + number % 12)
    case "labeleduri": "https://value\(number)x.example Label\(number)x"
    case "postaladdress", "homepostaladdress": "Value\(number)x"
    default: "Value\(number)x"
    }
  }

  private func checkEntry(_ head: String, _ names: [String]) {
    let values = names.enumerated().map { value(ofAttribute: $1, $0) }
    let lines = zip(names, values).map { "\($0): \($1)\n" }.joined()
    let read = Records.ldif("dn: uid=1,dc=a\n" + head + lines)
    let shown = read.records.map { record in
      // Only the name and the UID of a group are imported.
      record.members == nil
        ? ContactJSON.encode(record.contact, section: "A") : record.contact.displayName + record.contact.uid
    }.joined()
    let report = "\(read.problems)"
    for (name, value) in zip(names, values) {
      let isDay = Int(value) != nil && shown.contains("\"birthday\": \"")
      let bare = name.prefix { $0 != ";" }.lowercased()
      #expect(
        value.split(separator: " ").allSatisfy { shown.contains($0) } || isDay || report.contains("\"\(bare)")
          || report.contains(", \(bare)"),
        "\(name)=\(value) of \(names) \(shown): \(report)")
    }
  }

  @Test(
    arguments: [
      "objectClass: inetOrgPerson\ndescription: x\n", "objectClass: mozillaAbPersonAlpha\n",
      "objectClass: inetOrgPerson\ncn: Petra Muster\nsn: Muster\ngivenName: Petra\n",
      "objectClass: inetOrgPerson\ncn: Petra Muster\nsn: Petra Muster\nstreet: Am Kai 1\nbirthyear: 1990\n",
      "objectClass: groupOfNames\ncn: kitchen\n",
    ])
  func ldifAttributesAloneTwiceAndTogether(head: String) {
    for name in Self.attributes {
      checkEntry(head, [name])
      checkEntry(head, [name, name])
      for other in ["cn", "displayname", "postaladdress"] { checkEntry(head, [name, other]) }
    }
    checkEntry(head, Self.attributes)
  }

  @Test func aCommonNameBesideADisplayNameIsNamedIfItSaysMore() {
    func missed(_ lines: String) -> [RecordProblem] {
      Records.ldif("dn: cn=p,dc=a\nobjectClass: inetOrgPerson\n" + lines).problems
    }
    #expect(missed("cn: Petra Muster\nsn: Muster\ngivenName: Petra\ndisplayName: Muster, Petra\n").isEmpty)
    #expect(
      missed("cn: Petra M. (Bonn)\nsn: Muster\ngivenName: Petra\ndisplayName: Muster, Petra\n")
        == [.notImported([.init(name: "cn", count: 1)])])
  }

  @Test func everyMalformedLineOfAnEntryIsNamed() {
    let read = Records.ldif("dn: cn=p,dc=a\nobjectClass: person\ncn: P\nno attribute\nphoto:: %%%\nmail: p@a.example\n")
    #expect(read.problems == [.malformedLine("no attribute"), .malformedLine("photo:: %%%")])
    #expect(read.records.count == 1)
  }

  // MARK: - abook

  @Test func abookKeysAloneTwiceAndInOddPlaces() {
    let keys = [
      "name", "email", "address", "address2", "city", "state", "zip", "country", "phone", "workphone", "fax", "mobile",
      "nick", "url", "notes", "anniversary", "groups", "custom1", "spouse",
    ]
    func check(_ keys: [String], outside: String = "") {
      let values = keys.indices.map { keys[$0] == "anniversary" ? "200\($0)-03-04" : "value\($0)x" }
      let lines = zip(keys, values).map { "\($0)=\($1)\n" }.joined()
      let read = Records.abook(Array("# abook\n[format]\nprogram=abook\n\(outside)[0]\nnick=Pe\n\(lines)".utf8))
      let shown = read.contacts.map { ContactJSON.encode($0, section: "A") }.joined()
      for (key, value) in zip(keys, values) {
        #expect(shown.contains(value) || "\(read.problems)".contains("\"\(key)\""), "\(key) of \(keys)")
      }
    }
    for key in keys { check([key]) }
    for key in keys { check([key, key]) }
    check(keys)
    let odd = Records.abook(Array("# abook\nstray\n[format]\nprogram=abook\n[me]\nname=Lost\n[0]\nname=Pe\nodd\n".utf8))
    #expect(odd.problems == [.malformedLine("stray"), .malformedLine("name=Lost"), .malformedLine("odd")])
    #expect(odd.contacts.map(\.displayName) == ["Pe"])
  }

  // MARK: - Cards

  private func read(jCard properties: String) -> ImportedCard? {
    var rest: [UInt8]? = Array(
      "[\"vcard\",[[\"version\",{},\"text\",\"4.0\"],[\"fn\",{},\"text\",\"Pe\"],\(properties)]]".utf8)
    var reader = JCardReader<Never> { rest.take() }
    guard case .card(let card)? = reader.next() else { return nil }
    return ContactCardReader().read(card)
  }

  @Test func propertiesOfAJCard() throws {
    let names = [
      "n", "nickname", "photo", "bday", "anniversary", "gender", "adr", "tel", "email", "impp", "lang", "tz", "geo",
      "title", "role", "logo", "org", "related", "categories", "note", "prodid", "rev", "sound", "uid", "url", "key",
      "fburl", "caladruri", "caluri", "xml", "kind", "member", "x-own", "x_own", "x-messaging/aim-all", "x-a.b", "x:y",
      "end", "begin", "été",
    ]
    let values = [
      #""Value1x""#, #"["Value1x", "Value2x"]"#, #"["Value1x", ["Value2x", "Value3x"]]"#, #""Value1x", "Value2x""#,
      "12345", "true", #"{"value": "Value1x"}"#, #"["a", "Value1x"], ["b", "Value2x"]"#, #"[["Value1x", {"a": 1}]]"#,
      #""Value1x", null"#,
    ]
    for name in names {
      for type in ["text", "uri", "unknown", "date-and-or-time"] {
        for value in values {
          let card = try #require(read(jCard: "[\"\(name)\",{\"x_p\":\"Value9x\"},\"\(type)\",\(value)]"))
          let lines = card.contact.cardLines.joined(separator: "\n")
          let isReported = "\(card.diagnostics)".contains(name)
          for text in ["Value1x", "Value2x", "Value3x", "Value9x", "12345", "true"]
          where value.contains(text) || text == "Value9x" {
            #expect(isReported || lines.lowercased().contains(text.lowercased()), "\(name) \(type) \(value): \(lines)")
          }
          #expect(card.contact.displayName.isEmpty == false)
        }
      }
    }
  }

  @Test(arguments: ["BDAY", "ANNIVERSARY", "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY", "X-ABDATE", "X-MS-ANNIVERSARY"])
  func datesThatCannotBeReadAreNamedWithTheirLine(property: String) throws {
    for text in ["Fri, 2 Jan 1970", "June 2001", "1990", "1990-02-31", "3/4/1990", "VALUE=text"] {
      let line = text.hasPrefix("VALUE") ? "\(property);\(text):1990-01-02" : "\(property):\(text)"
      let file = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Pe\r\n\(line)\r\nEND:VCARD\r\n"
      let card = ContactCardReader().read(try #require(VCardReader.read(Array(file.utf8)).cards.first))
      let value = text.hasPrefix("VALUE") ? "1990-01-02" : text
      #expect(card.diagnostics == [Diagnostic(line: 4, problem: .notADate(property: property, text: value))])
      #expect(card.contact.birthday == nil && card.contact.dates.isEmpty && card.contact.cardLines.contains(line))
    }
    for empty in ["", "  "] {
      let file = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Pe\r\n\(property):\(empty)\r\nEND:VCARD\r\n"
      #expect(
        ContactCardReader().read(try #require(VCardReader.read(Array(file.utf8)).cards.first)).diagnostics.isEmpty)
    }
  }

  @Test func anyPropertyOfACardIsKept() throws {
    let names = [
      "SOUND", "GEO", "X-OWN", "TEL", "EMAIL", "ADR", "RELATED", "KIND", "IMPP", "N", "ORG", "CATEGORIES", "NOTE",
    ]
    for name in names {
      for value in ["value1x", ";;value1x;;;;;;", "a,value1x", "x:y"] {
        let lines = ["FN:Pe", "\(name);X-P=value2x:\(value)", "\(name):second"]
        let file = (["BEGIN:VCARD", "VERSION:4.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
        let card = ContactCardReader().read(try #require(VCardReader.read(Array(file.utf8)).cards.first))
        #expect(card.contact.cardLines == ["VERSION:4.0"] + lines)
      }
    }
  }

  // MARK: - JSON

  @Test func keysOfJSONThatCannotBeReadAreNamed() {
    for field in ContactFields.standard.all {
      for value in ["7", #"{"x": 1}"#, "[7]", #"[{"x": 1}]"#] {
        let object = Array("{\"\(field.jsonKey)\": \(value)}".utf8)
        let error = #expect(throws: ContactJSONError.self, "\(field.jsonKey) \(value)") {
          try ContactPatch(json: object)
        }
        #expect(error.map { "\($0)".contains(field.jsonKey) } == true)
      }
    }
    #expect(throws: ContactJSONError.unknownKey(path: "shoe")) { try ContactPatch(json: Array(#"{"shoe": 1}"#.utf8)) }
  }
}
