import Foundation
import SharedMaterial
import Testing

@testable import Pinyin

/// The worked examples: a name and the letter of its section.
@Suite struct SectionCasesTests {
  struct Case: Decodable {
    var name: String
    var expectedSection: String
    var note: String?
    var alsoAcceptable: [String]?
    var structured: Bool?
    var family, given, org, nickname, phone, email, phoneticFamily, phoneticGiven: String?

    /// In an unstructured case, `name` is the full name of a person; in a structured case, the name is composed of its
    /// parts, and is `name` if there are none.
    var sortable: SortableName {
      SortableName(
        displayName: structured == true && family ?? given != nil ? (family ?? "") + (given ?? "") : name,
        family: family ?? "",
        given: given ?? "", phoneticFamily: phoneticFamily ?? "", phoneticGiven: phoneticGiven ?? "",
        organization: org ?? "",
        nickname: nickname ?? "", email: email ?? "", phone: phone ?? "")
    }
  }

  private func check(_ data: Data) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let cases = try decoder.decode([Case].self, from: data)
    #expect(!cases.isEmpty)
    let collation = NameCollation()
    var failures = 0
    for example in cases {
      let found = collation.section(of: example.sortable).title
      let accepted = [example.expectedSection] + (example.alsoAcceptable ?? [])
      if !accepted.contains(found) {
        failures += 1
        print("section case failed: \(example.name) is in \(found), expected \(accepted) (\(example.note ?? ""))")
      }
      #expect(collation.sortKey(of: example.sortable)[0] == collation.section(of: example.sortable).rawValue)
    }
    #expect(failures == 0, "\(failures) of \(cases.count) section cases failed")
  }

  @Test func ownCases() throws { try check(Fixtures.data("Tests/Fixtures/Pinyin/sections.json")) }

  @Test(.enabled(if: SharedMaterial.sectionCases.isNamed, "SECTION_CASES is not set"))
  func namedCases() throws { try check(Data(contentsOf: SharedMaterial.sectionCases.url)) }

  @Test(arguments: [
    (SortableName(organization: "乐团"), "Y"), (SortableName(organization: "曾氏", nickname: "Z"), "C"),
    (SortableName(displayName: "单氏集团", organization: "单氏集团"), "D"),
    (SortableName(kind: .organization, displayName: "单氏集团"), "D"),
    (SortableName(displayName: "单氏集团"), "S"), (SortableName(nickname: "单单"), "D"),
    (SortableName(email: "ana@b.c", phone: "1"), "A"),
    (SortableName(phone: "+1"), "#"), (SortableName(displayName: "\u{200B} ", organization: "Acme"), "A"),
    (SortableName(displayName: "解放", family: "解", given: "放"), "X"),
    (SortableName(displayName: "查理", given: "查理"), "C"),
    (SortableName(displayName: "单芳", given: "单芳"), "D"), (SortableName(displayName: "单田芳", given: "单田芳"), "S"),
    (SortableName(displayName: "单田芳", family: "单田芳"), "S"),
    (SortableName(displayName: "小单", family: "单", given: "田芳"), "X"),
    (SortableName(family: "单", given: "田芳"), "S"), (SortableName(family: "Smith", given: "John"), "J"),
    (SortableName(displayName: "曾国藩", phoneticFamily: "Ceng"), "C"),
    (SortableName(displayName: "森", phoneticGiven: "Mori"), "M"),
    (SortableName(displayName: "単田", family: "単", given: "田", phoneticGiven: "Tian"), "S"),
    (SortableName(displayName: "Jean Smith", family: "Smith", given: "Jean", phoneticGiven: "Zhan"), "Z"),
    (SortableName(displayName: "李", phoneticFamily: " "), "L"),
    (SortableName(displayName: "山田", phoneticFamily: "やまだ"), "#"),
    (SortableName(), "#"), (SortableName(displayName: "ǅ"), "D"), (SortableName(displayName: "Ⓩed"), "Z"),
    (SortableName(displayName: "Иван"), "#"), (SortableName(displayName: "さくら"), "#"),
    (SortableName(displayName: "김철수"), "#"),
    (SortableName(displayName: "Əliyev"), "E"), (SortableName(displayName: "【快递】"), "#"),
    (SortableName(displayName: "🍎苹果"), "#"),
    (SortableName(displayName: "\u{202E}\u{FEFF}Bidi"), "B"), (SortableName(displayName: "\u{3FFFD}"), "#"),
  ])
  func theFieldsDecideTheSection(name: SortableName, title: String) {
    #expect(NameCollation().section(of: name).title == title)
  }

  @Test func sections() {
    #expect(Section.allTitles.joined() == "ABCDEFGHIJKLMNOPQRSTUVWXYZ#")
    #expect(Section.allCases.map(\.rawValue) == Array(0...26))
    #expect(Section.z < Section.other && Section.a < Section.b)
    #expect(Section(letter: UInt8(ascii: "q")) == .q && Section(letter: UInt8(ascii: "Q")) == .q)
    #expect(Section(letter: UInt8(ascii: "[")) == .other && Section(letter: 0) == .other)
  }
}
