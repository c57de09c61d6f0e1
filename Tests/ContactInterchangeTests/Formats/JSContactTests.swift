import Contacts
import SeededRandom
import Testing
import VCard

@testable import ContactInterchange

/// JSContact Cards (RFC 9553) to cards and back (RFC 9555).
@Suite struct JSContactTests {
  private func card(_ members: String) throws -> Card {
    let json = #"{"@type":"Card","version":"1.0","uid":"u",\#(members)}"#
    return try #require(try JSContactReader.card(of: Array(json.utf8)))
  }

  private func lines(_ members: String) throws -> [String] {
    try card(members).lines.map(\.verbatim).filter { $0 != "UID:u" }
  }

  private func written(_ contact: Contact) throws -> JSONValue {
    try JSONValue(json: Array(JSContactWriter().text(of: contact, photo: nil).utf8))
  }

  /// Members, and the lines of the vCard for them. The Card that is written of these has all members again.
  @Test(
    arguments: [
      (#""name":{"full":"Vivienne Dupont"}"#, ["FN:Vivienne Dupont"]),
      (
        #""name":{"components":[{"kind":"given","value":"Jane"},{"kind":"surname","value":"Doe"}],"isOrdered":true}"#,
        ["FN;DERIVED=TRUE:Jane Doe", #"N;JSCOMPS=";1;0":Doe;Jane;;;;;"#]
      ),
      (
        #""name":{"components":[{"kind":"title","value":"Ms."},{"kind":"given","value":"Mary Jean"},{"kind":"given2","value":"Elizabeth"},{"kind":"surname","value":"van Halen"},{"kind":"surname2","value":"Barrientos"},{"kind":"generation","value":"III"},{"kind":"separator","value":", "},{"kind":"credential","value":"PhD"}],"isOrdered":true,"full":"x"}"#,
        [
          "FN:x",
          #"N;JSCOMPS=";3;1;2;0;5;6;s,\, ;4,1":van Halen,Barrientos;Mary Jean;Elizabeth;Ms.;III,PhD;Barrientos;III"#,
        ]
      ),
      (
        #""name":{"components":[{"kind":"surname","value":"García"},{"kind":"surname2","value":"García"}],"sortAs":{"surname":"Garcia"}}"#,
        ["FN;DERIVED=TRUE:García García", "N;SORT-AS=Garcia:García,García;;;;;García;"]
      ),
      (
        #""name":{"components":[{"kind":"surname","value":"孙","phonetic":"syun1"},{"kind":"given","value":"逸仙"}],"phoneticSystem":"jyut","phoneticScript":"Latn"}"#,
        ["FN;DERIVED=TRUE:孙逸仙", "N;ALTID=1:孙;逸仙;;;;;", "N;ALTID=1;PHONETIC=jyut;SCRIPT=Latn:syun1;;;;;;"]
      ),
      (
        #""nicknames":{"k":{"name":"Johnny","contexts":{"private":true},"pref":2},"k-2":{"name":"Joe, Jr"}}"#,
        [#"NICKNAME;PROP-ID=k;TYPE=home;PREF=2:Johnny,Joe\, Jr"#]
      ),
      (
        #""organizations":{"o":{"name":"ABC, Inc.","units":[{"name":"North"},{"name":"Sales","sortAs":"s"}],"sortAs":"abc"}}"#,
        [#"ORG;PROP-ID=o;SORT-AS=abc,,s:ABC\, Inc.;North;Sales"#]
      ),
      (
        #""titles":{"a":{"name":"Boss"},"b":{"kind":"role","name":"Lead","organizationId":"o"}}"#,
        ["TITLE;PROP-ID=a:Boss", "ROLE;PROP-ID=b:Lead", #"JSPROP;JSPTR=titles/b/organizationId:"o""#]
      ),
      (
        #""emails":{"e":{"address":"a@b.example","label":"Büro","contexts":{"work":true},"pref":1}}"#,
        ["item1.EMAIL;PROP-ID=e;TYPE=work;PREF=1:a@b.example", "item1.X-ABLabel:Büro"]
      ),
      (
        #""phones":{"p":{"number":"tel:+33-01;ext=5","features":{"mobile":true,"voice":true,"x.example:f":true},"contexts":{"private":true}}}"#,
        [
          #"TEL;VALUE=uri;PROP-ID=p;TYPE=home,cell,voice:tel:+33-01;ext=5"#,
          #"JSPROP;JSPTR="phones/p/features/x.example:f":true"#,
        ]
      ),
      (
        #""onlineServices":{"a":{"uri":"xmpp:a@b.example","vCardName":"impp"},"b":{"service":"Mastodon","user":"@t","uri":"https://m.example/@t","pref":3},"c":{"user":"joe","vCardName":"x-skype"},"d":{"service":"WeChat","user":"t_m"}}"#,
        [
          "IMPP;PROP-ID=a:xmpp:a@b.example",
          "SOCIALPROFILE;PROP-ID=b;PREF=3;SERVICE-TYPE=Mastodon;USERNAME=@t:https://m.example/@t",
          "X-SKYPE;PROP-ID=c:joe", "SOCIALPROFILE;VALUE=text;PROP-ID=d;SERVICE-TYPE=WeChat:t_m",
        ]
      ),
      (
        #""preferredLanguages":{"l":{"language":"de-AT","contexts":{"work":true},"pref":1}},"language":"de""#,
        ["LANG;PROP-ID=l;TYPE=work;PREF=1:de-AT", "LANGUAGE:de"]
      ),
      (
        #""speakToAs":{"grammaticalGender":"neuter","pronouns":{"k":{"pronouns":"they/them","pref":2}}}"#,
        ["GRAMGENDER:neuter", "PRONOUNS;PROP-ID=k;PREF=2:they/them"]
      ),
      (
        #""addresses":{"a":{"contexts":{"billing":true},"components":[{"kind":"number","value":"54321"},{"kind":"separator","value":" "},{"kind":"name","value":"Oak St"},{"kind":"locality","value":"Reston"}],"defaultSeparator":", ","isOrdered":true,"countryCode":"US","timeZone":"America/New_York","coordinates":"geo:1.5,2","full":"54321 Oak\nReston"}}"#,
        [
          #"ADR;PROP-ID=a;JSCOMPS="s,\, ;10;s, ;11;3";TYPE=billing;CC=US;GEO="geo:1.5,2";TZ=America/New_York;LABEL=54321 Oak^nReston:;;54321 Oak St;Reston;;;;;;;54321;Oak St;;;;;;"#
        ]
      ),
      (
        #""addresses":{"a":{"components":[{"kind":"name","value":"Oak St 3"},{"kind":"apartment","value":"7b"}]},"b":{"coordinates":"geo:1,2"},"c":{"timeZone":"Asia/Tokyo"},"d":{"full":"Somewhere"},"e":{"countryCode":"DE"}}"#,
        [
          "ADR;PROP-ID=a:;7b;Oak St 3;;;;", #"GEO;PROP-ID=b:geo:1\,2"#, "TZ;PROP-ID=c:Asia/Tokyo",
          "ADR;PROP-ID=d;LABEL=Somewhere:;;;;;;", #"JSPROP;JSPTR=addresses/e:{"countryCode":"DE"}"#,
        ]
      ),
      (
        #""anniversaries":{"a":{"kind":"birth","date":{"year":1953,"month":4,"day":15,"calendarScale":"gregorian"},"place":{"full":"Mail Drop"}},"b":{"kind":"death","date":{"@type":"Timestamp","utc":"1996-10-15T23:10:00Z"},"place":{"coordinates":"geo:1,2"}},"c":{"kind":"wedding","date":{"month":6}},"d":{"kind":"birth","date":{"year":1985,"month":2}},"e":{"kind":"wedding","date":{"year":1985}},"f":{"kind":"x.example:moved","date":{"year":1985}}}"#,
        [
          "BDAY;PROP-ID=a;CALSCALE=gregorian:19530415", "BIRTHPLACE:Mail Drop",
          "DEATHDATE;PROP-ID=b:19961015T231000Z", #"DEATHPLACE;VALUE=uri:geo:1\,2"#, "ANNIVERSARY;PROP-ID=c:--06",
          "BDAY;PROP-ID=d:1985-02",
          "ANNIVERSARY;PROP-ID=e:1985",
          #"JSPROP;JSPTR=anniversaries/f:{"kind":"x.example:moved"\,"date":{"year":1985}}"#,
        ]
      ),
      (#""keywords":{"choir":true,"Alt, hoch":true}"#, [#"CATEGORIES:choir,Alt\, hoch"#]),
      (#""kind":"group","members":{"urn:uuid:1":true,"b":true}"#, ["KIND:group", "MEMBER:urn:uuid:1", "MEMBER:b"]),
      (
        #""relatedTo":{"urn:uuid:1":{"relation":{"friend":true,"met":true}},"Ben Marsch":{"relation":{"spouse":true}},"Al":{}}"#,
        [
          "RELATED;TYPE=friend,met:urn:uuid:1", "RELATED;VALUE=text;TYPE=spouse:Ben Marsch", "RELATED;VALUE=text:Al",
          "JSPROP;JSPTR=relatedTo/Al:{}",
        ].dropLast()
      ),
      (
        #""notes":{"n":{"note":"a\nb","author":{"uri":"mailto:a@b.example","name":"Anna"},"created":"2022-11-22T15:18:23Z"}}"#,
        [#"NOTE;PROP-ID=n;AUTHOR="mailto:a@b.example";AUTHOR-NAME=Anna;CREATED=20221122T151823Z:a\nb"#]
      ),
      (
        #""personalInfo":{"a":{"kind":"expertise","value":"chemistry","level":"high","listAs":1},"b":{"kind":"hobby","value":"reading","level":"low"},"c":{"kind":"x.example:y","value":"z"}}"#,
        [
          "EXPERTISE;PROP-ID=a;LEVEL=expert;INDEX=1:chemistry", "HOBBY;PROP-ID=b;LEVEL=low:reading",
          #"JSPROP;JSPTR=personalInfo/c:{"kind":"x.example:y"\,"value":"z"}"#,
        ]
      ),
      (
        #""links":{"a":{"uri":"https://a.example/b,c","label":"Blog"},"b":{"kind":"contact","uri":"mailto:x@y.example"}},"media":{"m":{"kind":"logo","uri":"https://a.example/l.png","mediaType":"image/png"},"s":{"kind":"sound","uri":"data:audio/ogg;base64,AAAA"}}"#,
        [
          #"item1.URL;PROP-ID=a:https://a.example/b\,c"#, "item1.X-ABLabel:Blog",
          "CONTACT-URI;PROP-ID=b:mailto:x@y.example", "LOGO;PROP-ID=m;MEDIATYPE=image/png:https://a.example/l.png",
          "SOUND;PROP-ID=s:data:audio/ogg;base64,AAAA",
        ]
      ),
      (
        #""calendars":{"a":{"kind":"calendar","uri":"webcal://a.example"},"b":{"kind":"freeBusy","uri":"https://f.example","pref":1}},"schedulingAddresses":{"a":{"uri":"mailto:a@b.example"}},"cryptoKeys":{"k":{"uri":"https://k.example","mediaType":"application/pgp-keys"}},"directories":{"a":{"kind":"entry","uri":"https://d.example"},"b":{"kind":"directory","uri":"ldap://d.example","listAs":2}}"#,
        [
          "CALURI;PROP-ID=a:webcal://a.example", "FBURL;PROP-ID=b;PREF=1:https://f.example",
          "CALADRURI;PROP-ID=a:mailto:a@b.example", "KEY;PROP-ID=k;MEDIATYPE=application/pgp-keys:https://k.example",
          "SOURCE;PROP-ID=a:https://d.example", "ORG-DIRECTORY;PROP-ID=b;INDEX=2:ldap://d.example",
        ]
      ),
      (
        #""prodId":"x","created":"2022-09-30T14:35:10Z","updated":"2021-10-31T22:27:10Z""#,
        ["PRODID:x", "CREATED:20220930T143510Z", "REV:20211031T222710Z"]
      ),
      (
        #""titles":{"t":{"name":"Boss"}},"name":{"full":"Ann"},"localizations":{"de":{"titles/t/name":"Chefin","name/full":"Anna"},"fr":{"emails":null}}"#,
        [
          "TITLE;PROP-ID=t;ALTID=t:Boss", "FN;ALTID=1:Ann", "TITLE;PROP-ID=t;ALTID=t;LANGUAGE=de:Chefin",
          "FN;ALTID=1;LANGUAGE=de:Anna", #"JSPROP;JSPTR=localizations/fr:{"emails":null}"#,
        ]
      ),
      (
        #""vCardProps":[["x-a",{"group":"item1","x-p":["1","2"]},"unknown","v,;"],["gender",{},"text","M"]]"#,
        ["item1.X-A;X-P=1,2:v,;", "GENDER:M"]
      ),
      (
        #""emails":{"e":{"address":"a@b.example","label":"L","vCardParams":{"group":"item1","pid":"1.1"}}},"phones":{"p":{"number":"1","vCardParams":{"group":"item1"}}}"#,
        ["item1.EMAIL;PROP-ID=e;PID=1.1:a@b.example", "item1.X-ABLabel:L", "item1.TEL;PROP-ID=p:1"]
      ),
      (
        #""hairColor":"red","x.example:a/b":{"deep":[1,2.50,1e400,{"~":null}]},"emails":{"e":{"address":"a@b.example","x.example:c":"\"\\"}}"#,
        [
          "EMAIL;PROP-ID=e:a@b.example", #"JSPROP;JSPTR=hairColor:"red""#,
          #"JSPROP;JSPTR="x.example:a~1b":{"deep":[1\,2.50\,1e400\,{"~":null}]}"#,
          #"JSPROP;JSPTR="emails/e/x.example:c":"\\"\\\\""#,
        ]
      ),
    ] as [(String, [String])])
  func membersAndTheirLines(_ members: String, _ expected: [String]) throws {
    let card = try card(members)
    let found = card.lines.map(\.verbatim).filter { $0 != "UID:u" }
    #expect(found == expected)
    let contact = ContactCardReader().read(card).contact
    let original = try JSONValue(json: Array("{\(members)}".utf8))
    let written = try written(contact)
    #expect(written.extends(original), "\(written.json)")
    guard contact.cardLines.contains(where: { $0.hasPrefix("FN") }) else { return }
    let again = try #require(try JSContactReader.card(of: Array(written.json.utf8)))
    let theirs = ContactCardReader().read(again).contact.cardLines
    #expect(ContactCardWriter().writes(theirs, for: contact), "\(theirs)")
  }

  /// Lines of a vCard without a counterpart in the tables above, and the members for them.
  @Test(
    arguments: [
      (["ORG:A", "GENDER:M", "XML:<a/>"], #""vCardProps":[["gender",{},"text","M"],["xml",{},"text","<a/>"]]"#),
      (
        ["TEL;TYPE=x-car,home;PID=1.1:1"],
        #""phones":{"p1":{"number":"1","contexts":{"private":true},"vCardParams":{"type":"x-car","pid":"1.1"}}}"#
      ),
      (
        ["item1.X-ABDATE:20010203", "item1.X-ABLabel:First"],
        #""vCardProps":[["x-abdate",{"group":"item1"},"unknown","20010203"],["x-ablabel",{"group":"item1"},"unknown","First"]]"#
      ),
      (
        ["item1.X-ABRELATEDNAMES:Ann", "item1.X-ABLabel:_$!<Mother>!$_"],
        #""relatedTo":{"Ann":{"relation":{"mother":true}}}"#
      ),
      (
        ["N:曾;国藩;;;", "X-PHONETIC-LAST-NAME:zeng"],
        #""name":{"components":[{"kind":"surname","value":"曾","phonetic":"zeng"},{"kind":"given","value":"国藩"}],"phoneticScript":"Latn"}"#
      ),
      (["BDAY;VALUE=text:spring"], #""vCardProps":[["bday",{},"text","spring"]]"#),
      (["TZ;VALUE=utc-offset:-0500"], #""vCardProps":[["tz",{},"utc-offset","-05:00"]]"#),
      (["KEY;VALUE=text:abc"], #""vCardProps":[["key",{},"text","abc"]]"#),
      (["item1.TEL:1", "item1.X-ABLabel:Boat"], #""phones":{"p1":{"number":"1","label":"Boat"}}"#),
      (
        ["ADR:;;Oak St 3, back;Reston;;;"],
        #""addresses":{"a1":{"components":[{"kind":"name","value":"Oak St 3"},{"kind":"name","value":" back"},{"kind":"locality","value":"Reston"}]}}"#
      ),
    ] as [([String], String)])
  func linesAndTheirMembers(_ lines: [String], _ members: String) throws {
    let card = Card(version: .v40, lines: CardLine.lines(["UID:u", "FN:A"] + lines, version: .v40))
    let contact = ContactCardReader().read(card).contact
    let written = try written(contact)
    #expect(written.extends(try JSONValue(json: Array("{\(members)}".utf8))), "\(written.json)")
    let back = try #require(try JSContactReader.card(of: Array(written.json.utf8)))
    var other = ContactCardReader().read(back).contact
    #expect(ContactCardWriter().writes(other.cardLines, for: contact), "\(other.cardLines)")
    other.cardLines = contact.cardLines
    #expect(other == contact)
  }

  @Test func whatAnEditMakesOutdatedIsGone() throws {
    var contact = ContactCardReader().read(
      try card(
        #""name":{"components":[{"kind":"given","value":"A"},{"kind":"x.example:clan","value":"C"}]},"phones":{"p":{"number":"1","x.example:rate":3},"q":{"number":"2","x.example:rate":4}}"#
      )
    ).contact
    #expect(try written(contact).json.contains("clan"))
    contact.given = "B"
    contact.phones[0].value = "+49 77"
    contact.phones.remove(at: 1)
    let card = try written(contact)
    #expect(!card.json.contains("clan"))
    #expect(card.members?[["phones", "p", "x.example:rate"]] == .number("3") && card.members?[["phones", "q"]] == nil)
  }

  /// A card that cannot be read says where, and nothing of it is read.
  @Test(
    arguments: [
      (#""emails":"a@b.example""#, ContactJSONError.wrongType(path: "emails", expected: .object)),
      (#""emails":{"e":["a"]}"#, .wrongType(path: "emails.e", expected: .object)),
      (#""emails":{"e":{"address":7}}"#, .wrongType(path: "emails.e.address", expected: .text)),
      (#""emails":{"e":{"address":"a@b","pref":1e99}}"#, .wrongType(path: "emails.e.pref", expected: .integer)),
      (#""emails":{"e":{"address":"a@b","contexts":[]}}"#, .wrongType(path: "emails.e.contexts", expected: .object)),
      (#""name":[]"#, .wrongType(path: "name", expected: .object)),
      (#""name":{"components":{}}"#, .wrongType(path: "name.components", expected: .list)),
      (
        #""name":{"components":[{"kind":"given","value":null}]}"#,
        .wrongType(path: "name.components[0].value", expected: .text)
      ),
      (#""organizations":{"o":{"units":"x"}}"#, .wrongType(path: "organizations.o.units", expected: .list)),
      (
        #""anniversaries":{"a":{"kind":"birth","date":"1990"}}"#,
        .wrongType(path: "anniversaries.a.date", expected: .object)
      ),
      (#""keywords":["a"]"#, .wrongType(path: "keywords", expected: .object)),
      (#""created":5"#, .wrongType(path: "created", expected: .text)),
      (#""vCardProps":{}"#, .wrongType(path: "vCardProps", expected: .list)),
      (#""localizations":{"de":[]}"#, .wrongType(path: "localizations.de", expected: .object)),
    ] as [(String, ContactJSONError)])
  func aWrongTypeIsAnError(_ members: String, _ expected: ContactJSONError) {
    #expect(throws: expected) { try card(members) }
  }

  @Test func hostileCards() throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    #expect(throws: ContactJSONError.self) { try card("\"x\":\(deep)") }
    let nested = String(repeating: "{\"a\":", count: 90) + "1" + String(repeating: "}", count: 90)
    #expect(try lines("\"x\":\(nested)").count == 1)
    let year = #""anniversaries":{"a":{"kind":"birth","date":{"year":99999999999999999999,"month":1,"day":1}}}"#
    #expect(try lines(year).map { $0.prefix(6) } == ["JSPROP"])
    #expect(throws: ContactJSONError.invalidValue(path: "emails", value: "")) {
      try card(#""emails":{"":{"address":"a@b.example"}}"#)
    }
    let phones = try lines(#""phones":{"a\nb:;\",":{"number":"1\r\nX:2"}}"#)
    #expect(phones == [#"TEL;PROP-ID="a^nb:;^',":1\nX:2"#])
    for text in ["{", "{}", "[]", "\"@type\"", #"{"@type":["Card"]}"#, #"{"@type":"card"}"#] {
      #expect((try? JSContactReader.card(of: Array(text.utf8))) == nil)
    }
  }

  // MARK: - Nothing is lost

  /// What a line says, however it is written.
  private func content(_ line: CardLine) -> String {
    let ignored: Set<String> = ["PROP-ID", "VALUE", "TYPE", "PREF", "JSCOMPS", "DERIVED", "ALTID"]
    let others = line.parameters.filter { !ignored.contains($0.name) }
      .map { "\($0.name.replacing("X-SERVICE", with: "SERVICE"))=\($0.values.sorted())" }
    let types = line.types.filter { $0 != "pref" }.sorted()
    var value = line.text.trimmed
    if line.isNamed("REV") { value = CardTime.extended(value) }
    if JCardTypes.structured.contains(line.key) { while value.hasSuffix(";") { value.removeLast() } }
    return ([line.key, value, "\(types)", "\(line.preference ?? 0)"] + others.sorted()).joined(separator: " ")
  }

  @Test func aRandomCardComesBack() throws {
    let first = UInt64.random(in: 0...UInt64.max / 2)
    print("seeds from \(first)")
    for seed in first..<first + 200 {
      var random = SeededGenerator(seed: seed)
      let version = [CardVersion.v40, .v40, .v30].randomElement(using: &random) ?? .v40
      let lines = RandomCard.lines(version, using: &random)
      var contact = ContactCardReader().read(Card(version: version, lines: CardLine.lines(lines, version: version)))
        .contact
      if Bool.random(using: &random) { _ = RandomCard.edit(&contact, using: &random) }
      let text = JSContactWriter().text(of: contact, photo: nil)
      let card = try #require(try JSContactReader.card(of: Array(text.utf8)), "seed \(seed)")
      let own = ContactCardWriter(version: .v40).card(for: contact).lines
      let expected = ContactCardReader().read(Card(version: .v40, lines: own)).contact
      var back = ContactCardReader().read(card).contact
      let missing = Set(
        own.filter { !["CATEGORIES", "X-ABLABEL", "X-PHONETIC-FIRST-NAME"].contains($0.key) }.map(content)
      ).subtracting(
        card.lines.map(content))
      #expect(missing.isEmpty, "seed \(seed): \(missing.sorted()) of\n\(text)")
      back.cardLines = expected.cardLines
      #expect(back == expected, "seed \(seed)")
    }
  }
}
