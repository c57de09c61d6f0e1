import Foundation
import Testing

/// Two programs on one book.
@Suite(.serialized)
struct TwoScreensTests {
  /// Opens the form of 马云, replaces the organization and types a note.
  private func edit(_ session: TerminalSession, organization: String, note: String) throws {
    try session.type("'m")
    try session.wait("马云 to be selected") { $0.selectedLine.contains("马云") }
    try session.type("e")
    try session.wait(for: "Section M")
    try session.focus("阿里巴巴")
    try session.press("C-u")
    try session.type(organization)
    try session.press("Tab", "Tab")
    try session.type(note)
    try session.wait("what was typed") { $0.contains(organization) && $0.contains(note) }
  }

  @Test func resolveAConflictFieldByField() throws {
    let mine = try TerminalSession.withPeople()
    try mine.start(waitingFor: "马云")
    let theirs = try TerminalSession()
    try theirs.start("--book \(mine.book)", waitingFor: "马云")
    try edit(mine, organization: "Mine Inc", note: "Myself")
    try edit(theirs, organization: "Theirs Inc", note: "Them")
    try theirs.press("C-s")
    try theirs.wait(for: "Saved 马云")
    try mine.wait(for: "Another program changed")
    try mine.press("C-s")
    try mine.wait(for: "0 of 2 decided")
    try mine.type("mjt")
    try mine.wait(for: "2 of 2 decided")
    try mine.press("C-s")
    try mine.wait(for: "Saved 马云")
    let json = try mine.run("show", mine.id(of: "马云"), "--format", "json").output
    #expect(json.contains("Mine Inc") && json.contains("Them") && !json.contains("Theirs Inc"))
  }
}
