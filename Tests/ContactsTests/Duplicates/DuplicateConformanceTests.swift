import Contacts
import Foundation
import SharedMaterial
import Testing

/// Checks the pairs, groups and merges of every case of the file that `DUPLICATE_CASES` names;
/// `DuplicateConformanceCommandTests` runs the program on them.
@Suite(.enabled(if: SharedMaterial.duplicateCases.isNamed, "DUPLICATE_CASES is not set"))
struct DuplicateConformanceTests {
  @Test func everyCaseGivesItsExpectedResult() throws {
    let file = try JSONSerialization.jsonObject(with: Data(contentsOf: SharedMaterial.duplicateCases.url))
    let cases = try #require((file as? [String: Any])?["cases"] as? [[String: Any]])
    #expect(!cases.isEmpty)
    for item in cases {
      let name = "\(item["group"] ?? "")/\(item["name"] ?? "")"
      var contacts = (item["contacts"] as? [Any] ?? []).compactMap(CaseContact.read)
      for index in contacts.indices { contacts[index].id = Int64(index + 1) }
      if let expected = item["pairs"] as? [[String: Any]] {
        let pairs = try Self.pairs(of: contacts)
        checkPairs(pairs, expected, contacts, name)
        let groups = DuplicateGroup.groups(of: pairs).map { group in
          group.ids.map { contacts[Int($0) - 1].uid }.sorted()
        }
        let expectedGroups = (item["groups"] as? [[String]] ?? []).map { $0.sorted() }
        #expect(Set(groups) == Set(expectedGroups), "\(name): groups")
      }
      if let merge = item["merge"] as? [String: Any] { checkMerge(merge, contacts, name) }
    }
  }

  private static func pairs(of contacts: [Contact]) throws -> [DuplicatePair] {
    var finder = DuplicateFinder()
    for contact in contacts { finder.add(contact) }
    return try finder.pairs()
  }

  private func checkPairs(
    _ pairs: [DuplicatePair], _ expected: [[String: Any]], _ contacts: [Contact], _ name: String
  ) {
    let found = Dictionary(
      uniqueKeysWithValues: pairs.map { pair in
        (Set([pair.first, pair.second].map { contacts[Int($0) - 1].uid }), Set(pair.reasons.map(\.rawValue)))
      })
    let wanted = expected.map { Set($0["uids"] as? [String] ?? []) }
    #expect(Set(found.keys) == Set(wanted), "\(name): pairs")
    for (pair, uids) in zip(expected, wanted) {
      guard let reasons = found[uids] else { continue }
      #expect(reasons.isSubset(of: pair["reasons"] as? [String] ?? []), "\(name): reasons of \(uids)")
      #expect(!reasons.isDisjoint(with: pair["because"] as? [String] ?? []), "\(name): because of \(uids)")
    }
  }

  private func checkMerge(_ merge: [String: Any], _ contacts: [Contact], _ name: String) {
    let chosen = (merge["uids"] as? [String] ?? []).compactMap { uid in contacts.first { $0.uid == uid } }
    guard let first = chosen.first else {
      Issue.record("\(name): no contacts to merge")
      return
    }
    let result = DuplicateMerge(first, Array(chosen.dropFirst())) { "\($0.name): \($1)" }
    #expect(result.merged.uid == first.uid, "\(name): uid")
    var merged = result.merged
    var expected = CaseContact.read(merge["merged"]) ?? Contact()
    let texts = merge["texts"] as? [String] ?? []
    #expect(merged.note.hasPrefix(expected.note), "\(name): note")
    let rest = merged.note.dropFirst(expected.note.count).split(separator: "\n")
    #expect(rest.count == texts.count, "\(name): lines \(rest)")
    for text in texts { #expect(rest.contains { $0.hasSuffix(text) }, "\(name): \(text) in the note") }
    (merged.note, expected.note) = ("", "")
    #expect(CaseContact.letters(merged) == CaseContact.letters(expected), "\(name): merged")
    let conflicts = result.conflicts.map {
      "\($0.fieldName): \(CaseContact.value($0.kept)) / \(CaseContact.value($0.other))"
    }
    let expectedConflicts = (merge["conflicts"] as? [[String: Any]] ?? []).map { conflict in
      let field = conflict["field"] as? String ?? ""
      let values = ["kept", "other"].map { CaseContact.value(conflict[$0], of: field) }
      return "\(field): \(values[0]) / \(values[1])"
    }
    #expect(conflicts.sorted() == expectedConflicts.sorted(), "\(name): conflicts")
  }
}
