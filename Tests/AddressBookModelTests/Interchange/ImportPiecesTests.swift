import Testing

@testable import AddressBookModel

@Suite struct CardIdentityTests {
  @Test func allSpellingsOfAUUIDAreEqual() {
    let small = "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"
    let all = [small, small.uppercased(), "urn:uuid:" + small, "URN:UUID:" + small.uppercased()]
    #expect(Set(all.map(CardIdentity.canonical)).count == 1)
    #expect(CardIdentity.spellings(all[3]).contains(small))
    #expect(CardIdentity.spellings(all[3]).first == all[3])
  }

  @Test func anyOtherUIDIsItsText() {
    #expect(CardIdentity.spellings("Ab-1") == ["Ab-1"])
    #expect(CardIdentity.canonical("Ab") != CardIdentity.canonical("ab"))
    #expect(CardIdentity.spellings(ofMember: "urn:uuid:g2") == ["urn:uuid:g2", "g2"])
  }
}

@Suite struct InputKindTests {
  @Test func formatsAreDetectedByTheFirstBytes() {
    #expect(InputKind([]) == .empty)
    #expect(InputKind(Array("BEGIN:VCARD".utf8)) == .text(.vCard))
    #expect(InputKind(Array("\u{FEFF}  [\n".utf8)) == .text(.json))
    #expect(InputKind(Array("\n<!DOCTYPE HTML>".utf8)) == .foreign("HTML"))
    #expect(InputKind([0x1F, 0x8B, 8]) == .compressed(unpackedBy: "gzip -dc"))
    #expect(InputKind(Array(repeating: 0, count: 100)) == .foreign("zeros"))
  }
}
