import Foundation
import Glibc
import Testing

/// Accounts on a real server: Radicale on this machine, through the real vdirsyncer.
@Suite(.enabled(if: CardDAVServer.isInstalled, "radicale, vdirsyncer or curl is not installed"), .serialized)
struct AccountTests {
  private let server: CardDAVServer
  private let program: Program

  init() throws {
    server = try CardDAVServer()
    program = try Program()
  }

  private func card(_ uid: String, _ lines: String...) -> String {
    (["BEGIN:VCARD", "VERSION:3.0", "UID:" + uid] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
  }

  private func addAccount(_ options: String...) throws {
    let arguments = ["account", "add", server.url, "--user", "tester", "--password-command", "echo x", "--name", "dav"]
    #expect(try program.run(arguments + options).status == 0)
  }

  @discardableResult
  private func sync(_ options: String..., exits status: Int32 = 0, location: SourceLocation = #_sourceLocation) throws
    -> Program.Result
  {
    let result = try program.run(["sync"] + options)
    #expect(result.status == status, "\(result.errors)", sourceLocation: location)
    return result
  }

  /// A card that one machine moves between two address books while another edits it.
  @Test func twoMachinesWithOneServerConverge() throws {
    try server.put(card("ann", "N:Lee;Ann;;;", "FN:Ann Lee", "TEL:1", "X-KEEP:1"), "private/ann.vcf")
    try server.put(card("bob", "N:Berg;Bob;;;", "FN:Bob Berg"), "work/bob.vcf")
    // vdirsyncer would ask before it empties an address book.
    try server.put(card("cy", "N:Twombly;Cy;;;", "FN:Cy Twombly"), "private/cy.vcf")
    let machines = [program, try Program()]
    let account = ["account", "add", server.url, "--user", "tester", "--password-command", "echo x", "--name", "dav"]
    for machine in machines {
      #expect(try machine.run(account).status == 0)
      #expect(try machine.run("sync").status == 0)
    }
    #expect(try machines[0].run("folder", "move", "work", "ann").status == 0)
    #expect(try machines[0].run("edit", "ann", "--set", "title=Poet").status == 0)
    #expect(try machines[1].run("edit", "ann", "--set", "phone[mobile]=2", "--set", "note=n").status == 0)
    for machine in machines + machines { #expect(try machine.run("sync").status == 0) }
    let before = try (server.versions("private"), server.versions("work"))
    #expect(before.0.count == 1 && before.1.count == 2)
    for machine in machines {
      #expect(try machine.run("sync").errors.contains("nothing to do"))
      let ann = try #require(try machine.contacts().first { $0["uid"] as? String == "ann" })
      #expect(ann["title"] as? String == "Poet" && ann["note"] as? String == "n")
      #expect(Set(((ann["phones"] as? [[String: Any]]) ?? []).compactMap { $0["value"] as? String }) == ["1", "2"])
      #expect(try machine.run("folder", "list", "work").output.contains("Ann Lee"))
    }
    #expect(try before == (server.versions("private"), server.versions("work")))
    let name = try #require(before.1.keys.first { $0.contains("ann") })
    #expect(try server.get("work/" + name).contains("X-KEEP:1"))
  }

  /// A group with a card on the server, and one in the cards of its members.
  @Test func groupsAreEditedOnBothSides() throws {
    for uid in ["ann", "bob", "eva"] {
      try server.put(card(uid, "N:Lee;\(uid);;;", "FN:\(uid) Lee", "CATEGORIES:Choir"), "private/\(uid).vcf")
    }
    func putTeam(_ name: String, _ members: String...) throws {
      let lines = ["N:\(name);;;;", "FN:\(name)", "X-ADDRESSBOOKSERVER-KIND:group", "X-KEEP:1"]
      let text = lines + members.map { "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:" + $0 }
      try server.put(
        card("team").replacingOccurrences(
          of: "END:", with: text.joined(separator: "\r\n") + "\r\nEND:"), "private/team.vcf")
    }
    func groups(_ uid: String) throws -> Set<String> { Set(try contact(uid)?["groups"] as? [String] ?? []) }
    try putTeam("Team", "ann", "bob")
    try addAccount()
    try sync()
    #expect(try groups("ann") == ["Choir", "Team"] && groups("eva") == ["Choir"])
    try putTeam("Crew", "bob")
    try server.put(
      server.get("private/eva.vcf").replacingOccurrences(of: "CATEGORIES:Choir\r\n", with: ""), "private/eva.vcf")
    try sync()
    #expect(try groups("ann") == ["Choir"] && groups("bob") == ["Choir", "Crew"] && groups("eva") == [])
    for (command, group, uid) in [("add", "Crew", "eva"), ("add", "Band", "ann"), ("remove", "Choir", "ann")] {
      #expect(try program.run("group", command, group, uid).status == 0)
    }
    #expect(try program.run("group", "rename", "Crew", "Gang").status == 0)
    try sync()
    let team = try server.get("private/team.vcf")
    for text in ["FN:Gang", "urn:uuid:bob", "urn:uuid:eva", "X-KEEP:1"] { #expect(team.contains(text), "\(team)") }
    #expect(try server.get("private/ann.vcf").contains("CATEGORIES:Band"))
    #expect(try !server.get("private/eva.vcf").contains("CATEGORIES"))
    // Both at once.
    try putTeam("Gang", "eva", "ann")
    #expect(try program.run("group", "remove", "Gang", "eva").status == 0)
    try sync()
    #expect(try groups("ann") == ["Band", "Gang"] && groups("bob") == ["Choir"] && groups("eva") == [])
    #expect(try server.get("private/team.vcf").components(separatedBy: "urn:uuid:").dropFirst().count == 1)
    #expect(try sync().errors.contains("nothing to do"))
  }

  private func contact(_ uid: String) throws -> [String: Any]? {
    try program.contacts().first { $0["uid"] as? String == uid }
  }

  @Test func editsOfBothSidesArrive() throws {
    try server.put(
      card(
        "ann", "N:Lee;Ann;;;", "FN:Ann Lee", "TITLE:Editor", "item1.TEL:1", "item1.X-ABLabel:Boat", "X-FOO;X-P=1:bar"),
      "private/ann.vcf")
    try server.put(card("bob", "N:Berg;Bob;;;", "FN:Bob Berg"), "work/bob.vcf")
    try addAccount()
    try sync()
    #expect(try program.contacts().map { $0["name"] as? String } == ["Ann Lee", "Bob Berg"])
    #expect(try program.run("account", "list").output.contains("private"))

    // Different fields of one card, a new contact in the book, a deletion on the server.
    try program.run("edit", "ann", "--set", "title=Poet")
    try program.run("add", "--set", "family=王", "--set", "given=小明")
    try server.put(
      server.get("private/ann.vcf").replacingOccurrences(of: "FN:Ann Lee", with: "FN:Ann Lee\r\nNICKNAME:Annie"),
      "private/ann.vcf")
    try server.delete("work/bob.vcf")
    try sync("--force-delete")
    let ann = try #require(try contact("ann"))
    #expect(ann["title"] as? String == "Poet" && ann["nickname"] as? String == "Annie")
    let stored = try server.get("private/ann.vcf")
    for text in ["TITLE:Poet", "NICKNAME:Annie", "X-FOO;X-P=1:bar"] { #expect(stored.contains(text), "\(text)") }
    #expect(stored.uppercased().contains("ITEM1.X-ABLABEL:BOAT"))
    #expect(try contact("bob") == nil)
    #expect(try program.run("trash", "list").output.contains("Bob Berg"))
    #expect(try server.versions("private").count == 2)

    // A deletion in the book.
    try program.run("delete", "ann")
    try sync()
    #expect(try server.get("private/ann.vcf").isEmpty)
  }

  @Test func aDryRunNamesAnAccountThatWasNeverSynced() throws {
    try addAccount()
    #expect(try sync("--dry-run").errors.contains("dav: not synced yet"))
    try server.put(card("ann", "FN:Ann Lee"), "private/ann.vcf")
    try sync()
    #expect(try !sync("--dry-run").errors.contains("not synced yet"))
  }

  @Test func aConflictIsLeftToTheUser() throws {
    try server.put(card("ann", "N:Lee;Ann;;;", "FN:Ann Lee", "TITLE:Editor"), "private/ann.vcf")
    try addAccount()
    try sync()
    try program.run("edit", "ann", "--set", "title=Baker")
    try server.put(server.get("private/ann.vcf").replacingOccurrences(of: "Editor", with: "Chef"), "private/ann.vcf")
    #expect(try sync(exits: 1).errors.contains("Baker"))
    #expect(try contact("ann")?["title"] as? String == "Baker")
    #expect(try server.get("private/ann.vcf").contains("TITLE:Chef"))
    try sync("--prefer", "book")
    #expect(try server.get("private/ann.vcf").contains("TITLE:Baker"))
    #expect(try sync().errors.contains("nothing to do"))
  }

  /// vdirsyncer would refuse to empty an address book.
  @Test func theLastContactOfAnAddressBookIsMoved() throws {
    try server.put(card("ann", "N:Lee;Ann;;;", "FN:Ann Lee", "X-KEEP:1"), "private/ann.vcf")
    try server.put(card("bob", "N:Berg;Bob;;;", "FN:Bob Berg"), "work/bob.vcf")
    try addAccount()
    try sync()
    #expect(try program.run("folder", "move", "work", "ann").status == 0)
    try sync()
    #expect(try server.versions("private").isEmpty && server.versions("work").count == 2)
    #expect(try program.run("undo").status == 0)
    try sync()
    #expect(try server.get("private/ann.vcf").contains("X-KEEP:1") && server.versions("work").count == 1)
    // The server gets the name, but not the color.
    #expect(try program.run("folder", "rename", "private", "Home").status == 0)
    #expect(try program.run("folder", "color", "Home", "#00FF00").status == 0)
    try sync()
    #expect(try server.displayName("private") == "Home")
    #expect(try program.run("folder", "rename", "Home", "家").status == 0)
    try sync()
    #expect(try server.displayName("private") == "家")
    #expect(try program.run("folder", "--format", "tsv").output.contains("1\t家\t#00FF00\t"))
    // If another client deletes the last card, the deletion must be confirmed with `--force-delete`.
    try server.delete("private/ann.vcf")
    #expect(try sync(exits: 3).errors.contains("addressbook sync --force-delete"))
    #expect(try contact("ann") != nil)
  }

  @Test func editsWhileTheServerIsDownAreMergedLater() throws {
    try server.put(card("ann", "N:Lee;Ann;;;", "FN:Ann Lee", "TITLE:Editor"), "private/ann.vcf")
    try server.put(card("bob", "N:Berg;Bob;;;", "FN:Bob Berg"), "private/bob.vcf")
    try server.put(card("cy", "N:Twombly;Cy;;;", "FN:Cy Twombly"), "work/cy.vcf")
    try addAccount()
    try sync()
    server.stop()
    try program.run("edit", "ann", "--set", "title=Poet")
    #expect(try program.run("folder", "move", "work", "bob").status == 0)
    for _ in 0..<2 { try sync(exits: 3) }
    try server.start()
    try server.put(card("ann", "N:Lee;Ann;;;", "FN:Ann Lee", "TITLE:Editor", "NOTE:there"), "private/ann.vcf")
    try server.put(card("bob", "N:Berg;Bob;;;", "FN:Bob Berg", "NOTE:there"), "private/bob.vcf")
    try sync()
    #expect(try server.get("private/bob.vcf").isEmpty && server.get("work/bob.vcf").contains("NOTE:there"))
    #expect(try sync().errors.contains("nothing to do"))
    let ann = try #require(try contact("ann"))
    #expect(ann["title"] as? String == "Poet" && ann["note"] as? String == "there")
    let stored = try server.get("private/ann.vcf")
    #expect(stored.contains("TITLE:Poet") && stored.contains("NOTE:there"))
  }

  /// Unedited cards are never uploaded, however often they are synced.
  @Test func uneditedContactsAreNotUploaded() throws {
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mP4z8AARAwQCgAf7gP9Y167WwAAAABJRU5ErkJggg=="
    for number in 0..<20 {
      try server.put(
        card(
          "c\(number)", "N:Name\(number);Given;;;", "FN:Given Name\(number)", "TEL;TYPE=WORK,VOICE:+49 30 \(number)",
          "PHOTO;ENCODING=b;TYPE=PNG:" + png, "NOTE:one\\, two\\nthree", "CATEGORIES:a,b",
          "X-THING;X-P=\"a;b\":\(number)"),
        "private/c\(number).vcf")
    }
    let before = try server.versions("private")
    #expect(before.count == 20)
    try addAccount()
    for _ in 0..<3 { try sync() }
    #expect(try program.contacts().count == 20)
    #expect(try server.versions("private") == before)
    // One edit is one upload.
    try program.run("edit", "c7", "--set", "title=Poet")
    try sync()
    let after = try server.versions("private")
    #expect(after.filter { before[$0.key] != $0.value }.map(\.key) == ["c7.vcf"])
    #expect(try server.get("private/c7.vcf").contains("iVBORw0KGgo"))
  }

  @Test func aKilledSyncLosesNothing() throws {
    for number in 0..<12 {
      try server.put(card("c\(number)", "N:Name\(number);Given;;;", "FN:Given Name\(number)"), "private/c\(number).vcf")
    }
    try addAccount()
    for step in 0..<6 {
      let running = try program.start(["sync"])
      usleep(UInt32(100_000 + step * 150_000))
      kill(running.process.processIdentifier, SIGKILL)
      running.wait(20)
      // vdirsyncer outlives the program that started it, and keeps its status locked.
      let end = Date().addingTimeInterval(30)
      while try isVdirsyncerRunning(), Date() < end { usleep(50_000) }
    }
    try program.run("add", "--set", "family=New")
    try sync()
    try sync()
    #expect(try program.contacts().count == 13)
    #expect(try server.versions("private").count == 13)
  }

  private func isVdirsyncerRunning() throws -> Bool {
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(name) != nil {
      let arguments = (try? String(contentsOfFile: "/proc/\(name)/cmdline", encoding: .utf8)) ?? ""
      if arguments.contains("vdirsyncer"), arguments.contains(program.folder.path) { return true }
    }
    return false
  }

  @Test func aPasswordCommandMayAskOnTheTerminal() throws {
    try server.put(card("ann", "N:Lee;Ann;;;", "FN:Ann Lee"), "private/ann.vcf")
    let terminal = try TerminalSession()
    let asking = program.folder.path + "/ask"
    try "#!/bin/sh\nprintf 'Password: ' > /dev/tty; read password < /dev/tty; echo \"$password\"\n"
      .write(toFile: asking, atomically: true, encoding: .utf8)
    let account = "\(server.url) --user tester --name dav --password-command 'sh \(asking)'"
    // The status of vdirsyncer is known even if this program's parent ignores SIGCHLD.
    let sync = "sh -c \"trap '' CHLD; exec \(Program.path) sync\""
    try terminal.type("clear; \(Program.path) account add \(account); \(sync); echo ended with $?\n")
    // vdirsyncer runs the command for each of its steps.
    var answered = 0
    try terminal.wait("the sync to end", seconds: 60) { screen in
      if screen.components(separatedBy: "Password:").count - 1 > answered {
        answered += 1
        try? terminal.type("x\n")
      }
      return screen.contains("\nended with ")
    }
    #expect(try terminal.screen().contains("ended with 0") && answered > 0)
    #expect(try terminal.run("list").output.contains("Ann Lee"))
  }

  /// An account that is added and synced on the screen; the program of another account has no terminal to ask on.
  @Test func accountsAreSyncedOnTheScreen() throws {
    try server.put(card("ann", "N:Lee;Ann;;;", "FN:Ann Lee"), "private/ann.vcf")
    let terminal = try TerminalSession()
    try terminal.start(waitingFor: "add")
    try terminal.type("S")
    try terminal.wait(for: "No accounts")
    try terminal.type("a\(server.url)\ntester\necho x\ndav\n\n")
    try terminal.wait(for: "Added dav.")
    try terminal.type("s")
    try terminal.wait(for: "✓")
    try terminal.wait(for: "private  1")
    try terminal.type("q")
    try terminal.wait(for: "Ann Lee")
    #expect(try server.versions("private").count == 1)
    let asking = "sh -c 'read password < /dev/tty && echo $password'"
    try terminal.run(
      "account", "add", server.url, "--user", "tester", "--name", "asking", "--password-command", asking)
    try terminal.type("S")
    try terminal.wait(for: "asking")
    try terminal.type("s")
    try terminal.wait(for: "✗")
    try terminal.type("jjjjj")
    try terminal.wait(for: "the password command failed or printed nothing")
  }

  @Test func thePasswordIsNeverStored() throws {
    #expect(try program.run("account", "add", "http://me:secret@127.0.0.1:1/").status == 2)
    #expect(try program.run("account", "add", server.url, "--user", "tester").status == 2)
    #expect(try program.run("account", "add", server.url, "--password-command", "echo x").status == 2)
    // The command that prints the password is stored.
    let (printing, password) = ("printf 'not-to-be-%s' stored", "not-to-be-stored")
    let arguments = ["account", "add", server.url, "--user", "tester", "--name", "dav", "--password-command", printing]
    #expect(try program.run(arguments).status == 0)
    let root = program.book + ".accounts/dav"
    for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
      let path = root + "/" + name
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o077 == 0, "\(name)")
    }
    try server.put(card("ann", "N:Lee;Ann;;;", "FN:Ann Lee"), "private/ann.vcf")
    try sync()
    #expect(try contact("ann") != nil)
    for name in try FileManager.default.subpathsOfDirectory(atPath: program.folder.path) {
      let bytes = FileManager.default.contents(atPath: program.folder.path + "/" + name) ?? Data()
      for text in ["secret", password] { #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) is in \(name)") }
    }
    let removed = try program.run("account", "remove", "dav")
    #expect(removed.status == 0 && removed.errors.contains("removed"))
    #expect(try program.run("sync").status == 2)
    #expect(try program.run("account", "list").status == 1)
  }

  /// Contacts that are only in the book stay there if the account was added with `--keep-local`.
  @Test func localContactsStayLocal() throws {
    try program.run("add", "--set", "family=Local")
    try addAccount("--keep-local")
    try sync()
    #expect(try server.versions("private").isEmpty)
  }
}
