import Foundation
import Testing

/// Actions on all marked contacts, in a real terminal.
@Suite(.serialized)
struct MarkTests {
  @Test func markedContactsAreGroupedExportedDeletedAndRestored() throws {
    let session = try TerminalSession.withPeople()
    try session.start(waitingFor: "李强")
    try session.type("'l")
    try session.wait("李强 to be selected") { $0.selectedLine.contains("李强") }
    try session.type("   ")
    try session.wait(for: "3 marked")

    try session.type("+")
    try session.wait(for: "new group")
    try session.type("Stars\n")
    try session.wait(for: "Added 3 contacts to “Stars”")
    let members = try session.run("group", "list", "Stars").output
    for name in ["李强", "李小龙", "林青霞"] { #expect(members.contains(name)) }

    let path = session.book + ".vcf"
    try session.type("w")
    try session.wait(for: "Export to a vCard file")
    try session.type(path + "\n")
    try session.wait(for: "Exported 3 contacts")
    #expect(try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "BEGIN:VCARD").count == 4)

    try session.type("d")
    try session.wait(for: "Delete 3 marked contacts?")
    try session.type("y")
    try session.wait("all three contacts to be gone") { !$0.contains("林青霞") && $0.contains("Deleted 3 contacts") }
    #expect(try session.run("stats", "--format", "json").output.contains("\"contacts\": 7,"))
    try session.type("u")
    try session.wait("all three contacts to be back") { $0.contains("李强") && $0.contains("李小龙") && $0.contains("林青霞") }
    try session.type("u")
    try session.wait(for: "Undone")
    #expect(try !session.run("group").output.contains("Stars") || session.run("group", "list", "Stars").output.isEmpty)
  }
}
