import Foundation
import Testing

/// The cache files of `query` and `list`: they are created and used, and a stale or damaged file never changes a result.
@Suite struct KeptIndexTests {
  private let program: Program
  private var cache: String { program.folder.path + "/.cache/addressbook" }

  init() throws {
    program = try Program()
    try program.run("demo", "--contacts", "800")
  }

  private var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []).sorted() }

  private func removeCache() throws { try FileManager.default.removeItem(atPath: cache) }

  /// Only a search without a cached index reads all websites.
  @Test(arguments: ["query", "list"]) func aCachedIndexIsUsed(_ command: String) throws {
    func readsTheBook() throws -> Bool {
      try program.run(command, "--sql-trace", "li").errors.contains("FROM url ORDER BY contact_id")
    }
    try removeCache()
    #expect(try readsTheBook())
    #expect(try !readsTheBook())
    try program.run("add", "--set", "given=Li")
    #expect(try !readsTheBook(), "only the new contact is read")
  }

  /// Only a long result without cached lines reads all email addresses.
  @Test func cachedLinesAreUsed() throws {
    func readsTheBook() throws -> Bool {
      try program.run("query", "--sql-trace", "--", "-thereisnosuchword").errors.contains("FROM email e CROSS JOIN")
    }
    try removeCache()
    #expect(try readsTheBook())
    #expect(try !readsTheBook())
  }

  @Test func aCachedSearchEqualsAnUncachedOne() throws {
    #expect(files.contains { $0.hasSuffix(".index") })
    for query in ["l", "li", "wang", "138", "李", "com", "zhang wei", "-a"] {
      let warm = try program.run("query", "--", query)
      let list = try program.run("list", "--format", "tsv", "--", query)
      let json = try program.run("query", "--format", "json", "--", query)
      try removeCache()
      let cold = try program.run("query", "--", query)
      #expect(warm.status == cold.status)
      #expect(warm.outputBytes == cold.outputBytes, "\(query)")
      try removeCache()
      #expect(try program.run("list", "--format", "tsv", "--", query).outputBytes == list.outputBytes, "\(query)")
      try removeCache()
      #expect(try program.run("query", "--format", "json", "--", query).outputBytes == json.outputBytes, "\(query)")
    }
  }

  @Test func aLongResultKeepsItsLines() throws {
    let first = try program.run("query", "--", "-thereisnosuchword")
    #expect(first.lines.count > 501)
    #expect(files.contains { $0.hasSuffix(".lines") })
    #expect(try program.run("query", "--", "-thereisnosuchword").outputBytes == first.outputBytes)
    try program.execute("UPDATE email SET value = 'changed@example.net' WHERE id = 5")
    let changed = try program.run("query", "--", "-thereisnosuchword")
    #expect(changed.lines.count { $0.hasPrefix("changed@example.net\t") } == 1)
    #expect(changed.lines.count == first.lines.count)
    for name in files { try Data("damage".utf8).write(to: URL(fileURLWithPath: cache + "/" + name)) }
    #expect(try program.run("query", "--", "-thereisnosuchword").outputBytes == changed.outputBytes)
  }

  @Test func writesOfAnyProgramAreFoundAtOnce() throws {
    #expect(try program.run("query", "quetzal").status == 1)
    try program.run("add", "--set", "name=Quetzal One", "--set", "email=one@example.org")
    #expect(try program.run("query", "--no-header", "quetzal").lines.count == 1)
    try program.execute("UPDATE contact SET nickname = 'Axolotl' WHERE display_name = 'Quetzal One'")
    #expect(try program.run("query", "--no-header", "axolotl").lines.count == 1)
    try program.execute(
      "INSERT INTO email(contact_id, value) SELECT id, 'tapir@example.org' FROM contact WHERE nickname = 'Axolotl'")
    #expect(try program.run("query", "--no-header", "tapir").lines.count == 2)
    try program.execute("UPDATE phone SET value = '+299 55 66 77' WHERE id = (SELECT min(id) FROM phone)")
    #expect(try program.contacts("29955667").count == 1)
    try program.execute("UPDATE contact SET deleted_at = '2026-01-01T00:00:00Z' WHERE nickname = 'Axolotl'")
    #expect(try program.run("query", "quetzal").status == 1)
    try program.execute("DELETE FROM contact")
    #expect(try program.run("query", "li").status == 1)
    #expect(try program.run("list", "li").status == 1)
  }

  @Test func aCacheFolderThatCannotBeWrittenChangesNothing() throws {
    let answer = try program.run("query", "li")
    var other = program
    other.environment["XDG_CACHE_HOME"] = try program.file("taken", "not a folder")
    let result = try other.run("query", "li")
    #expect(result.outputBytes == answer.outputBytes)
    #expect(result.errors.isEmpty)
    other.environment["XDG_CACHE_HOME"] = program.folder.path + "/elsewhere"
    #expect(try other.run("query", "li").outputBytes == answer.outputBytes)
    let names = try FileManager.default.contentsOfDirectory(atPath: program.folder.path + "/elsewhere/addressbook")
    #expect(names.contains { $0.hasSuffix(".index") })
  }

  @Test func concurrentQueriesAgree() throws {
    let answer = try program.run("query", "li")
    try removeCache()
    let running = try (0..<6).map { _ in try program.start(["query", "li"]) }
    for one in running {
      one.wait(60)
      #expect(try one.result().outputBytes == answer.outputBytes)
    }
    #expect(files.allSatisfy { !$0.hasSuffix(".tmp") })
    #expect(try program.run("query", "li").outputBytes == answer.outputBytes)
  }
}
