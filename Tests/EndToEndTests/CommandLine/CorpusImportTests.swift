import Foundation
import SharedMaterial
import Testing

/// Imports the files of the folders that VCARD_CORPUS and HOSTILE_CORPUS name, each into a book of its own.
@Suite struct CorpusImportTests {
  private struct Facts: Decodable {
    struct Card: Decodable {
      struct Value: Decodable { let value: String }
      let fn: String?
      let tel: [Value]?
      let email: [Value]?
    }
    let file: String
    let cards: Int
    let malformed: Bool?
    let expected: [Card]?
  }

  private struct Index: Decodable { let files: [Facts] }

  @Test(.enabled(if: SharedMaterial.vCards.isNamed, "VCARD_CORPUS is not set"))
  func everyFileOfTheCorpusIsImported() throws {
    let folder = SharedMaterial.vCards.url
    let index = try JSONDecoder().decode(
      Index.self, from: Data(contentsOf: folder.appendingPathComponent("index.json")))
    let program = try Program()
    var missing: [String] = []
    var (files, values) = (0, 0)
    for facts in index.files {
      let path = folder.appendingPathComponent(facts.file).path
      let book = program.folder.path + "/\(files).db"
      files += 1
      let result = try program.run(["import", "--book", book, path])
      if facts.cards == 0 {
        if result.status == 0 { missing.append("\(facts.file): status 0 without a card") }
        continue
      }
      let counts = Self.counts(result.errors)
      // An empty card is counted and skipped.
      let hasContent =
        counts.dropLast().contains { $0 > 0 }
        || facts.expected?.contains { $0.fn != nil || $0.tel != nil || $0.email != nil } == true
      if (result.status != 0 && hasContent) || counts.reduce(0, +) != facts.cards {
        missing.append("\(facts.file): \(facts.cards) cards, status \(result.status), \(counts)")
      }
      if !isSafe(result.errorBytes) { missing.append("\(facts.file): control characters in messages") }
      let listed = try program.run(["list", "--format", "json", "--book", book])
      let contacts = try program.json(listed.outputBytes) as? [[String: Any]] ?? []
      // An organization may be shown by the name in ORG: its FN may be the name of a person to contact.
      var organizations = contacts.count { $0["kind"] as? String == "organization" }
      var names = Set(contacts.compactMap { ($0["name"] as? String).map(Self.plain) })
      // A card may be a group.
      if facts.expected?.contains(where: { $0.fn.map { !names.contains(Self.plain($0)) } ?? false }) == true {
        for line in try program.run(["group", "list", "--format", "tsv", "--book", book]).lines {
          names.insert(Self.plain(String(line.drop { $0 != "\t" })))
        }
      }
      let phones = Self.values("phones", contacts)
      let emails = Self.values("emails", contacts)
      for card in facts.expected ?? [] {
        if let name = card.fn.map(Self.plain), !name.isEmpty {
          values += 1
          if !names.contains(name), !Self.wrongInTheIndex.contains(facts.file) {
            organizations -= 1
            if organizations < 0 { missing.append("\(facts.file): name \(name)") }
          }
        }
        for phone in (card.tel ?? []).map({ Self.plain($0.value) }) where !phone.isEmpty {
          values += 1
          if !phones.contains(phone) { missing.append("\(facts.file): phone \(phone)") }
        }
        for email in (card.email ?? []).map({ Self.plain($0.value) }) where !email.isEmpty {
          values += 1
          if !emails.contains(email) { missing.append("\(facts.file): email \(email)") }
        }
      }
    }
    print("corpus: \(files) files, \(values) names, phones and emails, \(missing.count) not as listed")
    for line in missing { print("  " + line) }
    #expect(missing.isEmpty)
  }

  @Test(.enabled(if: SharedMaterial.hostileFiles.isNamed, "HOSTILE_CORPUS is not set"))
  func hostileFilesAreImportedOrRefusedWithAMessage() throws {
    let folder = SharedMaterial.hostileFiles.url
    struct Hostile: Decodable {
      let file: String
      let cards: Int
    }
    let index = try JSONDecoder().decode(
      [Hostile].self, from: Data(contentsOf: folder.appendingPathComponent("index.json")))
    for facts in index {
      let program = try Program()
      let path = folder.appendingPathComponent(facts.file).path
      let result = try program.run(["import", path], seconds: 30)
      #expect(isSafe(result.errorBytes), "\(facts.file)")
      guard facts.cards > 0 else {
        #expect(result.status != 0 && !result.errors.isEmpty, "\(facts.file)")
        continue
      }
      #expect(result.status == 0, "\(facts.file): \(result.errors)")
      #expect(Self.counts(result.errors).reduce(0, +) == facts.cards, "\(facts.file): \(result.errors)")
      for arguments in [["list"], ["list", "--format", "tsv"], ["query", "a"], ["export"]] {
        let shown = try program.run(arguments)
        #expect([0, 1].contains(shown.status), "\(facts.file) \(arguments): \(shown.errors)")
        #expect(arguments == ["export"] || isSafe(shown.outputBytes), "\(facts.file) \(arguments)")
      }
      let again = Self.counts(try program.run(["import", path]).errors)
      #expect(again.first == 0, "\(facts.file) imported again: \(again)")
    }
  }

  /// Returns the numbers of `imported A, updated B, skipped C`.
  private static func counts(_ errors: String) -> [Int] {
    guard let line = errors.split(separator: "\n").last(where: { $0.hasPrefix("imported ") }) else { return [] }
    return line.split { !$0.isNumber }.compactMap { Int($0) }
  }

  private static func values(_ key: String, _ contacts: [[String: Any]]) -> Set<String> {
    Set(contacts.flatMap { ($0[key] as? [[String: String]] ?? []).compactMap { $0["value"].map(plain) } })
  }

  /// Returns a text without the intended differences between parsers and the book: `tel:`, `mailto:`, `;ext=`, white
  /// space and the normalization form.
  private static func plain(_ text: String) -> String {
    var text = text.precomposedStringWithCanonicalMapping
    for scheme in ["tel:", "mailto:"] where text.lowercased().hasPrefix(scheme) { text.removeFirst(scheme.count) }
    if let suffix = text.range(of: ";ext=") { text.replaceSubrange(suffix, with: " ext. ") }
    return text.split { $0.isWhitespace }.joined(separator: " ")
  }

  /// Files for which the index is wrong: the parsers that it was made with agree on mojibake, because the card does not
  /// declare Shift_JIS.
  private static let wrongInTheIndex: Set<String> = [
    "CyanogenMod+android_frameworks_opt_vcard/tests/res/raw/v21_japanese_2.vcf"
  ]
}
