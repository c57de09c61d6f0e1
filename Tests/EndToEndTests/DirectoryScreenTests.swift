import Foundation
import SharedMaterial
import Testing

/// The screen for a real LDAP server on this machine, in a terminal.
@Suite(.enabled(if: DirectoryServer.isInstalled, "slapd is not installed")) struct DirectoryScreenTests {
  @Test func entriesAreSearchedAndCopied() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    let session = try TerminalSession()
    try session.start("--book \(server.url)", waitingFor: "Search in 127.0.0.1")
    try session.type("arch")
    try session.wait(for: "1 found", "Ann Archer", "Head of Sales")
    try session.press("Enter")
    try session.type("a")
    try session.wait(for: "Copied Ann Archer to your book.")
    try session.type("a")
    try session.wait(for: "already in your book, unchanged")
    let listed = try session.run("list", "--format", "tsv")
    #expect(listed.output.split(separator: "\n").count == 1 && listed.output.contains("Ann Archer"))
    #expect(try session.run("list", "--format", "json").output.contains("\"photo\": {\"bytes\""))
    try session.type("u")
    try session.wait(for: "Undone")
    #expect(try session.run("list").status == 1, "an empty list")
    #expect(try session.run("list", "Archer").status == 1)
    try session.type("q")
    try session.wait("the program to end") { _ in session.isDead() }
  }

  @Test func aDirectoryOfTheConfigurationIsOpenedByAKey() throws {
    var settings = DirectoryServer.Settings()
    settings.refusesStrangers = true
    let server = try DirectoryServer(settings, entries: DirectoryPeople.company)
    let session = try TerminalSession.withPeople(columns: 80, rows: 24)
    try session.configure(
      """
      directories = ["\(server.url)????bindname=cn=admin%2cdc=example%2cdc=com"]
      directory_password = ["echo", "\(DirectoryServer.user.password)"]
      """)
    try session.start(waitingFor: "马云")
    try session.type("L")
    try session.wait(for: "Search in 127.0.0.1")
    try session.type("arch")
    try session.wait(for: "Ann Archer")
    try session.press("Enter")
    try session.type("aq")
    try session.wait(for: "All contacts · 11")
    #expect(try session.run("list", "archer").status == 0)
    // A command gets the password from the same program.
    let query = try session.run(
      "--book", "\(server.url)????bindname=cn=admin%2cdc=example%2cdc=com", "query", "--no-header", "ann")
    #expect(query.output == "ann@example.com\tAnn Archer\tExample\n")
  }

  @Test func aLostServerIsReportedAndReconnected() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    let session = try TerminalSession(columns: 80, rows: 24)
    try session.start("--book \(server.url)", waitingFor: "Search in")
    try session.type("berg")
    try session.wait(for: "Bob Berg")
    server.stop()
    try session.press("C-u")
    try session.type("ann")
    try session.wait(for: "Cannot connect to 127.0.0.1")
    try server.start()
    try session.type(" ")
    try session.press("BSpace")
    try session.wait(for: "Ann Archer")
  }

  @Test func keysGoOnWhileTheServerDoesNotAnswer() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    let session = try TerminalSession(columns: 80, rows: 24)
    try session.start("--book \(server.url)", waitingFor: "Search in")
    try session.type("berg")
    try session.wait(for: "Bob Berg")
    server.pause(true)
    try session.press("C-u")
    try session.type("ann")
    try session.wait(for: "searching…")
    try session.type("x")
    try session.wait(for: "/ annx")
    try session.press("Escape")
    try session.wait(forNo: "searching…")
    try session.type("q")
    try session.wait("the program to end") { _ in session.isDead() }
    server.pause(false)
  }
}
