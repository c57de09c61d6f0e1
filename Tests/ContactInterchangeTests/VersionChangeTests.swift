import Contacts
import Testing
import VCard

@testable import ContactInterchange

/// A change of version converts values, names and parameters.
@Suite struct VersionChangeTests {
  private func converted(_ lines: [String], _ version: CardVersion, to target: CardVersion) -> [String] {
    let card = Card(version: version, lines: CardLine.lines(lines, version: version))
    let contact = ContactCardReader().read(card).contact
    return ContactCardWriter(version: target).card(for: contact).lines.map(\.verbatim)
  }

  @Test(arguments: [
    ("GEO:46.8015;8.2268", "GEO:geo:46.8015,8.2268"), ("REV:2024-05-06T07:08:09Z", "REV:20240506T070809Z"),
    ("TZ:-05:00", "TZ;VALUE=utc-offset:-0500"), ("TZ;VALUE=text:Europe/Berlin", "TZ:Europe/Berlin"),
    ("KEY;ENCODING=b;TYPE=PGP:AQID", "KEY:data:application/pgp-keys;base64,AQID"),
    ("KEY;ENCODING=b;TYPE=X509:AQID", "KEY:data:application/pkix-cert;base64,AQID"),
    ("SOUND;ENCODING=b;TYPE=BASIC:AQID", "SOUND:data:audio/basic;base64,AQID"),
    ("LOGO;ENCODING=b;TYPE=GIF:AQID", "LOGO:data:image/gif;base64,AQID"),
    ("AGENT;VALUE=uri:urn:uuid:1", "RELATED;TYPE=agent:urn:uuid:1"), ("MAILER:m", "X-MAILER:m"),
    ("CLASS:PRIVATE", "X-CLASS:PRIVATE"),
    ("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:1", "MEMBER:urn:uuid:1"),
  ])
  func propertiesBecomeThoseOfTheOtherVersion(_ old: String, _ new: String) {
    #expect(converted(["N:;A;;;", "FN:A", old], .v30, to: .v40).last == new)
    let lines = converted(["FN:A", new], .v40, to: .v30)
    let back = ["REV:2024-05-06T07:08:09Z", "CLASS:PRIVATE"].contains(old) || old.contains("VALUE") ? old : lines.last
    #expect(lines.last == back)
    #expect(lines.last.map { $0.prefix { $0 != ";" && $0 != ":" } } == old.prefix { $0 != ";" && $0 != ":" })
  }

  /// Before 4.0, their values are binary by default.
  @Test(arguments: ["PHOTO", "LOGO", "SOUND", "KEY"]) func urisAreDeclared(property: String) {
    let line = property + ":http://a.example/x"
    #expect(converted(["FN:A", line], .v40, to: .v30).contains(property + ";VALUE=uri:http://a.example/x"))
    #expect(converted(["FN:A", line], .v40, to: .v21).contains(property + ";VALUE=URL:http://a.example/x"))
    #expect(converted(["FN:A", "KEY;VALUE=text:a://b"], .v40, to: .v30).contains("KEY;VALUE=text:a://b"))
  }

  @Test func timesOfBirthdaysAreConverted() {
    let lines = ["N:;A;;;", "FN:A", "BDAY;VALUE=date-time:1970-01-02T03:04:05-06:00"]
    #expect(converted(lines, .v30, to: .v40).last == "BDAY:19700102T030405-0600")
    #expect(converted(["FN:A", "BDAY:19700102T030405-0600"], .v40, to: .v30).contains(lines[2]))
  }

  @Test func labelsAreAParameterIn4() {
    let lines = [
      "N:;A;;;", "FN:A", "ADR;TYPE=home:;;Weg 7;Ulm;;;", #"LABEL;TYPE=home:Weg 7\nUlm"#,
      #"LABEL;TYPE=work:Kai 5\nKiel"#,
    ]
    let new = converted(lines, .v30, to: .v40)
    #expect(
      new.suffix(2) == ["ADR;TYPE=home;LABEL=Weg 7^nUlm:;;Weg 7;Ulm;;;", "ADR;TYPE=work;LABEL=Kai 5^nKiel:;;;;;;"])
    #expect(Array(converted(Array(new.dropFirst()), .v40, to: .v30).suffix(3)) == Array(lines.suffix(3)))
  }

  @Test func sortTextsAreAParameterIn4() {
    let lines = ["N:de Vries;Jet;;;", "FN:Jet de Vries", "SORT-STRING:Vries"]
    let new = converted(lines, .v30, to: .v40)
    #expect(new == ["N;SORT-AS=Vries:de Vries;Jet;;;", "FN:Jet de Vries"])
    #expect(Set(converted(new, .v40, to: .v30)) == Set(lines))
  }

  @Test func earlierVersionsHaveOneName() {
    let lines = ["FN:陆青川", "N;ALTID=1;LANGUAGE=zh:陆;青川;;;", "N;ALTID=1;LANGUAGE=en:Lu;Qingchuan;;;"]
    #expect(converted(lines, .v40, to: .v30).filter { $0.hasPrefix("N") }.count == 1)
    let read = ["FN:陆青川", "N;ALTID=1;PHONETIC=piny:lu4;qing1chuan1;;;", "N;ALTID=1:陆;青川;;;"]
    #expect(
      converted(read, .v40, to: .v30).filter { $0.hasPrefix("X-") }
        == ["X-PHONETIC-LAST-NAME:lu4", "X-PHONETIC-FIRST-NAME:qing1chuan1"])
  }

  @Test func namesBecomeLegal() {
    let lines = [
      "N:;A;;;", "FN:A", "TEL;X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=48=C3=BCtte):1",
      "X-MESSAGING/XMPP-ALL;x user=o:a",
    ]
    let new = converted(lines, .v21, to: .v40)
    #expect(new.contains("item1.TEL:1") && new.contains("item1.X-ABLabel:Hütte"))
    #expect(new.contains("X-MESSAGING-XMPP-ALL;X-USER=o:a"))
  }

  @Test func relationsKeepTheirWord() {
    let lines = ["FN:A", "RELATED;VALUE=text;TYPE=brother,sibling:Jon"]
    let old = converted(lines, .v40, to: .v30)
    #expect(old.contains("item1.X-ABRELATEDNAMES:Jon") && old.contains("item1.X-ABLabel:_$!<Brother>!$_"))
  }
}
