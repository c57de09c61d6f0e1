import Testing

@testable import LDAPDirectory

/// Typed text as a filter (RFC 4515).
@Suite struct DirectoryFilterTests {
  @Test func eachTermMustBeInSomeAttribute() {
    let text = DirectoryFilter("ann  acme").text(of: "(mail=*)")
    #expect(text.hasPrefix("(&(mail=*)(|(cn=*ann*)(sn=*ann*)"))
    #expect(text.contains("(|(cn=*acme*)"))
    #expect(text.hasSuffix("(sAMAccountName=*acme*)))"))
    #expect(DirectoryFilter(" ").text(of: nil) == DirectoryFilter.people)
  }

  @Test func phrasesStayTogether() {
    #expect(DirectoryFilter("\"li  xiaolong\" acme “a b").terms == ["li xiaolong", "acme", "a b"])
    #expect(DirectoryFilter("a a \"a\"").terms == ["a"])
  }

  @Test func specialCharactersAreEscaped() {
    #expect(DirectoryFilter.escaped("*()\\\0\n李 é") == "\\2a\\28\\29\\5c\\00\\0a李 é")
    let text = DirectoryFilter("*)(uid=*").text(of: nil)
    #expect(text.contains("(cn=*\\2a\\29\\28uid=\\2a*)"))
    #expect(text.utf8.count { $0 == 0x28 } == text.utf8.count { $0 == 0x29 })
  }

  @Test func longInputStaysAShortFilter() {
    let many = (0..<1000).map { "term\($0)" }.joined(separator: " ")
    #expect(DirectoryFilter(many).terms.count == DirectoryFilter.limit.terms)
    #expect(DirectoryFilter(String(repeating: "x", count: 100_000)).terms[0].count == DirectoryFilter.limit.length)
  }
}
