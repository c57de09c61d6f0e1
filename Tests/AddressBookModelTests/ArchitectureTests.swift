import Foundation
import Testing

/// The files in ARCHITECTURE.md's table of flows exist.
struct ArchitectureTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func everyFileOfTheFlowsExists() throws {
    let text = try String(contentsOf: Self.root.appendingPathComponent("ARCHITECTURE.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## Where to read a flow\n").dropFirst().first)
    let table = try #require(section.components(separatedBy: "\n## ").first)
    let rows = table.split(separator: "\n").filter { $0.contains("→") }
    #expect(rows.count >= 4)
    let sources = Self.root.appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
    for row in rows {
      let flow = try #require(row.split(separator: "|").last).components(separatedBy: " → ")
      #expect(flow.count < 10, "a flow is read in under ten files")
      for step in flow {
        let name = try #require(step.split(separator: "`").first { $0.first?.isLetter == true })
        #expect(files.contains { "/\($0)".hasSuffix("/\(name).swift") }, "\(name)")
      }
    }
  }
}
