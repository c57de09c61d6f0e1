import Foundation
import Testing

@testable import AddressBookModel

/// What ARCHITECTURE.md and scripts say about the sources.
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
      var module = ""
      for step in flow {
        let name = try #require(step.split(separator: "`").first { $0.first?.isLetter == true })
        let isInModule = files.contains("\(module)/\(name).swift")
        #expect(isInModule || files.contains("\(name).swift"), "\(name)")
        if !isInModule { module = String(name.split(separator: "/")[0]) }
      }
    }
  }

  /// A table that a script makes is a file of its own, where the script writes it.
  @Test func everyFileThatAScriptMakesExists() throws {
    let resources = Self.root.appendingPathComponent("Resources")
    var made = 0
    for case let name as String in try #require(FileManager.default.enumerator(atPath: resources.path))
    where name.hasSuffix(".py") {
      let script = try String(contentsOf: resources.appendingPathComponent(name), encoding: .utf8)
      for path in Set(script.matches(of: /Sources\/[\w\/]+\.(?:swift|c|h)/).map { String($0.output) }) {
        let text = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
        #expect(text.prefix(200).contains("ade by Resources/\(name)"), "\(path)")
        made += 1
      }
    }
    #expect(made > 3)
  }

  /// All rows of contacts and groups are written by `ObjectGraph`, which does not know the tables' names. The exceptions
  /// are migrations, which are frozen, and the doctor, which copies tables as they are.
  @Test func oneModuleWritesRowsOfContacts() throws {
    let tables = ["contact", "contact_group"] + Schema.partTables
    let write = try Regex(
      #"\b(INSERT|REPLACE|UPDATE|DELETE)\b(\s+OR\s+\w+)?(\s+(INTO|FROM))?\s+"?(?<table>\w+|\\\([^)]*\))"#)
    // Tables whose names are not literal: the change log, and those of the state of syncs.
    let computed = [#"\(log.logTable)"#, #"\(table)"#]
    let model = Self.root.appendingPathComponent("Sources")
    var files = 0
    for case let name as String in try #require(FileManager.default.enumerator(atPath: model.path))
    where name.hasSuffix(".swift") && !["ObjectGraph/", "ChangeLog/"].contains(where: name.hasPrefix) {
      let folders = [
        "AddressBookModel/Store/Migrations/", "BookCare/Checks/", "BookCare/Repair/", "BookCare/Salvage/",
      ]
      if folders.contains(where: name.hasPrefix) { continue }
      files += 1
      let text = try String(contentsOf: model.appendingPathComponent(name), encoding: .utf8)
      for match in text.matches(of: write) {
        let table = match["table"]?.substring.map(String.init) ?? ""
        #expect(!tables.contains(table), "\(name): \(match[0].substring ?? "")")
        if table.hasPrefix("\\") { #expect(computed.contains(table), "\(name): \(match[0].substring ?? "")") }
      }
    }
    #expect(files > 400)
  }
}
