import Foundation
import SharedMaterial
import Testing

/// What is said if a server does not do what is asked: in words of this program, with what to do.
@Suite(.enabled(if: FaultyCardDAVServer.isInstalled, "python3 or vdirsyncer is not installed"))
struct ServerErrorTests {
  private let program: Program

  init() throws { program = try Program() }

  private func add(_ url: String, _ options: String...) throws {
    let login = ["--user", "me", "--password-command", "echo x", "--name", "dav"]
    #expect(try program.run(["account", "add", url] + login + options).status == 0)
  }

  private func sync(
    exits status: Int32, says text: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let result = try program.run("sync")
    #expect(result.status == status && result.errors.contains(text), "\(result.errors)", sourceLocation: location)
    for word in ["vdebug", "Traceback", "Failed/", "issue tracker"] {
      #expect(!result.errors.contains(word), "\(result.errors)", sourceLocation: location)
    }
  }

  @Test(arguments: [
    ("*=401", "does not accept the user or the password"), ("*=403", "does not allow this user"),
    ("*=404", "no CardDAV server"), ("*=501", "no CardDAV server"), ("*=503", "503 Service Unavailable"),
  ]) func anAnswerIsExplained(refusal: String, text: String) throws {
    let server = try FaultyCardDAVServer("own", options: ["--refuse", refusal])
    try add(server.url)
    try sync(exits: 3, says: text)
  }

  @Test func aServerThatIsAwayIsNamed() throws {
    let server = try FaultyCardDAVServer("own")
    try add(server.url)
    server.stop()
    try sync(exits: 3, says: server.url + " does not answer")
  }

  @Test func aServerWithoutAddressBooksIsReported() throws {
    let server = try FaultyCardDAVServer()
    try add(server.url)
    try sync(exits: 1, says: "no address book was found at " + server.url)
  }

  @Test func aFailedPasswordCommandIsNamed() throws {
    let server = try FaultyCardDAVServer("own")
    for (name, command) in [("a", "exit 3"), ("b", "true")] {
      let login = ["--user", "me", "--password-command", command, "--name", name]
      #expect(try program.run(["account", "add", server.url] + login).status == 0)
      try sync(exits: 3, says: command)
      #expect(try program.run("account", "remove", name).status == 0)
    }
    #expect(try server.requests().isEmpty)
  }

  /// Changes to an address book that the user may not change stay here, which is said once; others are uploaded.
  @Test func aReadOnlyAddressBookDoesNotDisturbAnother() throws {
    let refusals = ["PUT=403=/home/fixed/", "DELETE=403=/home/fixed/"].flatMap { ["--refuse", $0] }
    let server = try FaultyCardDAVServer("fixed", "own", options: refusals)
    try add(server.url, "--keep-local")
    #expect(try program.run("sync").status == 0)
    for name in ["Given0", "Given1"] {
      let id = try #require(try program.contacts(name).first?["id"] as? Int)
      #expect(try program.run("edit", String(id), "--set", "title=Poet").status == 0)
    }
    try sync(exits: 1, says: "dav, fixed: the server does not allow changes to this address book")
    let uploads = try server.requests().filter { $0.method == "PUT" && $0.path.hasPrefix("/home/own/") }
    #expect(uploads.count == 1 && uploads.allSatisfy { $0.body.contains("TITLE:Poet") })
    #expect(
      try program.run("account", "list", "--format", "tsv").lines.map { $0.contains("read-only") } == [
        false, true, false,
      ])
    let again = try program.run("sync")
    #expect(again.status == 0 && !again.errors.contains("allow"), "\(again.errors)")
    #expect(try program.contacts("Given0").first?["title"] as? String == "Poet")
  }

  private func makeCertificate() throws -> (file: String, fingerprint: String) {
    let file = program.folder.path + "/server.pem"
    let made = try CommandResult.run(
      "/usr/bin/openssl",
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=me", "-keyout", file, "-out", file + ".cert"],
      environment: [:])
    #expect(made.status == 0)
    let certificate = try String(contentsOfFile: file + ".cert", encoding: .utf8)
    let key = try String(contentsOfFile: file, encoding: .utf8)
    try (key + certificate).write(toFile: file, atomically: true, encoding: .utf8)
    let shown = try CommandResult.run(
      "/usr/bin/openssl", ["x509", "-in", file + ".cert", "-noout", "-fingerprint", "-sha256"], environment: [:])
    let fingerprint = try #require(
      shown.output.split(separator: "=").last?.trimmingCharacters(in: .whitespacesAndNewlines))
    return (file, fingerprint)
  }

  /// A server names another one without encryption, or redirects to it: it gets no request, and so no password.
  @Test(
    .enabled(if: access("/usr/bin/openssl", X_OK) == 0, "openssl is not installed"),
    arguments: ["--principal", "--home", "--redirect"], [false, true])
  func thePasswordIsNotSentUnencrypted(option: String, isEncrypted: Bool) throws {
    let other = try FaultyCardDAVServer("own")
    let options = [option, other.url + (option == "--principal" ? "user/" : "home/")]
    if isEncrypted {
      let (file, fingerprint) = try makeCertificate()
      let server = try FaultyCardDAVServer("own", options: options + ["--certificate", file])
      try add(server.url, "--certificate-fingerprint", fingerprint)
      try sync(exits: 3, says: "not encrypted")
    } else {
      let server = try FaultyCardDAVServer("own", options: options)
      try add(server.url)
      try sync(exits: 3, says: "not encrypted")
    }
    #expect(try other.requests().isEmpty)
  }

  @Test(.enabled(if: access("/usr/bin/openssl", X_OK) == 0, "openssl is not installed"))
  func aCertificateIsTrustedByItsFingerprint() throws {
    let (file, fingerprint) = try makeCertificate()
    let server = try FaultyCardDAVServer("own", options: ["--certificate", file])
    try add(server.url)
    try sync(exits: 3, says: "--certificate-fingerprint")
    #expect(try program.run("account", "remove", "dav").status == 0)
    try add(server.url, "--certificate-fingerprint", (fingerprint.hasPrefix("A") ? "B" : "A") + fingerprint.dropFirst())
    try sync(exits: 3, says: "another fingerprint")
    #expect(try server.requests().isEmpty)
    #expect(try program.run("account", "remove", "dav").status == 0)
    try add(server.url, "--certificate-fingerprint", fingerprint)
    #expect(try program.run("sync").status == 0)
    #expect(try program.contacts().count == 1)
  }

  @Test func whatCannotWorkIsRefusedAtOnce() throws {
    let login = ["--user", "me", "--password-command", "echo x"]
    for url in ["https://www.googleapis.com/carddav/v1/principals/me/lists/default/", "https://Google.com"] {
      let result = try program.run(["account", "add", url] + login)
      #expect(result.status == 2 && result.errors.contains("addressbook import"), "\(result.errors)")
    }
    #expect(try program.run(["account", "add", "https://google.com.example.org/"] + login).status == 0)
    let digits = String(repeating: "ab", count: 32)
    for (url, text) in [("https://x.org/", "abc"), ("https://x.org/", digits + "0"), ("http://localhost/", digits)] {
      let arguments = ["account", "add", url, "--certificate-fingerprint", text] + login
      #expect(try program.run(arguments).status == 2, "\(url) \(text)")
    }
  }
}
