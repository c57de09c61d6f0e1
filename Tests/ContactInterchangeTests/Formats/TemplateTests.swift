import Contacts
import SeededRandom
import Testing

@testable import ContactInterchange

@Suite struct TemplateTests {
  private func text(of contact: Contact, hasID: Bool = false) -> String {
    var text = ""
    ContactTemplate.append(contact, hasID: hasID, to: &text)
    return text
  }

  private func read(_ text: String, first: Int = 1) -> TemplateContact {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return TemplateContact(text.hasSuffix("\n") ? lines.dropLast() : lines, first: first)
  }

  @Test func everyFieldHasALine() {
    var contact = Contact()
    contact.id = 12
    contact.uid = "u-1"
    contact.family = "曾"
    contact.given = "小燕"
    contact.birthday = PartialDate("--05-17")
    contact.phones = [
      LabeledValue(label: "work", value: "010 1"), LabeledValue(label: "mobile", value: "+86 138"),
      LabeledValue(label: "work", value: "010 2"),
    ]
    contact.emails = [LabeledValue(label: "", value: "a@b.c"), LabeledValue(label: "Hütte: 2", value: "d@e.f")]
    contact.addresses = [
      PostalAddress(label: "home", street: "Main St #5\nRear", city: "Ürümqi"),
      PostalAddress(label: "work", city: "A"), PostalAddress(label: "work", city: "B"),
    ]
    contact.note = "two\n\n  lines: #1\n"
    contact.groups = ["- a", "b"]
    #expect(
      text(of: contact, hasID: true) == """
        id: 12
        kind: person
        prefix:
        family: 曾
        given: 小燕
        middle:
        suffix:
        name:
        phoneticFamily:
        phoneticMiddle:
        phoneticGiven:
        pronouns:
        grammaticalGender:
        nickname:
        organization:
        department:
        title:
        phones:  # mobile, home, work, main, iphone, home fax, work fax, pager, other
          work:
            - 010 1
            - 010 2
          mobile: +86 138
        emails:  # home, work, school, other
          "": a@b.c
          "Hütte: 2": d@e.f
        addresses:  # home, work
          home:
            street: |-
              Main St #5
              Rear
            extended:
            poBox:
            city: Ürümqi
            region:
            postalCode:
            country:
          work:
            - street:
              extended:
              poBox:
              city: A
              region:
              postalCode:
              country:
            - street:
              extended:
              poBox:
              city: B
              region:
              postalCode:
              country:
        urls:  # homepage, home, work, blog, profile, other
          homepage:
        handles:  # wechat, qq, signal, telegram, whatsapp, matrix, line, jabber, mastodon, github, discord, skype, facebook, \
        instagram, linkedin, twitter, weibo, kakaotalk, viber, sip, irc
          wechat:
        related:  # spouse, partner, child, parent, mother, father, brother, sister, friend, assistant, manager, other
          spouse:
        languages:  # home, work, other
          home:
        birthday: --05-17
        dates:  # anniversary, other
          anniversary:
        groups:
          - "- a"
          - b
        note: |+
          two

            lines: #1
        uid: u-1

        """)
    let back = read(text(of: contact, hasID: true))
    #expect(back.problems.isEmpty)
    // Values with the same label stand together.
    contact.phones.swapAt(1, 2)
    #expect(back.contact == contact)
  }

  @Test func anyTextComesBack() {
    let seed = UInt64.random(in: 0..<UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", "曾", " ", "  ", "\n", "\n\n", "#", ": ", ":", "- ", "-", "\"", "'", "\\", "|", ">", "[x]", "{", "&", "*",
      "!", "%",
      "@", "`", "?", ",", "~", "null", "\t", "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "e\u{301}", "👩‍👩‍👧", "\r\n", "---",
      "\0",
    ]
    func text(isProse: Bool = false) -> String {
      let made = (0...Int.random(in: 0..<6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      return isProse ? made.joined() : made.joined().trimmed
    }
    for _ in 0..<500 {
      var contact = Contact()
      for field in ContactFields.standard.texts { contact[field] = text(isProse: field.role == .prose) }
      contact.phones = [LabeledValue(label: text(), value: text())]
      contact.addresses = [PostalAddress(label: text(), street: text(), city: "x" + text())]
      contact.groups = Array(Set([text(), text()])).filter { !$0.isEmpty }.sorted()
      contact.phones.removeAll(where: \.value.isEmpty)
      let written = self.text(of: contact)
      let back = read(written)
      #expect(back.problems.isEmpty && back.contact == contact, "seed \(seed)\n\(written)")
    }
  }

  @Test func whatIsReadIsWrittenSoThatItSaysTheSame() {
    let seed = UInt64.random(in: 0..<UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let keys = [
      "name", "family", "phones", "email", "addresses", "home", "\"a: b\"", "''", "street", "note", "groups", "dates",
      "kind",
    ]
    let values = [
      "", "x", "|", "|-", "|+", "\"\\u00e9\"", "'it''s'", "# none", "a: b", "person", "2000-01-02", "[x]", "\"", "-",
      "é  ",
    ]
    for _ in 0..<2000 {
      let lines = (0..<Int.random(in: 1..<12, using: &random)).map { _ in
        let indent = String(repeating: " ", count: Int.random(in: 0..<4, using: &random) * 2)
        let sign = ["", "", "- "].randomElement(using: &random) ?? ""
        let key = Bool.random(using: &random) ? (keys.randomElement(using: &random) ?? "") + ": " : ""
        return indent + sign + key + (values.randomElement(using: &random) ?? "")
      }
      let one = read(lines.joined(separator: "\n")).contact
      let text = text(of: one)
      let two = read(text)
      #expect(two.problems.isEmpty && self.text(of: two.contact) == text, "seed \(seed)\n\(lines)\n\(text)")
    }
  }

  @Test func whatPeopleTypeIsRead() {
    let back = read(
      """
      # a comment
      family:   Lee
      phone:
          mobile: "138: #1"
          home:
          - 'it''s'
          - "\\u4e2d\\n"

      email: a@b.c
      emails:
      url:
        - https://a.b/#c
        - https://d.e
      addresses:
        home: {}
        work:
            city:    Main St #5
      birthday: 1980年5月17日
      note: |
        one
         two

      groups: friends
      """)
    #expect(back.contact.family == "Lee")
    #expect(
      back.contact.phones == [
        LabeledValue(label: "mobile", value: "138: #1"), LabeledValue(label: "home", value: "it's"),
        LabeledValue(label: "home", value: "中"),
      ])
    #expect(back.contact.emails == [LabeledValue(value: "a@b.c")])
    #expect(back.contact.urls.map(\.value) == ["https://a.b/#c", "https://d.e"])
    #expect(back.contact.addresses == [PostalAddress(label: "work", city: "Main St #5")])
    #expect(back.contact.birthday?.iso == "1980-05-17" && back.contact.note == "one\n two\n")
    #expect(back.contact.groups == ["friends"])
    #expect(back.problems.map(\.line) == [15])
    #expect(back.line(of: "phones[1].value") == 6 && back.line(of: "phones[9]") == 3 && back.line(of: "x") == 1)
  }

  @Test func whatCannotBeReadHasItsLine() {
    let back = read(
      """
      family: [Lee]
      famly: Lee
      nonsense
      birthday: yesterday
      dates:
        anniversary: never
      kind: cat
      given:
        - a
        - b
      addresses: Main St
      phones:
        mobile:
          x: 1
        work: "no end
          too far: 1
      given: b
      """, first: 10)
    #expect(
      back.problems.map(\.line) == [10, 11, 12, 13, 15, 16, 17, 20, 22, 24, 25, 26])
    #expect(back.problems[1].problem == .unknownField("famly") && back.problems[3].problem == .notADate("yesterday"))
    #expect(back.problems[5].problem == .unknownKind("cat"))
  }

  @Test func deepNestingIsRefused() {
    let levels = (0..<2000).map { String(repeating: " ", count: $0) + "a:" }
    #expect(read("family: B\n" + levels.joined(separator: "\n")).problems.count > 1900)
    #expect(read("phones:\n  home:\n" + String(repeating: "    - - a:\n", count: 100)).problems.count > 90)
    let long = TemplateReader.contacts(in: "note: |\n" + String(repeating: "  x\n", count: 120_000))
    #expect(long.count == 3 && long[0].contact.note.count == 2 * 49_999)
  }

  @Test func aFileHasSeveral() {
    let found = TemplateReader.contacts(in: "---\nname: Ada Lovelace\n---\n# none\n---\nfoo: 1\nfamily: B\n")
    #expect(found.map { "\($0.line) \($0.contact.displayName)" } == ["2 Ada Lovelace", "6 B"])
    #expect(found.map(\.problems.count) == [0, 1])
  }

  @Test func whatTheTextCannotSayStays() {
    var base = Contact()
    base.id = 3
    base.formattedName = "Ann B. Lee"
    base.given = "Ann"
    base.cardLines = ["VERSION:3.0"]
    base.phones = [
      LabeledValue(label: "work", value: "1"), LabeledValue(label: "home", value: " 2"),
      LabeledValue(label: "work", value: "3"),
    ]
    func edited(_ change: (String) -> String) -> Contact { read(change(text(of: base))).applied(to: base) }
    #expect(edited { $0 } == base)
    var expected = base
    expected.nickname = "Al"
    #expect(edited { $0.replacing("nickname:", with: "nickname: Al") } == expected)
    expected = base
    expected.given = "Anna"
    expected.formattedName = ""
    #expect(edited { $0.replacing("given: Ann", with: "given: Anna") } == expected)
    expected = base
    expected.phones = [LabeledValue(label: "work", value: "1"), LabeledValue(label: "work", value: "3")]
    #expect(edited { $0.replacing("  home: \" 2\"\n", with: "") } == expected)
  }

  @Test func anImportTakesTheFieldsThatAreThere() {
    var base = Contact()
    base.nickname = "Al"
    base.title = "x"
    base.emails = [LabeledValue(label: "home", value: "a@b.c")]
    let after = ContactPatch(read("title:\nname: Al Bo\nemails:\n  home:\n")).applied(to: base)
    #expect(after.nickname == "Al" && after.title.isEmpty && after.emails.isEmpty && after.formattedName == "Al Bo")
  }
}
