import Foundation
import Testing

/// The preferred value of a card (`pref`): first in the list, in answers for mail programs and in JSON.
@Suite(.serialized)
struct PreferredValueTests {
  private func session() throws -> TerminalSession {
    let session = try TerminalSession(columns: 80, rows: 24)
    let card = """
      BEGIN:VCARD
      VERSION:3.0
      UID:u
      N:Ames;Ann;;;
      FN:Ann Ames
      EMAIL;TYPE=HOME:one@example.com
      EMAIL;TYPE=WORK,PREF:two@example.com
      TEL;TYPE=HOME:1111111
      TEL;TYPE=CELL;TYPE=PREF:2222222
      END:VCARD

      """
    try session.run("import", "-", input: card.replacing("\n", with: "\r\n"))
    return session
  }

  private func values(_ key: String, _ session: TerminalSession) throws -> [String] {
    let json = try session.run("show", "u", "--format", "json").output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let contact = try #require((object as? [Any])?.first as? [String: Any] ?? object as? [String: Any])
    return (contact[key] as? [[String: String]] ?? []).compactMap { $0["value"] }
  }

  @Test func preferredValuesComeFirst() throws {
    let session = try session()
    #expect(try values("emails", session) == ["two@example.com", "one@example.com"])
    #expect(try values("phones", session) == ["2222222", "1111111"])
    let answers = try session.run("query", "ann", "--no-header").output.split(separator: "\n")
    #expect(answers.map { $0.prefix { $0 != "\t" } } == ["two@example.com", "one@example.com"])
    #expect(try session.run("list", "--format", "tsv").output.contains("2222222\ttwo@example.com"))
    try session.start(waitingFor: "Ann Ames")
    try session.wait("the preferred number in the list") { $0.contains("222 2222") && !$0.contains("111 1111") }
  }
}
