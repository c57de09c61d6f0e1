import Foundation
import Testing

/// A backup that is restored while a screen shows the book.
struct RestoreScreenTests {
  @Test func theScreenOffersToReopenARestoredBook() throws {
    let session = try TerminalSession()
    var program = try Program()
    program.environment["ADDRESSBOOK_FILE"] = session.book
    let copy = program.folder.path + "/copy.db"
    try program.run("add", "--set", "family=Ames")
    try program.run("backup", copy)
    try program.run("add", "--set", "family=Baker")
    try session.start(waitingFor: "Baker")
    #expect(try program.run("restore", copy).status == 0)
    try session.wait(for: "must be opened again")
    try session.press("Left", "Enter")
    try session.wait(forNo: "Baker")
    try session.wait(for: "Ames")
    try session.type("q")
    #expect(try program.contacts().count == 1)
  }
}
