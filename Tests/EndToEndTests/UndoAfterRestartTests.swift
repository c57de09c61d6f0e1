import Foundation
import SharedMaterial
import Testing

/// A program can undo what was done in the previous run, however that run ended.
@Suite(.serialized)
struct UndoAfterRestartTests {
  /// Deletes 马云 in a program that is a job of the shell.
  private func withDeletedMaYun() throws -> TerminalSession {
    let session = try TerminalSession.withPeople()
    try session.startAsJob(waitingFor: "马云")
    try session.type("'m")
    try session.wait("马云 to be selected") { $0.selectedLine.contains("马云") }
    try session.type("d")
    try session.wait(for: "Delete 马云?")
    try session.type("y")
    try session.wait(for: "Deleted 马云")
    return session
  }

  private func undoBringsMaYunBack(_ session: TerminalSession) throws {
    try session.startAsJob(waitingFor: "曾国藩")
    #expect(try !session.screen().contains("马云"))
    try session.type("u")
    try session.wait("马云 to be back") { $0.contains("Undone: Delete 马云") && $0.contains("136 1111 0000") }
    #expect(try session.run("list", "--format", "tsv").output.contains("马云"))
  }

  @Test func aDeletionIsUndoneAfterQuitting() throws {
    let session = try withDeletedMaYun()
    try session.type("q")
    try session.wait("the shell to be back") { !$0.contains("曾国藩") }
    try undoBringsMaYunBack(session)
  }

  @Test func aDeletionIsUndoneAfterTheProgramWasKilled() throws {
    let session = try withDeletedMaYun()
    #expect(kill(try session.jobID(), SIGKILL) == 0)
    try session.wait(for: "Killed")
    // A killed program cannot restore the terminal. The shell needs a restored terminal; the next run does not.
    try session.type("stty sane; tput rmcup; clear")
    try session.press("C-j")
    try session.wait("an empty screen") { !$0.contains("曾国藩") }
    try undoBringsMaYunBack(session)
  }

  /// A step that is not the newest is undone from the list of steps, and a field is restored from the contact's history.
  @Test func aStepIsUndoneAndAFieldRestored() throws {
    let session = try TerminalSession.withPeople()
    try session.run("edit", "马云", "--set", "title=Teacher")
    try session.run("edit", "马云", "--set", "title=Founder")
    try session.run("edit", "曾国藩", "--set", "title=General")
    try session.start(waitingFor: "马云")
    try session.type("U")
    try session.wait(for: "Changes to the book")
    try session.type("j")
    try session.wait(for: "Teacher → Founder")
    try session.type("u")
    try session.wait(for: "Undone: Edit 马云")
    #expect(try session.run("show", "马云").output.contains("Teacher"))
    #expect(try session.run("show", "曾国藩").output.contains("General"))
    try session.type("q'm")
    try session.wait("马云 to be selected") { $0.selectedLine.contains("马云") }
    try session.type("H")
    try session.wait(for: "4 changes")
    try session.type("j")
    try session.wait(for: "Teacher → Founder")
    try session.type("r")
    try session.wait(for: "What is restored?")
    try session.type("after\n")
    try session.wait(for: "Restored.")
    #expect(try session.run("show", "马云").output.contains("Founder"))
  }

  /// A debug build imports fewer contacts: it would take minutes for what a release does in seconds.
  @Test(.enabled(if: SharedMaterial.cardGenerator.isNamed, "GEN_VCARDS is not set"))
  func aLargeImportIsUndoneAfterARestart() throws {
    let count = ProcessInfo.processInfo.environment["ADDRESSBOOK_PROGRAM"] == nil ? 1_000 : 20_000
    let session = try TerminalSession()
    let file = session.book + ".vcf"
    let made = try CommandResult.run(
      "/usr/bin/env", ["python3", SharedMaterial.cardGenerator.path, String(count), "--out", file],
      environment: session.environment)
    #expect(made.status == 0, "\(made.errors)")
    try session.startAsJob(waitingFor: "empty")
    try session.type("i")
    try session.wait(for: "Import a file")
    try session.type(file + "\n")
    try session.wait("all contacts to be counted", seconds: 60) { $0.contains(" new, ") }
    try session.press("Enter")
    try session.wait("all contacts to be imported", seconds: 60) { $0.contains("Imported") }
    try session.type("q")
    try session.wait("the shell to be back") { $0.contains("$") && !$0.contains("Imported") }
    try session.startAsJob(waitingFor: "▸")
    try session.type("u")
    try session.wait("an empty book", seconds: 60) { $0.contains("Undone: Import") && $0.contains("empty") }
    #expect(try session.run("list", "--format", "tsv").output.isEmpty)
  }
}
