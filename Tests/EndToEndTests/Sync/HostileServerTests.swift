import Foundation
import Testing

/// Accounts on servers that the user should not trust.
@Suite(.enabled(if: FaultyCardDAVServer.isInstalled, "python3 or vdirsyncer is not installed"))
struct HostileServerTests {
  private let program: Program

  init() throws { program = try Program() }

  private func add(_ server: String, _ name: String, _ options: String...) throws -> Program.Result {
    let login = ["--user", "me", "--password-command", "echo x", "--keep-local", "--name", name]
    return try program.run(["account", "add", server] + login + options)
  }

  /// An address book whose name leads to the cards of another account, or elsewhere, is refused by name; the others are
  /// synced.
  @Test func addressBooksAreOnlyFoldersOfTheirAccount() throws {
    let good = try FaultyCardDAVServer("contacts")
    #expect(try add(good.url, "good").status == 0)
    #expect(try program.run("sync").status == 0)
    let cards = program.book + ".accounts/good/cards/contacts/"
    let names = try FileManager.default.contentsOfDirectory(atPath: cards).sorted()
    let contents = names.map { FileManager.default.contents(atPath: cards + $0) }
    let above = Array(repeating: "..%2f", count: program.folder.path.split(separator: "/").count + 5).joined()
    let bad = try FaultyCardDAVServer(
      "..%2f..%2fgood%2fcards%2fcontacts", "%2e%2e", "..%252f..%252fgood", ".hidden", "%00",
      above + program.folder.path.dropFirst().replacingOccurrences(of: "/", with: "%2f") + "%2fplanted", "own")
    #expect(try add(bad.url, "bad").status == 0)
    for _ in 0..<2 {
      let result = try program.run("sync")
      #expect(result.status == 1, "\(result.errors)")
      for name in ["../../good/cards/contacts", "“..”", "..%2f..%2fgood", ".hidden", "/planted"] {
        #expect(result.errors.contains(name), "\(name) in \(result.errors)")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: cards).sorted() == names)
    #expect(names.map { FileManager.default.contents(atPath: cards + $0) } == contents)
    #expect(try FileManager.default.contentsOfDirectory(atPath: program.book + ".accounts/bad/cards") == ["own"])
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/planted"))
    #expect(try program.contacts().count == 2)
    for request in try bad.requests() {
      #expect(["PROPFIND", "REPORT", "PROPPATCH"].contains(request.method), "\(request)")
      #expect(request.method != "REPORT" || request.path == "/home/own/", "\(request)")
    }
  }

  /// A password goes over plain HTTP only to this machine, or if the user asks for it.
  @Test func aPasswordIsNotSentInClear() throws {
    for url in ["http://192.0.2.1/", "HTTP://dav.example.org/", "http://127.0.0.1.example.org/"] {
      let refused = try add(url, "far")
      #expect(refused.status == 2 && refused.errors.contains("--no-tls"), "\(refused.errors)")
    }
    #expect(try add("http://dav.example.org/", "asked", "--no-tls").status == 0)
    #expect(try program.run("account", "remove", "asked").status == 0)
    // Nobody logs in here.
    #expect(try program.run("account", "add", "http://dav.example.org/", "--name", "open").status == 0)
    #expect(try program.run("account", "remove", "open").status == 0)

    // An account that was added before this was checked, and a server that names an address book elsewhere.
    let near = try FaultyCardDAVServer("http://192.0.2.1/home/elsewhere/")
    #expect(try add(near.url, "near").status == 0)
    let result = try program.run("sync")
    #expect(result.status == 1 && result.errors.contains("elsewhere"), "\(result.errors)")
    let file = program.book + ".accounts/near/account.json"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacingOccurrences(of: near.url, with: "http://192.0.2.1/").write(
      toFile: file, atomically: true, encoding: .utf8)
    let old = try program.run("sync")
    #expect(old.status == 3 && old.errors.contains("192.0.2.1"), "\(old.errors)")
  }
}
