import Foundation
import Testing

/// What the READMEs say about the libraries is what the manifest says.
struct LibrariesTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// The Debian package that each C module and each product of another package needs; nil for none.
  private static let packages: [String: String?] = [
    "GRDB": "libsqlite3-dev", "CSystem": "libsqlite3-dev", "CICU": "libicu-dev", "CNcurses": "libncursesw5-dev",
    "CTerminalGuard": nil, "CPinyinTable": nil,
  ]

  private static func text(of file: String) throws -> String {
    try String(contentsOf: root.appending(path: file), encoding: .utf8)
  }

  /// Returns the names that each target of the manifest depends on.
  private static func dependencies() throws -> [String: Set<String>] {
    let declaration = /\n    \.(?:target|systemLibrary|executableTarget|testTarget)\(/
    var targets: [String: Set<String>] = [:]
    for target in try text(of: "Package.swift").split(separator: declaration).dropFirst() {
      let name = try #require(target.firstMatch(of: /name: "(\w+)"/)).output.1
      let list = target.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.output.1 ?? ""
      targets[String(name)] = Set(list.matches(of: /"(\w+)"/).map { String($0.output.1) })
    }
    return targets
  }

  /// Returns the Debian packages that a target needs, with all that it depends on.
  private static func needs(of library: String) throws -> Set<String> {
    let targets = try dependencies()
    var found: Set<String> = []
    var waiting = [library]
    var needs: Set<String> = []
    while let name = waiting.popLast() {
      guard found.insert(name).inserted else { continue }
      let folder = root.appending(path: "Sources/\(name)")
      let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
      if files.contains(where: { $0.hasSuffix(".swift") }) {
        waiting += try #require(targets[name], "\(name)")
      } else if let package = try #require(packages[name], "\(library) needs \(name)") {
        needs.insert(package)
      }
    }
    return needs
  }

  @Test func someLibrariesNeedOnlySQLite() throws {
    for library in ["ObjectGraph", "ResultsController", "LiveResults", "ChangeLog"] {
      #expect(try Self.needs(of: library) == ["libsqlite3-dev"], "\(library)")
    }
  }

  @Test(arguments: [("README.md", "## Libraries"), ("README.zh-Hans.md", "## 程序库")])
  func theReadmeSaysWhatEachLibraryNeeds(file: String, heading: String) throws {
    let readme = try Self.text(of: file)
    let section = try #require(readme.components(separatedBy: "\n\(heading)\n").dropFirst().first)
    let rows = section.components(separatedBy: "\n## ")[0].matches(of: /\| \[(\w+)\]\(([^)]+)\) \|.*\| (.+) \|/)
    #expect(rows.count >= 8)
    let manifest = try Self.text(of: "Package.swift")
    for row in rows {
      let (_, library, link, needs) = row.output
      #expect(manifest.contains(".library(name: \"\(library)\""), "\(library)")
      #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: String(link)).path), "\(link)")
      let packages = try Self.needs(of: String(library)).sorted().joined(separator: ", ")
      #expect(needs == (packages.isEmpty ? "–" : packages), "\(library)")
    }
  }
}
