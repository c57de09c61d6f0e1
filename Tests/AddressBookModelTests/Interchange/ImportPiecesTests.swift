import Testing

@testable import AddressBookModel

@Suite struct CardIdentityTests {
  @Test func aUUIDIsOneInEverySpelling() {
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

@Suite struct ContentKeyTests {
  private func contact(_ name: String, _ phones: [String] = [], _ emails: [String] = []) -> Contact {
    var contact = Contact()
    contact.formattedName = name
    contact.phones = phones.map { LabelledValue(label: "mobile", value: $0) }
    contact.emails = emails.map { LabelledValue(value: $0) }
    return contact
  }

  @Test func separatorsCaseAndOrderDoNotCount() {
    let one = contact("Ada  Lovelace", ["+44 20-7946", "1"], ["A@example.com"])
    #expect(ContentKey(one) == ContentKey(contact("ada lovelace", ["1", "+44207946"], ["a@EXAMPLE.com"])))
    #expect(ContentKey(one) != ContentKey(contact("Ada Lovelace", ["1"], ["a@example.com"])))
    #expect(ContentKey(contact("A", ["+1"])) != ContentKey(contact("A", ["1"])))
  }

  @Test func aNameAloneIsWeak() {
    #expect(!ContentKey(contact("A")).isStrong)
    #expect(ContentKey(contact("A", ["1"])).isStrong)
  }

  @Test func addingTakesNothingAway() {
    var known = contact("Ada", ["1"])
    known.note = "mine"
    known.title = "old"
    var card = contact("Ada", ["1", "2"])
    card.title = "new"
    let merged = known.adding(card)
    #expect(merged.note == "mine")
    #expect(merged.title == "new")
    #expect(merged.phones.map(\.value) == ["1", "2"])
    #expect(merged.adding(card) == merged)
  }
}

@Suite struct JSONElementsTests {
  private func elements(_ text: String, chunk: Int) throws -> [String] {
    var rest = Array(text.utf8)[...]
    var elements = JSONElements(file: "-") { () throws(ImportError) -> [UInt8]? in
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(chunk) }
      return Array(rest.prefix(chunk))
    }
    var found: [String] = []
    while let element = try elements.next() {
      found.append("\(element.line) " + String(decoding: element.bytes, as: UTF8.self))
    }
    return found
  }

  @Test(arguments: [1, 2, 7, 4096]) func objectsAreCutWhereverTheChunksEnd(_ chunk: Int) throws {
    let text = "\u{FEFF}[\n {\"a\": \"}\\\"{\", \"b\": [1, {\"c\": []}]},\n\n {}\n]\n"
    #expect(try elements(text, chunk: chunk) == ["2 {\"a\": \"}\\\"{\", \"b\": [1, {\"c\": []}]}", "4 {}"])
    #expect(try elements("{}\n{}", chunk: chunk) == ["1 {}", "2 {}"])
    #expect(try elements("[]", chunk: chunk).isEmpty)
  }

  @Test(arguments: ["[{}", "{", "nonsense", "[{}] x", "{\"a\": \"", "[[{}]]"]) func brokenJSONIsAnError(_ text: String)
  {
    #expect(throws: ImportError.self) { try elements(text, chunk: 3) }
  }
}

@Suite struct InputKindTests {
  @Test func filesAreToldByTheirFirstBytes() {
    #expect(InputKind([]) == .empty)
    #expect(InputKind(Array("BEGIN:VCARD".utf8)) == .vCard)
    #expect(InputKind(Array("\u{FEFF}  [\n".utf8)) == .json)
    #expect(InputKind(Array("\n<!DOCTYPE HTML>".utf8)) == .foreign("HTML"))
    #expect(InputKind([0x1F, 0x8B, 8]) == .compressed(unpackedBy: "gzip -dc"))
    #expect(InputKind(Array(repeating: 0, count: 100)) == .foreign("zeros"))
  }
}
