import Foundation
import Testing

/// What leads from one person to others, and back to what they were: related contacts, correspondents, history, a code
/// for a phone.
@Suite(.serialized)
struct PeopleTests {
  @Test func aRelatedContactIsOneKeyAway() throws {
    let session = try TerminalSession.withPeople()
    #expect(try session.run("edit", "马云", "--set", "related[colleague]=曾国藩").status == 0)
    try session.start(waitingFor: "马云")
    try session.type("'m")
    try session.wait("the related contact") { $0.selectedLine.contains("马云") && $0.contains("colleague") }
    try session.press("Enter", "Enter")
    try session.wait("the other contact, who is named back") {
      $0.selectedLine.contains("曾国藩") && $0.contains("← colleague")
    }
    try session.press("Escape")
    try session.wait("the first contact") { $0.selectedLine.contains("马云") }
  }

  @Test func correspondentsAreAdded() throws {
    let session = try TerminalSession.withPeople()
    let home = try #require(session.environment["HOME"])
    try FileManager.default.createDirectory(atPath: home + "/Maildir/cur", withIntermediateDirectories: true)
    for (number, to) in ["Ann Lee <ann@example.org>", "Ann Lee <ann@example.org>", "bob@example.org"].enumerated() {
      let mail = "From: me@example.net\nTo: \(to)\nDate: Mon, 0\(number + 1) Jan 2024 12:00:00 +0000\n\n"
      try Data(mail.utf8).write(to: URL(filePath: home + "/Maildir/cur/\(number):2,S"))
    }
    try session.start(waitingFor: "马云")
    try session.type("C")
    try session.wait("the usual place of mail") { $0.contains("~/Maildir") }
    try session.press("Enter")
    try session.wait("the correspondents") {
      $0.selectedLine.contains("Ann Lee") && $0.contains("2 sent, 0 received") && $0.contains("2024-01-03")
    }
    try session.type("a")
    try session.wait(for: "Added 1 contact.")
    try session.press("Enter")
    try session.wait("the new contact") { $0.selectedLine.contains("Ann Lee") && $0.contains("2024-01-02") }
    #expect(try session.run("query", "contacted:2024").output.contains("ann@example.org"))
    try session.type("u")
    try session.wait("nobody added") { !$0.contains("Ann Lee") || $0.contains("Undone") }
    #expect(try session.run("query", "ann@example.org").status == 1)
  }

  @Test func anEarlierVersionComesBack() throws {
    let session = try TerminalSession.withPeople()
    #expect(try session.run("edit", "马云", "--set", "title=Poet").status == 0)
    #expect(try session.run("edit", "马云", "--set", "title=Painter").status == 0)
    try session.start(waitingFor: "马云")
    try session.type("'m")
    try session.wait("马云 to be selected") { $0.selectedLine.contains("马云") && $0.contains("Painter") }
    try session.type("H")
    try session.wait("the last change") { $0.contains("“Poet” → “Painter”") || $0.contains("Poet") }
    try session.type("r")
    try session.wait("what can be restored") { $0.contains("Painter") && $0.contains("type to filter") }
    try session.press("Enter")
    try session.wait(for: "Restored")
    #expect(try session.run("show", "马云", "--format", "json").output.contains("Poet"))
    try session.press("Escape")
    try session.wait("the list") { $0.selectedLine.contains("马云") }
    try session.type("U")
    try session.wait("the steps of the book") { $0.contains("Edit") }
    try session.type("u")
    try session.wait(for: "Undone")
    #expect(try session.run("show", "马云", "--format", "json").output.contains("Painter"))
  }

  @Test func aContactIsShownAsACode() throws {
    let session = try TerminalSession.withPeople()
    try session.start(waitingFor: "马云")
    try session.type("'m")
    try session.wait("马云 to be selected") { $0.selectedLine.contains("马云") }
    try session.type("Q")
    try session.wait("half blocks, or that the library is missing") {
      $0.filter { "▀▄█".contains($0) }.count > 100 || $0.contains("libqrencode")
    }
    try session.press("Escape")
    try session.wait("the list") { $0.selectedLine.contains("马云") }
  }
}
