import Foundation
import Testing

/// Merging a duplicate on the screen of the real program, and undoing it.
@Suite(.serialized)
struct DuplicatesTests {
  @Test func aDuplicateIsMergedAndUndone() throws {
    let session = try TerminalSession.withPeople(columns: 80, rows: 24)
    let added = try session.run(
      "add", "--set", "family=马", "--set", "given=云", "--set", "phone[work]=13611110000", "--set", "nickname=Jack")
    #expect(added.status == 0, "\(added.errors)")
    try session.start(waitingFor: "马云")
    try session.type("M")
    try session.wait(for: "certain: name, phone")
    try session.press("Enter")
    try session.wait("both contacts and the merged one") { $0.contains("merged") && $0.contains("Jack") }
    try session.type("m")
    try session.wait("the contacts to be merged") { $0.contains("Merged 2 contacts into one: 马云. Press u to undo.") }
    try session.wait("the next suggestion, by phone number") { $0.contains("1 of 1") && $0.contains("likely: phone") }
    #expect(try session.run("list", "--format", "tsv", "马云").output.split(separator: "\n").count == 1)
    try session.type("u")
    try session.wait("both contacts to be back, and compared") {
      $0.contains("Undone: Merge into 马云") && $0.contains("1 of 2") && $0.contains("Jack")
    }
    #expect(try session.run("list", "--format", "tsv", "马云").output.split(separator: "\n").count == 2)
    try session.type("n")
    try session.wait(for: "Marked 2 contacts as not the same.")
    #expect(try !session.run("duplicates").output.contains("马云"))
    try session.type("u")
    try session.wait(for: "Undone: marked as not the same.")
    #expect(try session.run("duplicates").output.contains("马云"))
  }
}
