import Foundation
import Testing

/// Importing a file of another program on the screen, and the next file from the same program after a restart.
@Suite(.serialized)
struct ImportScreenTests {
  @Test func aFileIsPreviewedImportedUndoneAndItsChoicesAreRemembered() throws {
    let session = try TerminalSession.withPeople()
    let home = try #require(session.environment["HOME"])
    let file = home + "/club.csv"
    try Data("Wer,Was,Wann\nAda,555 0101,03/04/1990\nBob,555 0102,soon\n".utf8).write(to: URL(filePath: file))
    try session.startAsJob(waitingFor: "马云")
    try session.type("i")
    try session.wait("the file in the list") { $0.contains("club.csv") && $0.contains("CSV") }
    try session.type("club")
    try session.wait("the first values beside the name") {
      $0.selectedLine.contains("club.csv") && $0.contains("555 0101")
    }
    try session.press("Enter")
    try session.wait(for: "No column is known.")
    for (name, field) in [("Wer", "full name"), ("Was", "phone"), ("Wann", "birthday")] {
      try session.wait("the column \(name)") { $0.selectedLine.contains(name) }
      try session.type("e")
      try session.wait(for: "type to filter")
      try session.type(field + "\n")
      try session.wait("the field of \(name)") { $0.selectedLine.contains(field) && $0.contains("e field") }
      try session.press("Down")
    }
    try session.wait(for: "2 new, 0 changed, 0 the same; 2 warnings")
    try session.type("d")
    try session.wait(for: "day first")
    try session.wait(for: "2 new, 0 changed, 0 the same; 2 warnings")
    try session.press("Enter")
    try session.wait("the warnings with the names") { $0.contains("Imported 2") && $0.contains("Bob, line 3:") }
    #expect(try session.run("show", "Ada", "--format", "json").output.contains("1990-04-03"))
    try session.type("u")
    try session.wait(for: "Undone: Import")
    try session.type("q")
    try session.wait("the shell to be back") { $0.contains("$") && !$0.contains("Undone") }
    try session.startAsJob(waitingFor: "马云")
    try session.type("i")
    try session.wait(for: "club.csv")
    try session.type("club\n")
    try session.wait("the choices of the last time") {
      $0.contains("as last time") && $0.contains("2 new, 0 changed, 0 the same") && $0.contains("day first")
    }
    try session.press("Escape", "Escape", "Escape")
    try session.wait(for: "马云")
    #expect(try session.run("list", "Ada").status == 1)
  }
}
