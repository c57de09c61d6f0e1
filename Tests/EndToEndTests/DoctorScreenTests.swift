import Foundation
import Testing

/// The screen for a book that cannot be opened.
struct DoctorScreenTests {
  @Test func theBookIsRepairedAndShown() throws {
    let session = try TerminalSession()
    var program = try Program()
    program.environment["ADDRESSBOOK_FILE"] = session.book
    try program.run("add", "--set", "family=Ames")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: session.book))
    bytes.replaceSubrange(0..<4096, with: Data(repeating: 0xAA, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: session.book))
    try session.start(waitingFor: "cannot be opened")
    try session.type("e")
    try session.wait(for: "The book is damaged")
    try session.type("r")
    try session.wait(for: "in order again")
    try session.press("Enter")
    try session.wait(for: "Ames")
    try session.type("q")
    #expect(try program.contacts().count == 1)
  }
}
