import Foundation
import Testing

/// `addressbook pick`: the screen on the terminal, what was chosen on standard output.
@Suite(.serialized)
struct PickTests {
  private func session() throws -> (session: TerminalSession, output: String) {
    let session = try TerminalSession()
    try session.run(
      "add", "--set", "given=Ann", "--set", "email[home]=ann@example.com", "--set", "email[work]=<a@example.org>")
    try session.run("add", "--set", "given=Bob", "--set", "email=bob@example.com", "--set", "phone=1")
    try session.run("add", "--set", "given=Cy")
    return (session, session.book + ".picked")
  }

  private func pick(_ arguments: String, _ session: TerminalSession, _ output: String) throws {
    try session.type(
      "clear; \(Program.path) pick \(arguments) </dev/null >\(output); echo status $?\n")
    try session.wait(for: "choose")
  }

  private func picked(_ output: String) throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

  @Test func theSelectedContactsAddressIsPicked() throws {
    let (session, output) = try session()
    try pick("--email", session, output)
    try session.press("Enter")
    // The detail beside the list has the address too.
    try session.wait("the choice of addresses") { $0.contains("a@example.org") && $0.contains("type to filter") }
    try session.press("Down", "Enter")
    try session.wait(for: "status 0")
    #expect(try picked(output) == "a@example.org\n")
    try pick("--format mailbox bo", session, output)
    try session.press("Enter")
    try session.wait(for: "status 0")
    #expect(try picked(output) == "\"Bob\" <bob@example.com>\n")
  }

  @Test func markedContactsArePickedAndSeparated() throws {
    let (session, output) = try session()
    try pick("--id --multi", session, output)
    try session.press("Down", "Tab", "Tab", "Enter")
    try session.wait(for: "status 0")
    #expect(try picked(output) == "2\n3\n")
    try pick("-m0 --print-query", session, output)
    try session.press("Tab", "Tab", "Enter")
    try session.wait(for: "status 0")
    #expect(try picked(output) == "\u{0}1\u{0}2\u{0}")
    try pick("--phone", session, output)
    try session.press("Enter")
    try session.wait(for: "status 0")
    #expect(try picked(output) == "1\n")
  }

  /// The statuses are those of fzf.
  @Test func nothingFoundIsStatusOneAndCanceledIs130() throws {
    let (session, output) = try session()
    try pick("--print-query", session, output)
    try session.type("nobody\n")
    try session.wait(for: "status 1\n")
    #expect(try picked(output) == "nobody\n")
    try pick("--print-query", session, output)
    try session.press("Escape")
    try session.wait(for: "status 130")
    #expect(try picked(output).isEmpty)
    #expect(try session.run("pick", "--email", "--id").status == 2)
  }
}
