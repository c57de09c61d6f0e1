import Testing

@testable import Contacts

/// White space around a text, and percent-encoding.
@Suite struct WrittenTextTests {
  @Test(arguments: [
    ("", ""), (" ", ""), ("\r\n\t", ""), ("a", "a"), (" a b\n", "a b"), ("\u{3000}李 小龙\u{A0}", "李 小龙"),
    ("\u{200B}a", "\u{200B}a"),
  ])
  func whiteSpaceIsTrimmed(text: String, trimmed: String) { #expect(text.trimmed == trimmed) }

  @Test func bytesThatAreNotKeptAreEncoded() {
    #expect(PercentEncoding.encode("aZ09-._~".utf8, keeping: "-._~") == "aZ09-._~")
    #expect(PercentEncoding.encode("a b%李\u{7F}".utf8, keeping: "-") == "a%20b%25%E6%9D%8E%7F")
    #expect(PercentEncoding.encode("-/".utf8, keeping: "/") == "%2D/")
  }
}
