import Foundation
import SharedMaterial
import Testing

/// The worked examples of searches through the command line: a book for each set of candidates, and a `query` for each
/// case.
@Suite struct SearchCaseTests {
  private struct Candidate: Decodable, Hashable {
    var id: String
    var name: String
    var nickname, org, title, department, note: String?
    var phones, emails: [String]?

    var contact: [String: Any] {
      var contact: [String: Any] = ["uid": id, "name": name]
      contact["nickname"] = nickname
      contact["organization"] = org
      contact["title"] = title
      contact["department"] = department
      contact["note"] = note
      contact["phones"] = phones?.map { ["value": $0] }
      contact["emails"] = emails?.map { ["value": $0] }
      return contact
    }
  }

  private struct Case: Decodable {
    struct Options: Decodable {
      var fuzzy, t9: Bool?
    }

    var feature, query: String
    var candidates: [Candidate]
    var options: Options?
    var expectedMatches: [String]
    var expectedTop, highlightField: String?
    var highlight, highlightAlsoAcceptable: [[Int]]?
    var highlightFields: [String: [[Int]]]?

    var arguments: [String] {
      ["query", "--format", "json"] + (options?.fuzzy == true ? ["--fuzzy"] : [])
        + (options?.t9 == true ? ["--t9"] : []) + ["--", query]
    }

    /// The highlighted fields, by their keys in the command's JSON, with the accepted ranges of each.
    var highlights: [(field: String, accepted: [[[Int]]])] {
      var all = (highlightFields ?? [:]).map { (field: $0, accepted: [$1]) }
      if let highlightField, let highlight {
        all.append((highlightField, [highlight] + (highlightAlsoAcceptable.map { [$0] } ?? [])))
      }
      return all.map { (["org": "organization"][$0.field] ?? $0.field, $0.accepted) }
    }

    /// Returns the differences from the expected result.
    func failures(_ result: Program.Result) throws -> [String] {
      guard result.status == (expectedMatches.isEmpty ? 1 : 0) else {
        return ["ends with status \(result.status): \(result.errors)"]
      }
      let found = try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [[String: Any]] ?? []
      let ids = found.map { $0["uid"] as? String ?? "" }
      var failures: [String] = []
      if ids.sorted() != expectedMatches.sorted() { failures.append("found \(ids), expected \(expectedMatches)") }
      if let expectedTop, ids.first != expectedTop {
        failures.append("best is \(ids.first ?? "none"), expected \(expectedTop)")
      }
      let scores = found.map { $0["score"] as? Double ?? -1 }
      if scores != scores.sorted(by: >) || scores.contains(where: { $0 < 0 || $0 > 1 }) {
        failures.append("scores are \(scores)")
      }
      let top = expectedTop ?? ids.first
      let matches = found.first { $0["uid"] as? String == top }?["matches"] as? [[String: Any]] ?? []
      for (field, accepted) in highlights {
        let ranges = matches.first { $0["field"] as? String == field }?["ranges"] as? [[Int]] ?? []
        if !accepted.contains(ranges) { failures.append("\(field) highlights \(ranges), expected \(accepted)") }
      }
      return failures
    }
  }

  private func check(_ data: Data) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let cases = try decoder.decode([Case].self, from: data)
    #expect(!cases.isEmpty)
    var programs: [[Candidate]: Program] = [:]
    var failed = 0
    for example in cases {
      let program = try programs[example.candidates] ?? book(of: example.candidates)
      programs[example.candidates] = program
      let failures = try example.failures(program.run(example.arguments))
      guard !failures.isEmpty else { continue }
      failed += 1
      print("search case failed: \(example.feature), \(example.query): \(failures.joined(separator: "; "))")
    }
    // Each book has one cached index.
    for program in programs.values {
      let kept = try FileManager.default.contentsOfDirectory(atPath: program.folder.path + "/.cache/addressbook")
      #expect(kept.count == 1)
    }
    #expect(failed == 0, "\(failed) of \(cases.count) search cases failed")
  }

  private func book(of candidates: [Candidate]) throws -> Program {
    let program = try Program()
    let contacts = try JSONSerialization.data(withJSONObject: candidates.map(\.contact))
    let imported = try program.run("import", "--format", "json", "-", input: Array(contacts))
    #expect(imported.status == 0, "\(imported.errors)")
    return program
  }

  @Test func ownCases() throws { try check(CaseFile.own("Search/search.json")) }

  @Test(.enabled(if: SharedMaterial.searchCases.isNamed, "SEARCH_CASES is not set"))
  func namedCases() throws { try check(Data(contentsOf: SharedMaterial.searchCases.url)) }
}
