import AddressBookModel
import Foundation
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

/// The warnings of an import on the screen: their number, and a list to page through.
@MainActor
struct ImportNoticesTests {
  private func importing(
    _ text: String, rows: Int = 24, columns: Int = 80, language: Language = .english
  ) throws -> ScreenHarness {
    let harness = try ScreenHarness(rows: rows, columns: columns, language: language)
    // A path that a narrow window does not wrap. In the goldens, another path of the same length replaces it.
    var template = Array("/tmp/wXXXXXX".utf8CString)
    let folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/a.vcf"
    try Data(text.utf8).write(to: URL(filePath: file))
    try harness.importFile(file)
    try harness.wait("the contacts") { harness.browser.list.rowCount > 0 }
    return harness
  }

  private func cards(_ count: Int, _ line: String) -> String {
    (1...count).map { "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Person \($0)\r\n\(line)\r\nEND:VCARD\r\n" }.joined()
  }

  @Test func warningsAreCountedAndListed() throws {
    let harness = try importing(cards(30, "no property\u{1B}[2J"), columns: 120)
    #expect(harness.screen.contains("Import warnings   30 warnings"))
    #expect(harness.screen.contains("Imported 30, updated 0, skipped 0."))
    #expect(harness.screen.contains("Left out (30)"))
    #expect(harness.screen.contains("Person 1, line 4: this is not a property; left out: no property"))
    #expect(!harness.screen.unicodeScalars.contains("\u{1B}"))
    #expect(!harness.screen.contains("Person 30, line 149:"))
    harness.press("G")
    #expect(harness.screen.contains("Person 30, line 149:"))
    harness.press("g g")
    #expect(harness.screen.contains("Person 1, line 4:"))
    harness.press("PgDn PgDn PgDn PgDn PgDn PgDn j")
    #expect(harness.screen.contains("Person 30, line 149:"))
    harness.press("Esc")
    #expect(harness.screen.contains("30 warnings (W lists them). Imported 30, updated 0, skipped 0."))
    harness.press("W")
    #expect(harness.screen.contains("Person 1, line 4:") && !harness.screen.contains("undo"))
    harness.press("q")
    #expect(harness.environment.screens.top === harness.browser)
  }

  @Test(arguments: ScreenGoldenTests.views)
  func matchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try importing(
      cards(30, "no property"), rows: size.rows, columns: size.columns, language: language)
    harness.press("q W j j")
    let text = harness.screen.replacing(/\/tmp\/w\w{6}/, with: "/home/ada/in")
    try Golden.check(text, "warnings-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  /// Cards without a UID that were matched by what they share with a contact are listed.
  @Test func matchesAreListed() throws {
    let harness = try importing(
      "Name,Phone,Title\nPetra Muster,+49 555 0101,Cook\nPetra Muster,+49 555 0102,Cook\n", columns: 120)
    let file = FileManager.default.temporaryDirectory.appending(path: "matches-\(UUID().uuidString).csv")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("Name,Phone,E-mail\nPetra Muster,+49 555 0101,p@a.example\n".utf8).write(to: file)
    try harness.importFile(file.path)
    #expect(harness.screen.contains("Imported 0, updated 1, skipped 0."))
    #expect(harness.screen.contains("Matched with contacts of the book (1)"))
    #expect(harness.screen.contains("treated as Petra Muster in the"))
  }

  @Test func anImportWithoutWarningsMentionsNone() throws {
    let harness = try importing(cards(1, "TEL:1"))
    #expect(harness.screen.contains("Imported 1, updated 0, skipped 0."))
    #expect(!harness.screen.contains("warning"))
    harness.press("W")
    #expect(harness.screen.contains("There are no import warnings."))
  }

  @Test(arguments: [(12, 40), (5, 20), (3, 10), (1, 1)]) func warningsFitInAnyWindow(rows: Int, columns: Int) throws {
    let harness = try importing(cards(3, "no property"), language: .simplifiedChinese)
    harness.press("q")
    #expect(harness.screen.contains("3 条警告（按 W 查看）"))
    harness.press("W")
    harness.terminal.size = Size(rows: rows, columns: columns)
    harness.press("j G k PgUp")
    #expect(columns < 40 || harness.screen.contains("Person 1，第 4 行"), "\(harness.screen)")
    harness.terminal.size = Size(rows: 24, columns: 80)
    harness.press("k")
    for line in [4, 9, 14] { #expect(harness.screen.contains("第 \(line) 行："), "\(harness.screen)") }
  }

  /// More warnings than are kept: the number is still right.
  @Test func allWarningsAreCounted() throws {
    let harness = try importing(cards(ImportNotices.limit + 5, "no property"))
    #expect(harness.browser.imports.notices.count == ImportNotices.limit + 5)
    #expect(harness.browser.imports.notices.list.count == ImportNotices.limit + 1)
    harness.press("G")
    #expect(harness.screen.contains("further warnings are not shown"))
  }
}
