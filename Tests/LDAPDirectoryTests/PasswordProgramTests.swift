import Testing

@testable import LDAPDirectory

/// A program that prints a password.
@Suite struct PasswordProgramTests {
  @Test(arguments: [
    ("pass show ldap", ["pass", "show", "ldap"]), ("  a\t'b c'  \"d e\"", ["a", "b c", "d e"]),
    ("a 'b'\"c\"d", ["a", "bcd"]), ("a '' \"\"", ["a", "", ""]), ("a\\ b c\\\\", ["a b", "c\\"]),
    ("a \"\\\"\\\\\\n\"", ["a", "\"\\\\n"]), ("a '\\'", ["a", "\\"]),
    ("a $HOME; `b` | c *", ["a", "$HOME;", "`b`", "|", "c", "*"]),
  ])
  func commandsAreSplitLikeInAShell(text: String, words: [String]) { #expect(PasswordProgram(text)?.words == words) }

  @Test(arguments: ["", " ", "a 'b", "a \"b", "a\\", "''", "\"\" a"])
  func invalidCommandsAreRefused(text: String) { #expect(PasswordProgram(text) == nil) }

  @Test func theHostIsFilledIn() {
    #expect(PasswordProgram("{} x/{}/{} y")?.with("h w").words == ["{}", "x/h w/h w", "y"])
  }

  @Test(arguments: [true, false]) func theFirstLineIsThePassword(usesTerminal: Bool) throws {
    let program = try #require(PasswordProgram("printf '%s\\n' 'p w' second"))
    #expect(try program.run(usesTerminal: usesTerminal) == Array("p w".utf8))
    #expect(throws: PasswordProgram.Failure.noPassword) { try PasswordProgram("true")?.run(usesTerminal: usesTerminal) }
    #expect(throws: PasswordProgram.Failure.ended(1)) { try PasswordProgram("false")?.run(usesTerminal: usesTerminal) }
    #expect(throws: PasswordProgram.Failure.notStarted(2)) {
      try PasswordProgram("no-such-program-here")?.run(usesTerminal: usesTerminal)
    }
    // A lot of output, or output that is not read, does not make the run hang.
    #expect(try PasswordProgram("seq 1 200000")?.run(usesTerminal: usesTerminal) == Array("1".utf8))
  }
}
