import AddressBookModel
import BookInterchange
import Foundation
import SharedMaterial
import Testing

@testable import AddressBookTUI

struct LinkAddressTests {
  private typealias Refusal = LinkAddress.Refusal

  @Test(arguments: [
    ("https://example.com", "https://example.com"), (" HTTP://Example.com/A?b=c#d ", "http://Example.com/A?b=c#d"),
    ("www.example.com/a", "https://www.example.com/a"), ("http://a.test/$(id)", "http://a.test/$(id)"),
    ("http://a.test/a b\"c`d\\e|f", "http://a.test/a%20b%22c%60d%5Ce%7Cf"), ("http://a.test/%20", "http://a.test/%20"),
    ("https://例子.测试/路", "https://%E4%BE%8B%E5%AD%90.%E6%B5%8B%E8%AF%95/%E8%B7%AF"),
    ("http://[::1]:8080/", "http://[::1]:8080/"), ("http://-o.test", "http://-o.test"),
  ])
  func webLinksKeepValidCharacters(value: String, expected: String) throws {
    #expect(try LinkAddress.web(value).text == expected)
  }

  @Test(arguments: [
    "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "-oProxyCommand=x", "--", "", " ", "http:",
    "http://",
    "http:///etc/passwd", "http:a.test", "https:/a.test", "ftp://a.test", "mailto:a@b", "example.com", "http//a.test",
    "ｈttp://a.test", "java\u{0}script:x", "http://a\u{1b}]0;x\u{7}", "http://a\nb", "\u{202E}http://a",
    "vbscript:http://a",
  ])
  func anythingElseIsRefused(value: String) {
    #expect(throws: Refusal.self) { try LinkAddress.web(value) }
  }

  @Test(arguments: [
    ("lee@example.com", "mailto:lee@example.com"), ("a+b@example.com", "mailto:a+b@example.com"),
    ("x@example.org?bcc=all@evil.test", "mailto:x%40example.org%3Fbcc%3Dall@evil.test"),
    ("-bcc=x@evil.test", "mailto:%2Dbcc%3Dx@evil.test"),
    ("a&b=c;d,e%41@x.test", "mailto:a%26b%3Dc%3Bd%2Ce%2541@x.test"),
    ("爱丽丝@例子.测试", "mailto:%E7%88%B1%E4%B8%BD%E4%B8%9D@%E4%BE%8B%E5%AD%90.%E6%B5%8B%E8%AF%95"),
    ("x@evil.test?cc=y", "mailto:x@evil.test%3Fcc%3Dy"), ("\"a'b\"@x.test", "mailto:%22a%27b%22@x.test"),
  ])
  func mailGoesToExactlyOneAddress(value: String, expected: String) throws {
    #expect(try LinkAddress.email(value).text == expected)
  }

  @Test(arguments: ["", "nobody", "@x.test", "a@", "a b@x.test", "a@x.test\r\nBcc: b@x.test", "a@x.test b@x.test"])
  func invalidEmailAddressesAreRefused(value: String) {
    #expect(throws: Refusal.self) { try LinkAddress.email(value) }
  }

  @Test(arguments: [
    ("139 2222 3333", "tel:13922223333"), ("+852 5555-0101", "tel:+85255550101"),
    ("(0)20/7946.0018", "tel:02079460018"),
    ("＋８６　１３９", "tel:+86139"), ("+1 555 0100 ext. 7", "tel:+15550100;ext=7"), ("5550100x12", "tel:5550100;ext=12"),
    ("tel:+15550100", "tel:+15550100"), ("tel:5550100;ext=3", "tel:5550100;ext=3"), ("110", "tel:110"),
    ("555#12", "tel:555%2312"), ("555*12", "tel:555*12"), ("\u{202A}+86 139\u{202C}", "tel:+86139"),
    ("-5550100", "tel:5550100"),
  ])
  func phoneNumbersBecomeLinks(value: String, expected: String) throws {
    #expect(try LinkAddress.phone(value).text == expected)
  }

  @Test(arguments: [
    "", "+", "*2767*3855#", "tel:*2767*3855%23", "#31#555", "*#06#", "1-800-FLOWERS", "555;phone-context=evil", "1+2",
    "555 ext", "555%23", "call me", "5550100 ext 7 or 8", "555\u{0}", "-o", "٣٤٥",
  ])
  func invalidPhoneNumbersAreRefused(value: String) {
    #expect(throws: Refusal.self) { try LinkAddress.phone(value) }
  }

  /// Whatever a contact contains, the address begins with one of the schemes and is visible ASCII.
  @Test func valuesNeverBecomeOptions() {
    var generator = SystemRandomNumberGenerator()
    let pieces = [
      "-", "http://", "www.", "a", "@", "mailto:", "tel:", "+", "1", "#", "*", " ", "\n", "\u{0}", "é", "例", "$(id)",
      "`", "'",
      "\"", ";", "&", "?", "%", "\u{202E}", "\u{1b}", "ext", "x", ",", "\r\n", "👨‍👩‍👧‍👦",
    ]
    for _ in 0..<5000 {
      let value = (0..<Int.random(in: 0...8, using: &generator))
        .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let addresses = [
        try? LinkAddress.web(value), try? LinkAddress.email(value), try? LinkAddress.phone(value),
      ].compactMap { $0?.text }
      for address in addresses {
        let begins = ["http://", "https://", "mailto:", "tel:"].contains { address.hasPrefix($0) }
        #expect(begins && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(value.debugDescription)")
      }
    }
  }

  @Test(.enabled(if: SharedMaterial.hostileFiles.isNamed, "HOSTILE_CORPUS is not set"))
  func aHostileCardOpensOnlyLinks() throws {
    let folder = SharedMaterial.hostileFiles.path
    let book = try AddressBook.inMemory()
    _ = try Importer(book: book).run([folder + "/url-schemes.vcf"])
    let contact = try #require(try book.contacts(ids: [1]).first)
    let links = contact.links([.url, .email, .phone])
    #expect(links.count == 8)
    #expect(
      links.compactMap { try? $0.address().text } == [
        "http://a.test/$(id)", "mailto:x%40example.org%3Fbcc%3Dall@evil.test", "mailto:%2Dbcc%3Dx@evil.test",
      ])
  }
}
