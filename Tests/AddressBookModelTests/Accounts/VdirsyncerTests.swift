import Foundation
import Glibc
import Testing

@testable import AddressBookModel
@testable import FolderSync

/// What a server names, and what vdirsyncer is told: with the program of `Fixtures/CardDAV` in its place.
@Suite struct VdirsyncerTests {
  private let folder: TemporaryFolder
  private let account = Account(
    name: "dav", url: "https://dav.example.org/", user: "me", passwordCommand: "echo x", keepsLocal: false)
  private var root: String { folder.path + "/dav" }

  init() {
    folder = TemporaryFolder()
    for name in ["/dav", "/dav/cards", "/dav/status", "/other"] {
      #expect(mkdir(folder.path + name, 0o700) == 0)
    }
  }

  /// Says that a pair was found, with the folder and the URL of each address book.
  private func cache(_ pair: String, _ books: [(name: String, folder: String?, url: String?)]) throws {
    let collections = books.map { book -> [Any] in
      [book.name, [book.folder.map { ["path": $0] } ?? [:], book.url.map { ["url": $0] } ?? [:]]]
    }
    try JSONSerialization.data(withJSONObject: ["collections": collections])
      .write(to: URL(fileURLWithPath: root + "/" + pair + ".collections"))
  }

  /// Runs a sync. Returns its outcome, and the arguments of each run of vdirsyncer with what it could read.
  private func sync(discovers: Bool = true, uploads: Bool = true, empty: [String] = []) throws -> (
    outcome: Vdirsyncer.Outcome, runs: [String]
  ) {
    let programs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/CardDAV").path
    unlink(root + "/runs")
    let outcome = try Vdirsyncer(
      account: account, folder: root, program: "/usr/bin/true",
      environment: ["PATH": programs + ":/usr/bin:/bin"]
    ).sync(
      discovers: discovers, uploads: uploads, forcesDeletion: false, empty: empty, prefers: nil,
      isCancelled: { false })
    let runs = String(decoding: FileManager.default.contents(atPath: root + "/runs") ?? Data(), as: UTF8.self)
    return (outcome, runs.split(separator: "\n").map(String.init))
  }

  private static let outside = [
    "", ".", "..", ".hidden", "/", "/etc", "a/b", "../other", "a/../../other", "..%2fother", "%2e%2e%2fother", "%2fetc",
    "..%252fother", "%25252e%25252e", "a\0", "a%00", "a%2500b", "a\n", "a%0a", "\u{7F}", "a\u{85}", "100%",
    "%c0%ae%c0%ae", "a.items", String(repeating: "a", count: 201),
  ]

  @Test(arguments: outside) func aNameThatMayLeadElsewhereIsRefused(name: String) throws {
    #expect(!AddressBookCache.isFolderName(name))
    try cache("server", [(name, nil, "https://dav.example.org/x/"), ("work", nil, "https://dav.example.org/work/")])
    try cache("cards", [("work", root + "/cards/work", "https://dav.example.org/work/")])
    let (outcome, runs) = try sync()
    #expect(outcome.refused == [RefusedAddressBook(name: name, reason: .name)])
    #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/cards") == ["work"])
    #expect(
      runs == [
        "discover --no-list server cards", "discover --no-list cards", "sync cards/work", "metasync cards",
      ])
  }

  @Test(arguments: ["work", "contacts~1", "A%20B", "from b", "工作", "a..b", "-rf", "5e7a_x", "a b", "null"])
  func otherNamesAreThoseOfFolders(name: String) {
    #expect(AddressBookCache.isFolderName(name))
  }

  @Test func anAddressBookWithoutEncryptionIsRefused() throws {
    try cache("server", [("far", nil, "http://dav.example.org/far/"), ("odd", nil, "ftp://dav.example.org/odd/")])
    try cache("cards", [])
    let (outcome, runs) = try sync()
    #expect(outcome.refused.map(\.reason) == [.clearText, .clearText])
    #expect(runs == ["discover --no-list server cards"])
  }

  /// What vdirsyncer will use is checked again, after it was looked up for the second time.
  @Test func anotherAnswerInBetweenIsNoticed() throws {
    let good = (name: "work", folder: root + "/cards/work" as String?, url: "https://dav.example.org/work/" as String?)
    let bad = [
      [], [good, (name: "../other", folder: folder.path + "/other", url: good.url)],
      [(name: "work", folder: folder.path + "/other", url: good.url)],
      [(name: "work", folder: root + "/cards/../../other", url: good.url)],
      [(name: "work", folder: nil, url: good.url)],
      [(name: "work", folder: good.folder, url: "http://dav.example.org/")],
    ]
    try cache("server", [(good.name, nil, good.url)])
    for books in bad {
      try cache("cards", books)
      #expect(throws: Vdirsyncer.Failure.failed([VdirsyncerProblem(.changed)])) { try sync() }
    }
    try cache("cards", [good])
    #expect(try sync().runs.contains("sync cards/work"))
    // A link that leads out of the account's folder.
    #expect(rmdir(root + "/cards/work") == 0 && symlink(folder.path + "/other", root + "/cards/work") == 0)
    #expect(throws: Vdirsyncer.Failure.failed([VdirsyncerProblem(.changed)])) { try sync() }
  }

  @Test func onlyAFetchChangesNothingOnTheServer() throws {
    try cache("server", [("work", nil, "https://dav.example.org/work/")])
    try cache("cards", [("work", root + "/cards/work", "https://dav.example.org/work/")])
    for uploads in [false, true] {
      let runs = try sync(uploads: uploads).runs
      #expect(runs.contains("sync cards/work") && runs.contains("metasync cards") == uploads)
      func has(_ text: String, _ file: String) -> Bool {
        String(decoding: FileManager.default.contents(atPath: root + file) ?? Data(), as: UTF8.self).contains(text)
      }
      #expect(has("partial_sync = \"ignore\"\n", "/vdirsyncer.conf") != uploads)
      #expect(has("\nCardDAVStorage.read_only = True\n", "/python/sitecustomize.py") != uploads)
    }
  }

  // MARK: - Problems

  private func fail(_ name: String, _ message: String?) throws {
    let path = root + "/" + name + ".error"
    if let message { try Data((message + "\n").utf8).write(to: URL(fileURLWithPath: path)) } else { unlink(path) }
  }

  /// vdirsyncer stops all address books when it cannot sync one.
  @Test func oneAddressBookDoesNotDisturbAnother() throws {
    try cache("server", ["a", "b", "c"].map { ($0, nil, "https://dav.example.org/\($0)/") })
    try cache("cards", ["a", "b", "c"].map { ($0, root + "/cards/" + $0, "https://dav.example.org/\($0)/") })
    try fail("b", "error: Unknown error occurred for cards/b: 403, message='Forbidden', url=URL('https://x/b/1.vcf')")
    let first = try sync()
    #expect(first.outcome.problems == [VdirsyncerProblem(.readOnly, "b")])
    #expect(
      first.runs.dropFirst(2) == [
        "sync cards/a cards/b cards/c", "sync cards/a", "sync cards/b", "sync cards/c", "metasync cards",
      ])
    // That it is read-only is said once, and it no longer stops the others.
    let second = try sync(discovers: false)
    #expect(second.outcome.problems.isEmpty && second.runs == ["sync cards/a cards/c", "sync cards/b"])
    try fail("b", nil)
    #expect(try sync(discovers: false).outcome.problems.isEmpty)
    try fail("b", "error: Unknown error occurred for cards/b: 403, message='Forbidden', url='https://x/b/1.vcf'")
    #expect(try sync(discovers: false).outcome.problems == [VdirsyncerProblem(.readOnly, "b")])
    try fail("b", nil)

    // Only the folder that the user emptied is emptied on the server.
    for name in ["a", "c"] {
      try fail(name, "error: cards/\(name): Storage \"local\" was completely emptied. If you want to delete ALL")
    }
    let emptied = try sync(discovers: false, empty: ["c"])
    #expect(emptied.outcome.problems.map(\.reason) == [.emptied, .emptied])
    #expect(emptied.runs.filter { $0.contains("force") } == ["sync --force-delete cards/c"])

    // Nothing else is tried if the server is away.
    for name in ["a", "c"] { try fail(name, nil) }
    try fail("a", "error: Unknown error occurred for cards/a: Cannot connect to host x:443 ssl:default [Timeout]")
    let away = try sync()
    #expect(away.outcome.problems == [VdirsyncerProblem(.unreachable, "a")])
    #expect(away.runs.last == "sync cards/a cards/b cards/c")
  }

  @Test func aFailedDiscoveryLeavesTheAddressBooksAlone() throws {
    try cache("server", [("a", nil, "https://dav.example.org/a/")])
    try cache("cards", [("a", root + "/cards/a", "https://dav.example.org/a/")])
    _ = try sync()
    try fail("discover", "error: Unknown error occurred: 401, message='Unauthorized', url=URL('https://x/')")
    #expect(throws: Vdirsyncer.Failure.failed([VdirsyncerProblem(.unauthorized)])) { try sync() }
    #expect(try sync(discovers: false).runs == ["sync cards/a"])
  }

  /// vdirsyncer reads a value as JSON, after Python's parser of configurations.
  @Test(.enabled(if: access("/usr/bin/python3", X_OK) == 0, "python3 is not installed"))
  func everyTextIsOneValue() throws {
    let odd = "a\"b\\c'%(x)s %s ${y}\n[pair evil]\r\n\u{2028}\u{85}#;= \t李 😀\u{0}"
    let account = Account(name: "dav", url: odd, user: odd, passwordCommand: "x", keepsLocal: false)
    let configuration = VdirsyncerConfiguration(
      account: account, root: "/" + odd, program: odd, addressBooks: ["from a", odd])
    #expect(configuration.text.utf8.allSatisfy { $0 < 0x7F })
    let reader = """
      import configparser, json, sys
      parser = configparser.RawConfigParser()
      parser.read_string(sys.stdin.read())
      print(json.dumps({name: {key: json.loads(value) for key, value in parser.items(name)} for name in parser.sections()}))
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", reader]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(configuration.text.utf8))
    try input.fileHandleForWriting.close()
    let read = try JSONSerialization.jsonObject(with: try output.fileHandleForReading.readToEnd() ?? Data())
    process.waitUntilExit()
    let sections = try #require(read as? [String: [String: Any]])
    #expect(sections.keys.sorted() == ["general", "pair cards", "pair server", "storage local", "storage remote"])
    #expect(sections["storage remote"]?["url"] as? String == odd)
    #expect(sections["storage remote"]?["username"] as? String == odd)
    #expect(sections["general"]?["status_path"] as? String == "/" + odd + "/status/")
    #expect(
      sections["pair cards"]?["collections"] as? [[String]] == [["from a", "from a", "from a"], [odd, odd, odd]])
    #expect(
      sections["pair cards"]?["conflict_resolution"] as? [String] == [
        "command", odd, "merge-cards", "/" + odd + "/former",
      ])
  }
}
