import Contacts
import Testing

@testable import ContactInterchange

@Suite struct ContactJSONTests {
  private func sample() -> Contact {
    var contact = Contact()
    contact.id = 1
    contact.uid = "u"
    contact.family = "曾"
    contact.given = "国藩"
    contact.phones = [LabeledValue(label: "mobile", value: "138 0000 1111")]
    contact.emails = [LabeledValue(label: "home", value: "a@example.com")]
    contact.addresses = [PostalAddress(label: "home", city: "湘乡")]
    contact.urls = [LabeledValue(value: "http://a")]
    contact.birthday = PartialDate("1811-11-26")
    contact.note = "\"q\"\\\n\u{1B}\u{2028}\u{9B}"
    contact.groups = ["a", "b"]
    contact.photo = PhotoSummary(mediaType: "image/png", bytes: 12, sha256: "ab")
    contact.created = "2026-01-01T00:00:00Z"
    contact.modified = "2026-01-02T00:00:00Z"
    return contact
  }

  @Test func keysAreInTheirOrder() {
    let expected =
      #"{"id": 1, "uid": "u", "kind": "person", "section": "Z", "name": "曾国藩", "#
      + #""prefix": "", "given": "国藩", "middle": "", "family": "曾", "suffix": "", "#
      + #""phoneticGiven": "", "phoneticFamily": "", "nickname": "", "organization": "", "department": "", "title": "", "#
      + #""phones": [{"label": "mobile", "value": "138 0000 1111"}], "emails": [{"label": "home", "value": "a@example.com"}], "#
      + #""addresses": [{"label": "home", "poBox": "", "extended": "", "street": "", "city": "湘乡", "region": "", "postalCode": "", "country": ""}], "#
      + #""urls": [{"label": "", "value": "http://a"}], "dates": [], "handles": [], "related": [], "languages": [], "#
      + #""birthday": "1811-11-26", "note": "\"q\"\\\n\u001b\u2028\u009b", "groups": ["a", "b"], "#
      + #""photo": {"bytes": 12, "sha256": "ab"}, "created": "2026-01-01T00:00:00Z", "modified": "2026-01-02T00:00:00Z", "score": 1.5}"#
    #expect(ContactJSON.encode(sample(), section: "Z", additions: [("score", "1.5")]) == expected)
  }

  @Test func whatIsWrittenIsReadBack() throws {
    var contact = sample()
    contact.formattedName = "Tseng Kuo-fan"
    contact.phoneticMiddle = "x"
    contact.dates = [LabeledValue(label: "anniversary", value: "--01-02")]
    let text = ContactJSON.encode(contact, section: "Z", additions: [("score", "2"), ("matches", "[]")])
    var read = try ContactJSON.decode(Array(text.utf8))
    read.photo = contact.photo
    #expect(read == contact)
    let empty = try ContactJSON.decode(Array(ContactJSON.encode(Contact(), section: "#").utf8))
    #expect(empty == Contact())
  }

  @Test func absentKeysLeaveFieldsUnchanged() throws {
    let base = sample()
    let changed = try ContactJSON.decode(Array(#"{"title": "t", "phones": [], "birthday": null}"#.utf8), onto: base)
    #expect(changed.title == "t" && changed.phones.isEmpty && changed.birthday == nil && changed.emails == base.emails)
    var named = base
    named.formattedName = "X"
    let renamed = try ContactJSON.decode(Array(#"{"name": "X", "given": "y"}"#.utf8), onto: named)
    #expect(renamed.formattedName == "", "a changed part clears the name that was sent back")
    #expect(try ContactJSON.decode(Array(#"{"name": "Only"}"#.utf8)).formattedName == "Only")
  }

  @Test(
    arguments: [
      (#"{"phone": []}"#, .unknownKey(path: "phone")),
      (
        #"{"phones": [{"label": "a", "value": "1"}, {"label": "b", "number": "1"}]}"#,
        .unknownKey(path: "phones[1].number")
      ),
      (#"{"phones": [{"label": 1, "value": "1"}]}"#, .wrongType(path: "phones[0].label", expected: .text)),
      (#"{"phones": [{"label": "a"}]}"#, .missingKey(path: "phones[0].value")),
      (#"{"phones": {}}"#, .wrongType(path: "phones", expected: .list)),
      (#"{"groups": [null]}"#, .wrongType(path: "groups[0]", expected: .text)),
      (#"{"id": "1"}"#, .wrongType(path: "id", expected: .integer)),
      (#"{"id": true}"#, .wrongType(path: "id", expected: .integer)),
      (#"{"id": 1.5}"#, .wrongType(path: "id", expected: .integer)),
      (#"{"id": 9223372036854775808}"#, .wrongType(path: "id", expected: .integer)),
      (#"{"id": 18446744073709551616}"#, .wrongType(path: "id", expected: .integer)),
      (#"{"version": 1e300}"#, .wrongType(path: "version", expected: .integer)),
      (#"{"birthday": "2019-02-29"}"#, .invalidValue(path: "birthday", value: "2019-02-29")),
      (#"{"dates": [{"value": "soon"}]}"#, .invalidValue(path: "dates[0].value", value: "soon")),
      (#"{"kind": "dog"}"#, .invalidValue(path: "kind", value: "dog")),
      (#"{"photo": 1}"#, .wrongType(path: "photo", expected: .object)),
      ("[]", .notAnObject(path: "")),
    ] as [(String, ContactJSONError)])
  func errorsNameTheProblem(text: String, error: ContactJSONError) {
    #expect(throws: error) { try ContactJSON.decode(Array(text.utf8)) }
  }

  @Test(
    arguments: [
      ("9007199254740993", 9_007_199_254_740_993), ("-9007199254740993", -9_007_199_254_740_993),
      ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("1e3", 1000), ("1.0", 1), ("0", 0),
    ] as [(String, Int64)])
  func integersAreReadExactly(text: String, id: Int64) throws {
    #expect(try ContactJSON.decode(Array(#"{"id": \#(text), "version": \#(text)}"#.utf8)).id == id)
  }

  @Test func invalidJSONIsReported() {
    #expect(throws: ContactJSONError.self) { try ContactJSON.decode(Array("{".utf8)) }
  }
}
