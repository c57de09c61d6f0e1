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
      "clear; \(Program.path) pick \(arguments) </dev/null | cat > \(output); echo done\n")
    try session.wait(for: "choose")
  }

  private func picked(_ output: String) throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

  @Test func theSelectedContactsAddressIsPicked() throws {
    let (session, output) = try session()
    try pick("--email", session, output)
    try session.press("Enter")
    try session.wait(for: "Enter choose  Esc cancel")
    try session.press("Down", "Enter")
    try session.wait(for: "done")
    #expect(try picked(output) == "a@example.org\n")
    try pick("--format mailbox", session, output)
    try session.press("j", "Enter")
    try session.wait(for: "done")
    #expect(try picked(output) == "\"Bob\" <bob@example.com>\n")
  }

  @Test func markedContactsArePickedOrNone() throws {
    let (session, output) = try session()
    try pick("--id", session, output)
    try session.press("j", "Space", "j", "Space", "Enter")
    try session.wait(for: "done")
    #expect(try picked(output) == "2\n3\n")
    try pick("", session, output)
    try session.press("q")
    try session.wait(for: "done")
    #expect(try picked(output).isEmpty)
    try pick("--phone", session, output)
    // The cursor is where it was the last time.
    try session.press("g", "g", "Enter")
    try session.wait(for: "No phone number to choose")
    try session.press("j", "Enter")
    try session.wait(for: "done")
    #expect(try picked(output) == "1\n")
  }

  @Test func quittingPickIsStatusOne() throws {
    let (session, _) = try session()
    try session.type("clear; \(Program.path) pick > /dev/null; echo \"status $?\"\n")
    try session.wait(for: "choose")
    try session.press("q")
    try session.wait(for: "status 1")
    #expect(try session.run("pick", "--email", "--id").status == 2)
  }
}
