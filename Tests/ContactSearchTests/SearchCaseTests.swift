import Foundation
import SharedMaterial
import Testing

@Suite struct SearchCaseTests {
  static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/Search/search.json").path

  @Test func theWorkedExamples() throws { try run(SearchCaseTests.fixture) }

  @Test(.enabled(if: SharedMaterial.searchCases.isNamed, "SEARCH_CASES is not set"))
  func theCasesNamedInTheEnvironment() throws { try run(SharedMaterial.searchCases.path) }

  private func run(_ path: String) throws {
    let cases = try SearchCase.load(path)
    #expect(!cases.isEmpty)
    var passed = 0
    for example in cases {
      let failures = example.failures()
      for failure in failures { Issue.record("\(example): \(failure)") }
      if failures.isEmpty { passed += 1 }
    }
    print("\(passed) of \(cases.count) search cases passed: \(path)")
  }
}
