import Foundation
import Testing

/// Real mutt, neomutt and aerc in tmux, which ask the program while somebody types. Each is skipped where it is not installed.
@Suite(.serialized)
struct MailProgramScreenTests {
  private static func isInstalled(_ name: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + name)
  }

  private func session() throws -> TerminalSession {
    let session = try TerminalSession()
    try session.run("add", "--set", "given=国藩", "--set", "family=曾", "--set", "email[home]=<zeng@example.com>")
    try session.run(
      "add", "--set", "given=Ann", "--set", "family=Ames", "--set", "email=no address", "--set",
      "email[work]=ann@example.com")
    return session
  }

  private func file(_ name: String, _ text: String, _ session: TerminalSession) throws -> String {
    let path = URL(fileURLWithPath: session.book).deletingLastPathComponent().appendingPathComponent(name).path
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    chmod(path, 0o600)
    return path
  }

  private static let programs = ["mutt", "neomutt"].filter(isInstalled)

  @Test(arguments: programs)
  func queriesAndAliases(_ mail: String) throws {
    let session = try session()
    let aliases = try file("aliases", session.run("export", "--format", "mutt").output, session)
    let configuration = try file(
      "muttrc",
      """
      set query_command = "\(Program.path) query %s"
      set folder="/nonexistent" spoolfile="" sendmail="/bin/true" record="" abort_nosubject=no
      source \(aliases)

      """, session)
    let box = try file("box", "", session)
    try session.type("clear; \(mail) -n -F \(configuration) -f \(box)\n")
    try session.wait("the index") { !$0.contains("muttrc") && $0.contains("Help") || $0.contains("q:Quit") }
    // `Q` asks for a query and shows what was found.
    try session.type("Q")
    try session.wait(for: "uery")
    try session.type("zengg\n")
    try session.wait(for: "zeng@example.com")
    let found = try session.screen()
    #expect(found.contains("曾国藩") && !found.contains("\t") && !found.contains("addressbook:"))
    try session.type("q")
    // Nobody: the message of the first line, and nothing else.
    try session.type("Q")
    try session.wait(for: "uery")
    try session.type("nobody\n")
    // neomutt does not show the message for long enough to be seen by a test.
    if mail == "mutt" { try session.wait(for: "no match") } else { try session.wait(forNo: "nobody") }
    #expect(try !session.screen().contains("addressbook:"))
    // An alias by its sound.
    try session.type("m")
    try session.wait(for: "To:")
    try session.type("zengguofan\n")
    try session.wait(for: "Subject:")
    try session.press("C-g")
    try session.type("m")
    try session.wait(for: "To:")
    try session.type("ann.ames\n")
    try session.wait(for: "Subject:")
  }

  @Test(.enabled(if: isInstalled("aerc")))
  func aercCompletesAddresses() throws {
    let session = try session()
    let folder = URL(fileURLWithPath: session.book).deletingLastPathComponent().path
    try FileManager.default.createDirectory(atPath: folder + "/mail/cur", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder + "/mail/new", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder + "/mail/tmp", withIntermediateDirectories: true)
    _ = try file(
      "config/aerc/aerc.conf",
      "[compose]\naddress-book-cmd=\(Program.path) query --no-header \"%s\"\neditor=tail -f\n", session)
    _ = try file(
      "config/aerc/accounts.conf",
      "[me]\nsource = maildir://\(folder)/mail\nfrom = Me <me@example.com>\noutgoing = /bin/true\n", session)
    try session.type("clear; aerc\n")
    try session.wait("aerc's list") { $0.contains("me") && !$0.contains("$ ") }
    try session.type(":compose\n")
    try session.wait(for: "To:")
    try session.type("zengg")
    let screen = try session.wait(for: "zeng@example.com")
    #expect(screen.contains("曾国藩") && !screen.contains("addressbook:"))
  }
}
