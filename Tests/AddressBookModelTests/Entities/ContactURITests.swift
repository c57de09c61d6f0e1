import Testing

@testable import AddressBookModel

@Suite struct ContactURITests {
  @Test(arguments: [
    "0B3F-4", "urn:uuid:03a0e51f-d1aa-4385-8a53-e29025acd8af", "曾国藩", "a b/c?d#e%f", "e\u{301}", "\u{0}\n", "👨‍👩‍👧",
    "addressbook://book/contact/x",
  ])
  func everyUIDSurvivesARoundTrip(_ uid: String) throws {
    let text = ContactURI(uid: uid).text
    #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    let back = try #require(ContactURI(text))
    #expect(Array(back.uid.unicodeScalars) == Array(uid.unicodeScalars))
  }

  @Test func theFormIsFixed() {
    #expect(ContactURI(uid: "a:b 曾").text == "addressbook://book/contact/a%3Ab%20%E6%9B%BE")
    #expect(ContactURI("ADDRESSBOOK://Book/contact/aB")?.uid == "aB")
    #expect(ContactURI("addressbook://book/contact/a:b")?.uid == "a:b")
  }

  @Test(arguments: [
    "", "x", "addressbook:", "addressbook://book/contact/", "addressbook://book/group/x",
    "addressbook://book/contact/a/b",
    "addressbook://book/contact/a%2", "addressbook://book/contact/%FF", "addressbook://book/contact/a b",
    "addressbook://book/contact/a?b", "addressbook://book/contact/a#b", "addressbook://other/contact/a",
    "http://book/contact/a", "addressbook://book/contact/曾",
  ])
  func invalidURIsAreRefused(_ text: String) { #expect(ContactURI(text) == nil) }
}
