import SeededRandom
import Testing

@testable import Contacts

/// Which contacts are paired, beyond the case files.
@Suite struct DuplicateFinderTests {
  private func contact(_ given: String, _ family: String = "", _ change: (inout Contact) -> Void = { _ in }) -> Contact
  {
    var contact = Contact()
    (contact.given, contact.family) = (given, family)
    change(&contact)
    return contact
  }

  private func reasons(_ contacts: Contact...) throws -> [[DuplicateReason]] { try pairs(contacts).map(\.reasons) }

  private func pairs(_ contacts: [Contact]) throws -> [DuplicatePair] {
    var finder = DuplicateFinder()
    for (index, contact) in contacts.enumerated() {
      var contact = contact
      contact.id = Int64(index + 1)
      finder.add(contact)
    }
    return try finder.pairs()
  }

  private func with(emails: String...) -> (inout Contact) -> Void {
    { contact in contact.emails = emails.map { LabeledValue(value: $0) } }
  }

  private func with(phones: String...) -> (inout Contact) -> Void {
    { contact in contact.phones = phones.map { LabeledValue(value: $0) } }
  }

  @Test func numbersCompareWithAndWithoutTheirCountryCode() throws {
    func same(_ one: String, _ other: String) -> Bool {
      guard let one = DialedNumber(one), let other = DialedNumber(other) else { return false }
      return one.isSame(as: other) && other.isSame(as: one) && !Set(one.keys).isDisjoint(with: other.keys)
    }
    #expect(same("+46 70 111 22 33", "070-1112233") && same("0046701112233", "+46 70 111 22 33"))
    #expect(same("+39 06 1234567", "06 1234567") && same("+86 138 0013 8000", "13800138000"))
    #expect(same("46701112233", "+46701112233"))
    #expect(!same("+46 70 111 22 33", "+47 70 111 22 33") && !same("123456", "123456"))
    #expect(!same("+1 202 555 0100", "555 0100"), "a local number lacks the area code as well")
    #expect(!same("1234567 ext 1", "1234567 ext 2"))
  }

  @Test func aRoleAddressIsNoEvidenceWithoutTheSameName() throws {
    #expect(
      try reasons(contact("Ann", "", with(emails: "info@x")), contact("Ann", "Lee", with(emails: "info@x"))) == [])
    #expect(
      try reasons(contact("Ann", "", with(emails: "a@x")), contact("Ann", "Lee", with(emails: "A@X"))) == [[.email]])
    #expect(try reasons(contact("", "", with(emails: "info@x")), contact("Ann", "Lee", with(emails: "info@x"))) == [])
  }

  @Test func aTypoInTheNameNeedsTheSameEmail() throws {
    let (one, other) = ("Catherine", "Katherine")
    #expect(
      try reasons(contact(one, "Lee", with(emails: "a@x")), contact(other, "Lee", with(emails: "a@x"))) == [[.email]])
    #expect(
      try reasons(contact(one, "Lee", with(phones: "1234567")), contact(other, "Lee", with(phones: "1234567"))) == [])
  }

  @Test func aSharedAccountIsEvidenceUnlessTheNamesDiffer() throws {
    let handle: (inout Contact) -> Void = { $0.handles = [LabeledValue(label: "Jabber", value: "bo")] }
    #expect(try reasons(contact("Bo", "Ek", handle), contact("Bo", "", handle)) == [[.handle]])
    #expect(try reasons(contact("", "", handle), contact("Bo", "Ek", handle)) == [[.handle]])
    #expect(try reasons(contact("Bo", "Ek", handle), contact("Ann", "Lee", handle)) == [])
  }

  @Test func aSharedWebsiteCountsOnlyWithoutDifferences() throws {
    let link: (inout Contact) -> Void = { $0.urls = [LabeledValue(value: "HTTPS://Acme.example/")] }
    let other: (inout Contact) -> Void = { $0.urls = [LabeledValue(value: "https://acme.example")] }
    #expect(try reasons(contact("Bo", "Ek", link), contact("Bo", "Ek", other)) == [[.link, .name]])
    let withEmail: (inout Contact) -> Void = { contact in
      link(&contact)
      contact.emails = [LabeledValue(value: "bo@x")]
    }
    let otherEmail: (inout Contact) -> Void = { contact in
      link(&contact)
      contact.emails = [LabeledValue(value: "bo@y")]
    }
    #expect(try reasons(contact("Bo", "Ek", withEmail), contact("Bo", "Ek", otherEmail)) == [])
  }

  @Test func anOrganizationAsTheOnlyNameIsNoExtraEvidence() throws {
    let employee: (inout Contact) -> Void = { $0.organization = "Acme" }
    #expect(try reasons(contact("", "", employee), contact("", "", employee)) == [])
    #expect(try reasons(contact("Bo", "Ek", employee), contact("Bo", "Ek", employee)) == [[.name, .organization]])
  }

  @Test func aGenerationSuffixNeedsMoreThanASharedNumber() throws {
    let junior: (inout Contact) -> Void = { contact in
      contact.suffix = "Jr."
      contact.phones = [LabeledValue(value: "1234567")]
      contact.birthday = PartialDate("1980-02-03")
    }
    var plain = contact("Bo", "Ek", with(phones: "1234567"))
    #expect(try reasons(contact("Bo", "Ek", junior), plain) == [])
    plain.birthday = PartialDate("1980-02-03")
    #expect(try reasons(contact("Bo", "Ek", junior), plain) == [[.birthday, .name]])
  }

  @Test func aPersonIsNeverADuplicateOfAnOrganization() throws {
    var company = contact("", "", with(emails: "a@x"))
    (company.kind, company.organization) = (.organization, "Ann Lee")
    #expect(try reasons(contact("Ann", "Lee", with(emails: "a@x")), company) == [])
  }

  @Test func theIndexSkipsOnlyContactsWithoutDuplicates() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let contacts = random(400, seed)
    // Built in parts, as two threads build it.
    var (index, part) = (DuplicateIndex(), DuplicateIndex())
    for contact in contacts[..<150] { index.add(contact) }
    for contact in contacts[150...] { part.add(contact) }
    index.add(part)
    let candidates = Set(index.takeCandidates())
    var (all, some) = (DuplicateFinder(), DuplicateFinder())
    for contact in contacts {
      all.add(contact)
      if candidates.contains(contact.id) { some.add(contact) }
    }
    let pairs = try all.pairs()
    let found = try some.pairs()
    #expect(!pairs.isEmpty && pairs == found, "seed \(seed)")
    #expect(candidates.count < contacts.count)
  }

  /// Comparing every pair, one by one, must find the same.
  @Test func findsWhatAComparisonOfAllPairsFinds() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let contacts = random(150, seed)
    let pairs = Set(try pairs(contacts))
    let comparison = try DuplicateComparison(contacts.map(DuplicateTraits.init), { false }, { _ in })
    var expected: Set<DuplicatePair> = []
    for one in contacts.indices {
      for other in contacts.indices where one < other {
        let reasons = comparison.reasons(one, other).sorted()
        if !reasons.isEmpty {
          expected.insert(DuplicatePair(first: Int64(one + 1), second: Int64(other + 1), reasons: reasons))
        }
      }
    }
    #expect(pairs == expected, "seed \(seed)")
  }

  @Test func aNumberSharedByThousandsOfNamesIsIgnored() throws {
    let number = with(phones: "08-600 00 00")
    let others = (0..<3000).map { contact("Given\($0 % 1000)", "Family\($0)", number) }
    let (one, other) = (contact("Ann", "Lee", number), contact("Ann", "Lee", number))
    #expect(try reasons(one, other) == [[.name, .phone]])
    #expect(try pairs([one] + others + [other]).isEmpty)
    // What they also share is evidence without the number.
    var (writer, reader) = (one, other)
    writer.emails = [LabeledValue(value: "a@x")]
    reader.emails = writer.emails
    #expect(try pairs([writer] + others + [reader]).map(\.reasons) == [[.email, .name]])
    let copies = (0..<3000).map { _ in contact("Ann", "Lee", with(phones: "08-600 00 00")) }
    #expect(DuplicateGroup.groups(of: try pairs(copies)).map(\.ids.count) == [3000])
  }

  private func random(_ count: Int, _ seed: UInt64) -> [Contact] {
    var generator = SeededGenerator(seed: seed)
    func pick(_ values: [String]) -> String { values.randomElement(using: &generator)! }
    return (1...count).map { id in
      var contact = contact(pick(["Ann", "Bo", "J", "John", "Jonh", "", "小明"]), pick(["Lee", "Ek", "", "王", "Smith"]))
      contact.id = Int64(id)
      contact.organization = pick(["", "", "Acme", "Beta"])
      contact.birthday = PartialDate(pick(["", "", "1980-02-03", "--02-03"]))
      if pick(["", "x"]) == "x" {
        contact.emails = [LabeledValue(value: "m\(Int.random(in: 0..<count, using: &generator))@x")]
      }
      if pick(["", "x"]) == "x" {
        let number = 1_000_000 + Int.random(in: 0..<count, using: &generator)
        contact.phones = [LabeledValue(value: pick(["+46", "0", ""]) + "70\(number)")]
      }
      return contact
    }
  }
}
