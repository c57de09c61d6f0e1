import Foundation
import SharedMaterial
import Testing
import VCard

/// Known facts of cards, compared with what the reader returns.
@Suite struct CorpusTests {
  @Test func derivedFixturesAreReadAsExpected() throws {
    try check(Fixtures.folder.appending(path: "derived"))
  }

  @Test func hostileFixturesAreReadAsExpected() throws {
    try checkHostile(Fixtures.folder.appending(path: "hostile"))
  }

  @Test(.enabled(if: SharedMaterial.hostileFiles.isNamed, "HOSTILE_CORPUS is not set"))
  func theHostileCorpusIsReadAsExpected() throws { try checkHostile(SharedMaterial.hostileFiles.url) }

  @Test(.enabled(if: SharedMaterial.vCards.isNamed, "VCARD_CORPUS is not set"))
  func theCorpusIsReadAsExpected() throws { try check(SharedMaterial.vCards.url) }

  private func checkHostile(_ folder: URL) throws {
    for entry in try Fixtures.index(folder) {
      let name = entry["file"] as? String ?? ""
      let (cards, skipped) = VCardReader.read(try Fixtures.bytes(folder.appending(path: name)))
      if let expected = entry["cards"] as? Int { #expect(cards.count == expected, "\(name)") }
      if let names = entry["names"] as? [String] {
        #expect(
          cards.compactMap { $0.first("UID")?.text.split(separator: "-", maxSplits: 1).last.map(String.init) } == names,
          "\(name)")
      }
      if cards.isEmpty { #expect(!skipped.isEmpty, "\(name) is passed over without a word") }
      for card in cards {
        for line in card.lines {
          _ = line.text
          _ = line.components
          _ = line.list
          _ = line.binary
          _ = line.parameters
        }
        for version in CardVersion.allCases { _ = VCardWriter(version: version).bytes(of: card) }
      }
    }
  }

  private func check(_ folder: URL) throws {
    var facts = 0
    var wrong: [String] = []
    var known = 0
    for entry in try Fixtures.index(folder) {
      let name = entry["file"] as? String ?? ""
      let (cards, _) = VCardReader.read(try Fixtures.bytes(folder.appending(path: name)))
      facts += 1
      if let count = entry["cards"] as? Int, cards.count != count {
        wrong.append("\(name): \(cards.count) cards, not \(count)")
        continue
      }
      for (number, expected) in (entry["expected"] as? [[String: Any]] ?? []).enumerated() {
        guard number < cards.count else { break }
        for (fact, value) in expected where !fact.hasPrefix("_") {
          guard let own = CardFacts.of(cards[number], fact) else { continue }
          facts += 1
          let both = [own, CardFacts.normalized(value)]
          if both[0] == both[1] { continue }
          if KnownDifferences.reason(name, fact) != nil {
            known += 1
            continue
          }
          wrong.append("\(name) #\(number) \(fact):\n    own      \(both[0])\n    expected \(both[1])")
        }
      }
    }
    print("\(folder.lastPathComponent): \(facts) facts, \(known) known differences, \(wrong.count) wrong")
    for text in wrong { print("  \(text)") }
    #expect(wrong.isEmpty)
  }
}

/// Facts that cannot agree, each with its reason.
enum KnownDifferences {
  static func reason(_ file: String, _ fact: String) -> String? {
    list.first { file.hasSuffix($0.file) && $0.fact == fact }?.reason
  }

  private static let list: [(file: String, fact: String, reason: String)] = [
    ("v21_japanese_1.vcf", "n", "the index has the bytes of Shift_JIS read as Latin-1; the name is 安藤ロイド"),
    ("v21_japanese_2.vcf", "fn", "the same"),
    (
      "TestFiles/v2_1.vcf", "tel",
      "INLINE and UTF-8 are a VALUE and a CHARSET, the index counts every bare word as a type"
    ),
    (
      "contact_photo_with_data_uri.vcf", "photo",
      "the index has the letters of `data:image/png;base64,` decoded as base64"
    ),
    ("v3-uri-binary-png.vcf", "photo", "the same"),
    ("076.vcf", "photo", "`data:base64,…` is not right, but it is the picture of 077.vcf"),
    ("photo-base64.vcf", "photo", "base64 although 4.0 has none; the index has the text"),
    ("DepartmentOnly.vcf", "org", "the first part, the organization, is empty; the index leaves it out"),
  ]
}
