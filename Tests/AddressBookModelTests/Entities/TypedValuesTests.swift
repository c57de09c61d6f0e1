import Contacts
import Testing

@testable import AddressBookModel

/// What is typed or pasted as a number or an address.
struct TypedValuesTests {
  private func values(_ text: String, _ name: String) throws -> TypedValues {
    let field = try #require(ContactFields.standard.values.first { $0.name == name })
    return TypedValues(text, in: field)
  }

  @Test(arguments: [
    ("ann@x.example", ["ann@x.example"], ""), ("mailto:ann@x.example", ["ann@x.example"], ""),
    ("MAILTO:ann@x.example?subject=Hi", ["ann@x.example"], ""),
    ("Ann Ames <ann@x.example>", ["ann@x.example"], "Ann Ames"),
    ("<ann@x.example>", ["ann@x.example"], ""), ("<mailto:ann@x.example>", ["ann@x.example"], ""),
    ("a@x.example, b@x.example", ["a@x.example", "b@x.example"], ""),
    ("A <a@x.example>; \"B, C\" <b@x.example>;", ["a@x.example", "b@x.example"], "A"),
    ("\u{FEFF}ann@x.example\u{200B}", ["ann@x.example"], ""), ("ann@x.example (Ann)", ["ann@x.example"], "Ann"),
    ("$(id)@x.example", ["$(id)@x.example"], ""),
    // Anything else stays as it is.
    ("ann at x.example", ["ann at x.example"], ""), ("a@x.example, ask Bob", ["a@x.example, ask Bob"], ""),
    ("Ann <ann@", ["Ann <ann@"], ""), ("friends: a@x.example;", ["friends: a@x.example;"], ""), ("", [""], ""),
    ("\"john doe\"@x.example", ["\"john doe\"@x.example"], ""),
  ])
  func emails(text: String, values: [String], name: String) throws {
    let typed = try self.values(text, "emails")
    #expect(typed.values == values && typed.name == name, "\(text)")
  }

  @Test func invisibleMarks() throws {
    #expect(try values("\u{202A}+49 30\u{00AD} 1\u{202C}", "phones").values == ["+49 30 1"])
    #expect(try values("\u{2060}https://x.example/\u{200E}", "urls").values == ["https://x.example/"])
    #expect(try values("https://علی\u{200C}رضا.example", "urls").values == ["https://علی\u{200C}رضا.example"])
    #expect(try values("a\u{200B}b", "related").values == ["a\u{200B}b"])
  }

  /// A name is taken only by a contact that has none.
  @Test func names() throws {
    let typed = try values("Ann Ames <ann@x.example>", "emails")
    var contact = Contact()
    contact.takeName(of: typed)
    #expect(contact.formattedName == "Ann Ames")
    var known = Contact()
    known.given = "Ann"
    known.takeName(of: typed)
    #expect(known.formattedName.isEmpty)
  }
}
