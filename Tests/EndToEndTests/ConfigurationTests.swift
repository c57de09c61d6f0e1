import Foundation
import Testing

/// The configuration file, the theme and the last position, in a real terminal.
@Suite(.serialized)
struct ConfigurationTests {
  private func configure(_ session: TerminalSession, _ text: String) throws {
    let folder = try #require(session.environment["XDG_CONFIG_HOME"]) + "/addressbook"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
    for name in ["安琪", "马云", "曾国藩"] { try session.run("add", "--set", "family=\(name)") }
  }

  /// True when a colour is set: foreground or background, of any palette.
  private func hasColour(_ screen: String) -> Bool {
    screen.range(of: "\u{1b}\\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]", options: .regularExpression) != nil
  }

  @Test func aThemeIsShownAndBadLinesAreReportedAtStartAndAtTheEnd() throws {
    let session = try TerminalSession()
    try configure(session, "theme = \"contrast\"\nmouse = 5\n[keys]\nquit = [\"Q\"]\nfly = [\"x\"]\n")
    try session.startAsJob(waitingFor: "config.toml, line 2")
    try session.wait(for: "1 more")
    #expect(hasColour(try session.styledScreen()))
    try session.type("Q")
    let end = try session.wait(for: "line 5")
    #expect(end.contains("config.toml, line 2") && end.contains("fly"))
  }

  @Test func noColourWinsOverTheTheme() throws {
    let session = try TerminalSession()
    try configure(session, "theme = \"dark\"\n")
    try session.type("export NO_COLOR=1\n")
    try session.startAsJob(waitingFor: "马云")
    #expect(!hasColour(try session.styledScreen()))
    #expect(try session.styledScreen().contains("▸"))
  }

  @Test func theListComesBackToWhereItStood() throws {
    let session = try TerminalSession()
    try configure(session, "")
    try session.startAsJob(waitingFor: "马云")
    try session.type("'z")
    try session.wait("曾国藩 to be selected") { $0.contains("▸ 曾国藩") }
    try session.type("q")
    try session.wait(forNo: "曾国藩")
    try session.startAsJob(waitingFor: "▸ 曾国藩")
  }
}
