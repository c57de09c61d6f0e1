import Foundation
import Testing

/// The configuration file, the theme and the last position, in a real terminal.
@Suite(.serialized)
struct ConfigurationTests {
  private func configure(_ session: TerminalSession, _ text: String) throws {
    try session.configure(text)
    for name in ["安琪", "马云", "曾国藩"] { try session.run("add", "--set", "family=\(name)") }
  }

  @Test func aThemeIsShownAndBadLinesAreReportedAtStartAndAtTheEnd() throws {
    let session = try TerminalSession()
    try configure(session, "theme = \"contrast\"\nmouse = 5\n[keys]\nquit = [\"Q\"]\nfly = [\"x\"]\n")
    try session.startAsJob(waitingFor: "config.toml has 2 problems")
    #expect(try session.styledScreen().hasColor)
    try session.type("Q")
    let end = try session.wait(for: "line 5")
    #expect(end.contains("config.toml, line 2") && end.contains("fly"))
  }

  @Test func noColorOverridesTheTheme() throws {
    let session = try TerminalSession()
    try configure(session, "theme = \"dark\"\n")
    try session.type("export NO_COLOR=1\n")
    try session.startAsJob(waitingFor: "马云")
    #expect(try !session.styledScreen().hasColor)
    #expect(try session.styledScreen().contains("▸"))
  }

  /// tmux shows these characters in one column, and says so.
  @Test func framesAreASCIIWhereTheUserSaysThatAmbiguousCharactersAreWide() throws {
    for (setting, line) in [("wide", "-"), ("auto", "─"), ("narrow", "─")] {
      let session = try TerminalSession()
      try configure(session, "ambiguous_width = \"\(setting)\"\n")
      try session.start(waitingFor: "马云")
      try session.wait("lines") { $0.contains(String(repeating: line, count: 20)) }
    }
  }

  @Test func theListReturnsToItsLastPosition() throws {
    let session = try TerminalSession()
    try configure(session, "")
    try session.startAsJob(waitingFor: "马云")
    try session.type("'z")
    try session.wait("曾国藩 to be selected") { $0.contains("▸ 曾国藩") }
    try session.type("q")
    try session.wait(forNo: "曾国藩")
    try session.startAsJob(waitingFor: "▸ 曾国藩")
  }

  /// A setting that is chosen on the screen applies at once, and only its line of the file changes.
  @Test func aSettingIsChangedOnTheScreen() throws {
    let session = try TerminalSession()
    try configure(session, "# mine\ntheme = \"dark\" # at night\nbackups = 3\n")
    try session.run("add", "--set", "family=Lindström", "--set", "given=Åsa")
    try session.start(waitingFor: "Åsa Lindström")
    try session.type(",")
    try session.wait(for: "Settings")
    try session.type("names.latin\n")
    try session.wait(for: "family-first")
    try session.type("family\n")
    try session.wait(for: "Lindström, Åsa")
    try session.type(",")
    try session.wait(for: "Settings")
    try session.type("theme\n")
    try session.wait(for: "monochrome")
    try session.type("monochrome\n")
    try session.wait("no color") { _ in (try? !session.styledScreen().hasColor) == true }
    let file = try #require(session.environment["XDG_CONFIG_HOME"]) + "/addressbook/config.toml"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      text == "# mine\ntheme = \"monochrome\" # at night\nbackups = 3\n\n[names]\nlatin = \"family-first\"\n")
  }
}
