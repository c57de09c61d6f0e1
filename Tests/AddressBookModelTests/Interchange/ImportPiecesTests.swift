import Testing

@testable import AddressBookModel
@testable import BookInterchange

@Suite struct CardIdentityTests {
  @Test func allSpellingsOfAUUIDAreEqual() {
    let small = "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"
    let all = [small, small.uppercased(), "urn:uuid:" + small, "URN:UUID:" + small.uppercased()]
    #expect(Set(all.map(CardIdentity.canonical)).count == 1)
    #expect(CardIdentity.spellings(all[3]).contains(small))
    #expect(CardIdentity.spellings(all[3]).first == all[3])
  }

  @Test(arguments: [
    "4fbe8971-0bc3-424c-9c26-36c3e1eff6b1", "4fbe8971-0bc3-424C-9c26-36c3e1eff6b1",
    "4fbe8971-0bc3-424g-9c26-36c3e1eff6b1",
    "Urn:uuid:4FBE8971-0BC3-424C-9C26-36C3E1EFF6B1", "urn:uuid:x", "urn:uuid:", "u", "U-1", "",
    "urn:uuid:\u{301}4fbe8971-0bc3-424c-9c26-36c3e1eff6b1", "4fbe89710bc3424c9c2636c3e1eff6b1----",
  ])
  func theCanonicalSpellingIsThatOfThePlainWay(uid: String) {
    let isURN = uid.count > 9 && uid.prefix(9).lowercased() == "urn:uuid:"
    let bare = isURN ? String(uid.dropFirst(9)) : uid
    let isUUID = bare.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil
    #expect(CardIdentity.canonical(uid) == (isUUID ? bare.lowercased() : uid))
  }

  /// A reference to a member has the case of its UID, so it leads to that spelling too.
  @Test func aUUIDInMixedCaseIsFoundByItsReference() {
    let mixed = "4fbe8971-0bc3-424C-9c26-36c3e1eff6b1"
    #expect(CardIdentity.spellings(ofMember: CardIdentity.reference(mixed)).contains(mixed))
    #expect(CardIdentity.spellings(mixed).contains("urn:uuid:" + mixed))
    for uid in [mixed, "urn:uuid:" + mixed, "URN:uuid:" + mixed] {
      let all = CardIdentity.spellings(uid)
      #expect(all.first == uid && Set(all).count == all.count)
    }
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
