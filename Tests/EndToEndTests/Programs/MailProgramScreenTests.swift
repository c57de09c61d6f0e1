import Foundation
import Testing

/// Real mutt, neomutt and aerc in tmux, which run the program for their queries. Each is skipped if it is not
/// installed.
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

  /// Returns an existing folder; mutt would ask whether to create a missing one.
  private func folder(_ session: TerminalSession) -> String {
    URL(fileURLWithPath: session.book).deletingLastPathComponent().path
  }

  private func file(_ name: String, _ text: String, _ session: TerminalSession) throws -> String {
    let path = folder(session) + "/" + name
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
      set folder="\(folder(session))" spoolfile="" sendmail="/bin/true" record=""
      set abort_nosubject=no abort_unmodified=no postpone=no editor=true
      source \(aliases)

      """, session)
    let box = try file("box", "", session)
    try session.type("clear; \(mail) -n -F \(configuration) -f \(box)\n")
    try session.wait("the list of messages") { !$0.contains("muttrc") && $0.contains("Help") || $0.contains("q:Quit") }
    // `Q` asks for a query and shows what was found.
    try session.type("Q")
    try session.wait(for: "uery")
    try session.type("zengg\n")
    let found = try session.wait(for: "zeng@example.com", "曾国藩")
    #expect(!found.contains("\t") && !found.contains("addressbook:"))
    try session.type("q")
    // Without a match, mutt shows only the message in the first line of the output.
    try session.type("Q")
    try session.wait(for: "uery")
    try session.type("nobody")
    try session.wait(for: "nobody")
    try session.type("\n")
    // neomutt does not show the message for long enough to be seen by a test.
    if mail == "mutt" { try session.wait(for: "no email address matches") } else { try session.wait(forNo: "nobody") }
    #expect(try !session.screen().contains("addressbook:"))
    // The alias of a Chinese name is its pinyin.
    for (alias, recipient) in [("zengguofan", "曾国藩 <zeng@example.com>"), ("ann.ames", "Ann Ames <ann@example.com>")] {
      try session.type("m")
      try session.wait(for: "To:")
      try session.type(alias + "\n")
      try session.wait(for: "Subject:")
      try session.type("\n")
      try session.wait(for: "y:Send", "To: \(recipient)\n")
      try session.type("q")
      try session.wait(forNo: "y:Send")
    }
  }

  @Test(.enabled(if: isInstalled("aerc"), "aerc is not installed"))
  func aercCompletesAddresses() throws {
    let session = try session()
    let folder = folder(session)
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
    let screen = try session.wait(for: "zeng@example.com", "曾国藩")
    #expect(!screen.contains("addressbook:"))
  }

  // MARK: - The macros of Documentation/Mail.md

  private static let mail = """
    From: Grace Hopper <grace@example.org>
    To: me@example.com
    Subject: Hello
    Date: Mon, 23 Nov 2026 10:00:00 +0000
    Message-ID: <1@example.org>

    Hi

    """

  /// Returns the lines of the documented macros from the first that begins with `first` to the next that begins with
  /// `last`, without the latter.
  private func macros(from first: String, to last: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let lines = try String(contentsOf: root.appending(path: "Documentation/Mail.md"), encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix(first) })
    let end = try #require(lines[start...].firstIndex { $0.hasPrefix(last) })
    return lines[start..<end].joined(separator: "\n") + "\n"
  }

  /// Makes a session whose shell finds the program under its name.
  private func sessionWithProgram() throws -> TerminalSession {
    let session = try session()
    let program = try file("bin/addressbook", "#!/bin/sh\nexec '\(Program.path)' \"$@\"\n", session)
    chmod(program, 0o700)
    try session.type("clear; PATH=\(URL(fileURLWithPath: program).deletingLastPathComponent().path):$PATH\n")
    return session
  }

  @Test(arguments: programs)
  func macrosAddASenderAndWriteToAContact(_ mail: String) throws {
    let session = try sessionWithProgram()
    let macros = try macros(from: "# muttrc", to: "# or, instead").replacing("mutt --", with: mail + " --")
    #expect(macros.contains("add-email") && macros.contains("pick --email"))
    let settings = "set folder=\"\(folder(session))\" spoolfile=\"\" sendmail=\"/bin/true\" record=\"\"\n"
    // The program that the macro starts reads the same settings.
    let configuration = try file(".muttrc", settings + macros, session)
    let box = try file("box", "From grace@example.org Mon Nov 23 10:00:00 2026\n" + Self.mail + "\n", session)
    try session.type("clear; \(mail) -n -F \(configuration) -f \(box)\n")
    try session.wait(for: "Hello")
    // From the index, and the second time from the pager.
    try session.type("A")
    try session.wait(for: "ress any key", "added grace@example.org as a new contact")
    try session.press("Space")
    try session.wait(forNo: "ress any key")
    #expect(try session.run("query", "hopper", "--no-header").output == "grace@example.org\tGrace Hopper\t\n")
    try session.press("Enter")
    try session.wait(for: "Message-ID")
    try session.type("A")
    try session.wait(for: "ress any key")
    try session.press("Space")
    try session.wait(forNo: "ress any key")
    #expect(try session.run("list", "hopper", "--format", "tsv").output.split(separator: "\n").count == 1)
    // The screen as a chooser: it reads its keys from the mail program's terminal, and gives the terminal back.
    try session.type("B")
    try session.wait(for: "choose")
    try session.type("hopper\n")
    try session.wait(for: "To: grace@example.org")
    try session.press("C-g")
    try session.wait(for: "ress any key")
    try session.press("Space")
    try session.wait(for: "Message-ID")
    // Nothing is written to if nothing is chosen.
    try session.type("B")
    try session.wait(for: "choose")
    try session.press("Escape")
    try session.wait(for: "ress any key")
  }

  @Test(.enabled(if: isInstalled("aerc"), "aerc is not installed"))
  func aercAddsASender() throws {
    let session = try sessionWithProgram()
    let folder = folder(session)
    for name in ["new", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/mail/INBOX/\(name)", withIntermediateDirectories: true)
    }
    _ = try file("mail/INBOX/cur/1.mail:2,S", Self.mail, session)
    _ = try file("config/aerc/aerc.conf", "[ui]\nthreading-enabled=false\n", session)
    _ = try file("config/aerc/binds.conf", macros(from: "[messages]", to: "```"), session)
    _ = try file(
      "config/aerc/accounts.conf",
      "[me]\nsource = maildir://\(folder)/mail\ndefault = INBOX\nfrom = Me <me@example.com>\noutgoing = /bin/true\n",
      session)
    try session.type("clear; aerc\n")
    try session.wait(for: "Hello")
    // aerc drops keys until it has opened the folder, and does not show when that is done.
    var typed = Date.distantPast
    let screen = try session.wait("the sender to be added") { screen in
      if screen.contains("Connected"), typed.timeIntervalSinceNow < -2 {
        try? session.type("A")
        typed = Date()
      }
      return screen.contains("grace@example.org")
    }
    #expect(!screen.contains("addressbook:"))
    #expect(try session.run("query", "hopper", "--no-header").output == "grace@example.org\tGrace Hopper\t\n")
  }
}
