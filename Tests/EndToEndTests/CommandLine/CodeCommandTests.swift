import Foundation
import SharedMaterial
import Testing

/// `addressbook show --format qr`.
struct CodeCommandTests {
  private func program() throws -> Program {
    let program = try Program()
    try program.run(
      "add", "--set", "family=王", "--set", "given=小明𠮷", "--set", "phone[mobile]=138 0000 1111", "--set",
      "email=\(String(repeating: "x", count: 60))@example.com", "--set", "note=secret")
    return program
  }

  @Test(.enabled(if: CodeReader.isInstalled, "zbar is not installed"))
  func aPipeGetsAPlainCodeAndTheRestIsNamed() throws {
    let program = try program()
    let result = try program.run("show", "1", "--format", "qr")
    #expect(result.status == 0)
    #expect(Set(result.output).isSubset(of: Set("█▀▄ \n")))
    let text = try CodeReader.text(inHalfBlocks: result.output.components(separatedBy: "\n"))
    #expect(text?.contains("N:王;小明𠮷;;;\nFN:王小明𠮷\n") == true)
    #expect(text?.contains("TEL;TYPE=CELL:138 0000 1111\nEMAIL") == true && text?.contains("secret") == false)
    #expect(result.errors == "addressbook: Not in the code: note.\n")
  }

  /// At 80 × 24 the code, the text and the next prompt fit, and there is no room for the email.
  @Test func aTerminalGetsWhatFitsIt() throws {
    let session = try TerminalSession(columns: 80, rows: 24)
    try session.run(
      "add", "--set", "given=Ann", "--set", "phone=1", "--set", "email=\(String(repeating: "x", count: 60))@example.com"
    )
    try session.type("clear; NO_COLOR=1 \(Program.path) show 1 --format qr\n")
    try session.wait(for: "Ann", "Scan the code", "Not in the code: email.", "A larger window", "\n$")
    #expect(try session.styledScreen().contains("48;5;231"))
    let small = try TerminalSession(columns: 40, rows: 12)
    try small.run("add", "--set", "given=Ann", "--set", "phone=1")
    try small.type("clear; \(Program.path) show 1 --format qr; echo $?\n")
    try small.wait(for: "Window too small", "\n3")
  }
}
