import Contacts
import SeededRandom
import Testing

@testable import ContactInterchange

@Suite struct MailTests {
  private func from(_ header: String, _ name: String = "from") -> [MailAddress] {
    MailHeader(of: Array((header + "\n\nFrom: body@example.com\n").utf8)).addresses(in: name)
  }

  @Test(
    arguments: [
      ("From: ann@example.com", "", "ann@example.com"),
      ("From: Ann Ames <ann@example.com>", "Ann Ames", "ann@example.com"),
      ("FROM : \"Ames, Ann \\\"A\\\"\" <ann@example.com>", "Ames, Ann \"A\"", "ann@example.com"),
      ("From: ann@example.com (Ann (the) Ames)", "Ann (the) Ames", "ann@example.com"),
      ("From: Ann\r\n Ames\r\n\t<ann@example.com>", "Ann Ames", "ann@example.com"),
      ("From: =?utf-8?B?5byg5Lyf?= <zw@example.com>", "张伟", "zw@example.com"),
      ("From: =?GBK?B?1cXOsA==?= <zw@example.com>", "张伟", "zw@example.com"),
      ("From: =?gb2312?Q?=D5=C5=CE=B0?= <zw@example.com>", "张伟", "zw@example.com"),
      ("From: \"=?utf-8?q?J=C3=BCrgen_M?=\" <j@example.com>", "Jürgen M", "j@example.com"),
      ("From: =?ISO-2022-JP?B?GyRCOzNFRBsoQg==?= <t@example.jp>", "山田", "t@example.jp"),
      ("From: =?utf-8*en?q?a?= =?utf-8?q?_b?= c <t@example.jp>", "a b c", "t@example.jp"),
      // A character split between two words.
      ("From: =?utf-8?B?5bw=?= =?utf-8?B?oOS8nw==?= <t@example.jp>", "张伟", "t@example.jp"),
      ("From: undisclosed:;, Ann <ann@example.com>", "Ann", "ann@example.com"),
      ("From: Friends: Ann <ann@example.com>, bob@example.com;", "Ann", "ann@example.com"),
      ("From: <@relay.example:ann@example.com>", "", "ann@example.com"),
      // Found by fuzzing: a combining mark after `<`, and a name of several lines.
      ("From: Ann <\u{59A}@f>", "Ann", "\u{59A}@f"), ("From: a@b.c (=?utf-8?q?A=0AB=09C?=)", "A B C", "a@b.c"),
      ("From: =?utf-8?q?z_=DE=A7?= <a@b.c>", "z \u{7A7}", "a@b.c"),
      ("From bob Mon Jan 1\nFrom: ann@example.com", "", "ann@example.com"),
      ("From: \"A B\" <\"john doe\"@x.example>", "A B", "\"john doe\"@x.example"),
      ("From: \"john\"@x.example", "", "john@x.example"), ("From: <\"a\\\"b\"@x.example>", "", "\"a\\\"b\"@x.example"),
    ] as [(String, String, String)])
  func senders(_ header: String, _ name: String, _ address: String) throws {
    let found = try #require(from(header).first)
    #expect(found == MailAddress(name: name, address: address))
  }

  @Test func invalidSendersAreRefused() {
    #expect(from("From: nobody").isEmpty && from("To: a@b.c").isEmpty && from("").isEmpty)
    #expect(from("From: <>\nSender: s@example.com").isEmpty)
    #expect(from("From: <>\nSender: s@example.com", "sender").map(\.address) == ["s@example.com"])
  }

  @Test func anUnencodedNameInGBKIsRead() {
    let raw = MailHeader(of: Array("From: ".utf8) + [0xD5, 0xC5, 0xCE, 0xB0] + Array(" <zw@example.com>\n\n".utf8))
    #expect(raw.addresses(in: "from") == [MailAddress(name: "张伟", address: "zw@example.com")])
  }

  @Test func bareAddresses() {
    let valid = [
      "a@b.c", " <a@b.c> ", "mailto:a@b.c", "MAILTO:a@b.c?subject=x", "Ann <a@b.c>", "<mailto:a@b.c>", "o'neil+x@b-c.d",
      "李@例子.中国", "a@localhost", "\"a b\"@c.d", "\"a\\\"b@c\"@d.e",
    ]
    for text in valid { #expect(MailAddress.bare(text) != nil, "\(text)") }
    #expect(MailAddress.bare("mailto:a@b.c?subject=x") == "a@b.c" && MailAddress.bare("Ann <a@b.c>") == "a@b.c")
    let invalid = [
      "", "a", "@b", "a@", "a@b.", "a@.b", "a@b..c", "a b@c.d", "a@b c", "a@b,c@d", "a@b\nc@d", "a\u{200B}@b.c",
      "a@b@c", "\"a@b.c", "\"\"@b.c", "\"a\"b\"@c.d", "\"a\nb\"@c.d", "a@b/c", "a\u{1B}@b.c",
    ]
    for text in invalid { #expect(MailAddress.bare(text) == nil, "\(text)") }
  }

  @Test func theShortcutForPlainAddressesChangesNothing() {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("bare addresses: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var addresses = 0
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...8, using: &random)
      let text = String((0..<length).map { _ in "ab0-.@@_ <É".randomElement(using: &random) ?? "a" })
      #expect(MailAddress.bare(text) == MailAddress.extracted(text), "\(text)")
      if MailAddress.bare(text) == text { addresses += 1 }
    }
    #expect(addresses > 300)
    for length in [314, 315, 316] {
      let long = String(repeating: "a", count: length) + "@b.cd"
      #expect(MailAddress.bare(long) == MailAddress.extracted(long), "\(length)")
    }
  }
}

@Suite struct MuttAliasTests {
  private func contact(_ name: String, _ addresses: String...) -> Contact {
    var contact = Contact()
    contact.formattedName = name
    contact.emails = addresses.map { LabeledValue(label: "work", value: $0) }
    return contact
  }

  @Test func aliases() {
    var aliases = MuttAliases()
    #expect(aliases.lines(of: contact("张伟", "a@example.com")) == "alias zhangwei \"张伟\" <a@example.com>\n")
    #expect(
      aliases.lines(of: contact("张伟", "b@example.com", "<c@example.com>", "no address"))
        == "alias zhangwei-work \"张伟\" <b@example.com>\nalias zhangwei-2 \"张伟\" <c@example.com>\n")
    #expect(
      aliases.lines(of: contact("Zoë O'Brien", "z@example.com")) == "alias zoe.obrien \"Zoë O'Brien\" <z@example.com>\n"
    )
    // Letters without a canonical decomposition, and decomposed ones.
    for (name, alias) in [
      ("Strauß", "strauss"), ("Bjørn Æbelø", "bjorn.aebelo"), ("Łukasz Đorđe", "lukasz.dorde"), ("Zoe\u{308}", "zoe"),
      ("Þór", "thor"), ("İpek Işık", "ipek.isik"), ("Ｔａｒｏ", "taro"), ("Иван", "x"),
    ] {
      #expect(aliases.lines(of: contact(name, "x@example.com")).hasPrefix("alias \(alias) "), "\(name)")
    }
    #expect(aliases.lines(of: contact("Nobody")) == "")
  }

  /// Mutt reads `-group` before the alias as an option.
  @Test func anAliasDoesNotBeginWithAHyphen() {
    var aliases = MuttAliases()
    var ann = contact("Ann Ames", "a@example.com")
    ann.nickname = "-Group"
    #expect(aliases.lines(of: ann) == "alias group \"Ann Ames\" <a@example.com>\n")
    ann.nickname = "--"
    #expect(aliases.lines(of: ann) == "alias ann.ames \"Ann Ames\" <a@example.com>\n")
    #expect(aliases.lines(of: contact("- 张伟", "-b@example.com")).hasPrefix("alias zhangwei "))
  }

  @Test func anEntryStaysTheSameOnItsWayToAnotherThread() throws {
    let contacts = [
      contact("张伟", "a@example.com"), contact("张伟", "b@example.com", "c@example.com", "no address"),
      contact("", "d@example.com"), contact("Nobody"),
    ]
    var (plain, packed) = (MuttAliases(), MuttAliases())
    for contact in contacts {
      var bytes: [UInt8] = []
      MuttAliases.Entry(contact).append(to: &bytes)
      let entry = try #require(bytes.withUnsafeBytes { MuttAliases.Entry(packed: $0) })
      #expect(packed.lines(of: entry) == plain.lines(of: contact))
    }
    #expect(([1, 0, 0, 0, 0x61, 0, 0, 0, 0] as [UInt8]).withUnsafeBytes { MuttAliases.Entry(packed: $0) } == nil)
  }

  @Test func backquotesAndVariablesAreEscaped() {
    var aliases = MuttAliases()
    #expect(
      aliases.lines(of: contact(#"`touch x` $HOME "; push x\"# + "\n#", "a`id`$HOME#@example.com"))
        == ##"alias touch.x.home.push.x "\`touch x\` \$HOME \\"; push x\\\\ \#" <a\`id\`\$HOME\#@example.com>"## + "\n")
    #expect(aliases.lines(of: contact(" ", "`id`@example.com")) == #"alias id \`id\`@example.com"# + "\n")
  }
}

@Suite struct BirthdayCalendarTests {
  private func event(_ day: PartialDate?, _ name: String = "Ann") -> String {
    var contact = Contact()
    contact.uid = "u,1"
    contact.birthday = day
    contact.modified = "2020-01-02T03:04:05.678Z"
    return BirthdayCalendar().event(of: contact, summary: name)
  }

  @Test func anEventEveryYear() {
    #expect(
      event(PartialDate(year: 1990, month: 4, day: 3), "A;b, c\\\nd")
        == [
          "BEGIN:VEVENT", "UID:birthday-u\\,1", "DTSTAMP:20200102T030405Z", "DTSTART;VALUE=DATE:19900403",
          "RRULE:FREQ=YEARLY", "SUMMARY:A\\;b\\, c\\\\\\nd", "TRANSP:TRANSPARENT", "END:VEVENT", "",
        ].joined(separator: "\r\n"))
    #expect(event(PartialDate(year: nil, month: 4, day: 3)).contains("DATE:19720403"))
    #expect(
      event(PartialDate(year: nil, month: 2, day: 29)).contains(
        "DATE:19720229\r\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"))
    #expect(event(nil) == "")
  }

  @Test func linesAreFoldedByBytes() {
    let lines = event(PartialDate(year: nil, month: 4, day: 3), String(repeating: "曾国藩", count: 30)).split(
      separator: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 75 } && lines.contains { $0.hasPrefix(" ") })
    #expect(lines.joined().split(separator: " ").joined().contains(String(repeating: "曾国藩", count: 30)))
  }
}
