import Testing

@testable import LDAPDirectory

/// URLs of directories (RFC 4516).
@Suite struct DirectoryURLTests {
  @Test func aHostIsEnough() throws {
    let url = try DirectoryURL("ldap://ldap.example.com")
    #expect(url.server == "ldap://ldap.example.com")
    #expect(url.base.isEmpty && url.attributes.isEmpty && url.scope == .sub && url.filter == nil && url.user == nil)
    #expect(!url.isLoopback)
    #expect(try DirectoryURL("LDAPS://Example.COM:1636/").server == "ldaps://Example.COM:1636")
  }

  @Test func allPartsAreRead() throws {
    let url = try DirectoryURL(
      "ldap://h:389/ou=People,dc=example,dc=com?cn,mail?one?(ou=Sales%3f)?bindname=cn=Me%2cdc=example,other=1")
    #expect(url.port == 389)
    #expect(url.base == "ou=People,dc=example,dc=com")
    #expect(url.attributes == ["cn", "mail"])
    #expect(url.scope == .one)
    #expect(url.filter == "(ou=Sales?)")
    #expect(url.user == "cn=Me,dc=example")
    #expect(try DirectoryURL("ldap://h/??base?mail=*").filter == "(mail=*)")
    #expect(try DirectoryURL("ldap://h/o=%E4%B8%AD?*").base == "o=中")
  }

  @Test func addressesOfThisMachineAreRecognized() throws {
    for host in ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"] {
      #expect(try DirectoryURL("ldap://\(host):1389").isLoopback, "\(host)")
    }
    for host in ["127.0.0.1.example.com", "[2001:db8::1]", "localhost.example.com"] {
      #expect(try !DirectoryURL("ldap://\(host)").isLoopback, "\(host)")
    }
    #expect(try DirectoryURL("ldap://[2001:db8::1]:389").server == "ldap://[2001:db8::1]:389")
  }

  @Test(arguments: [
    ("http://h", DirectoryURL.Problem.scheme), ("ldapi://%2Fvar", .scheme), ("ldap:h", .scheme), ("ldap://", .host),
    ("ldap:///dc=example", .host), ("ldap://a b", .host), ("ldap://a,b", .host), ("ldap://[1::2", .host),
    ("ldap://[x]", .host), ("ldap://h?cn", .host), ("ldap://h:0", .port), ("ldap://h:99999", .port),
    ("ldap://h:x", .port), ("ldap://h:+1", .port), ("ldap://[::1]9", .port), ("ldap://h/%zz", .encoding),
    ("ldap://h/%4", .encoding), ("ldap://h/%00", .encoding), ("ldap://h/%ff", .encoding), ("ldap://h/??all", .scope),
    ("ldap://h/???(a=b", .filter), ("ldap://h/???(a=b)(c=d)", .filter), ("ldap://h/???a=b)(c=d", .filter),
    ("ldap://h/????!x=1", .extension), ("ldap://h/????a?b", .extension),
  ])
  func invalidAddressesAreRefused(text: String, problem: DirectoryURL.Problem) {
    #expect(throws: problem) { try DirectoryURL(text) }
  }

  @Test func anLDAPAddressIsRecognizedByItsScheme() {
    #expect(DirectoryURL.hasLDAPScheme("ldap://") && DirectoryURL.hasLDAPScheme("LDAPS://h"))
    #expect(!DirectoryURL.hasLDAPScheme("ldap.db") && !DirectoryURL.hasLDAPScheme("/tmp/ldap://h"))
  }
}
