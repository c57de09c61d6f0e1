import Contacts
import Foundation
import SharedMaterial
import Testing

/// Checks each case of the file named by `MERGE_CASES`: the merged contact, the conflicts and the laws of a merge.
@Suite(.enabled(if: SharedMaterial.mergeCases.isNamed, "MERGE_CASES is not set")) struct MergeConformanceTests {
  @Test func everyCaseGivesItsExpectedResult() throws {
    let file = try JSONSerialization.jsonObject(with: Data(contentsOf: SharedMaterial.mergeCases.url))
    let cases = try #require((file as? [String: Any])?["cases"] as? [[String: Any]])
    #expect(!cases.isEmpty)
    for item in cases {
      let name = "\(item["group"] ?? "")/\(item["name"] ?? "")"
      let states = ["base", "mine", "theirs"].map { CaseContact.read(item[$0]) }
      let merge = WholeContactMerge(base: states[0], mine: states[1], theirs: states[2])
      let merged = CaseContact.letters(merge.merged)
      let expected = CaseContact.letters(CaseContact.read(item["merged"]))
      #expect(merged == expected, "\(name): merged")
      let conflicts = item["conflicts"] as? [[String: Any]] ?? []
      #expect(merge.conflicts.map(Self.text).sorted() == conflicts.map(Self.text).sorted(), "\(name): conflicts")
      for broken in MergeLaws.broken(base: states[0], mine: states[1], theirs: states[2]) {
        Issue.record("\(name): \(broken)")
      }
    }
  }

  private static func text(_ conflict: MergeConflict) -> String {
    let values = [conflict.base, conflict.mine, conflict.theirs].map { CaseContact.value($0) }
    return ([conflict.fieldName] + values + [conflict.kept.rawValue]).joined(separator: " / ")
  }

  private static func text(_ conflict: [String: Any]) -> String {
    let field = conflict["field"] as? String ?? ""
    let values = ["base", "mine", "theirs"].map { CaseContact.value(conflict[$0], of: field) }
    return ([field] + values + [conflict["kept"] as? String ?? ""]).joined(separator: " / ")
  }
}
