import AddressBookModel
import Contacts
import Foundation
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

extension ScreenHarness {
  /// Chooses a file to import by its path, and waits for what its import would do.
  @discardableResult
  func previewImport(of path: String) throws -> ImportPreviewScreen {
    press("i")
    send(.paste(path))
    press("Enter")
    try wait("the preview") {
      draw()
      return environment.screens.top is ImportPreviewScreen
    }
    let preview = try #require(environment.screens.top as? ImportPreviewScreen)
    try waitForCount(preview)
    return preview
  }

  func waitForCount(_ preview: ImportPreviewScreen) throws {
    try wait("the dry run") { preview.isIdle }
    draw()
  }

  func importFile(_ path: String) throws {
    try previewImport(of: path)
    press("Enter")
    try wait("the import") { browser.parts.work.task == nil }
    draw()
  }
}

/// Importing on the screen: the chooser of files, what an import would do and how that is changed, and the result.
@MainActor
struct ImportScreenTests {
  private final class Files {
    let path: String

    init() throws {
      var template = Array("/tmp/wXXXXXX".utf8CString)
      path = try #require(
        template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!).map { String(cString: $0) } })
      for (name, text) in [
        ("club.csv", ImportScreenTests.club), ("family.vcf", ImportScreenTests.family), ("letter.txt", "Dear Ada,\n"),
        ("unknown.csv", "Wer,Was\nAda,555 0101\n"),
      ] {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  nonisolated private static let club = """
    Name,Cell,E-mail 1 - Label,E-mail 1 - Value,Birthday,Shoe
    Ada Lovelace,+44 20 5550101,work,ada@example.com,13/02/1990,38
    Grace Hopper,+1 212 5550102,home,grace@example.com,03/04/1991,
    李小龙,13922223333,home,lee@example.com,27/11/1940,42
    林青霞,+852 5555 0199,,,soon,

    """
  nonisolated private static let family = """
    BEGIN:VCARD
    VERSION:3.0
    FN:Ann Ames
    TEL:+49 89 1234567
    END:VCARD
    BEGIN:VCARD
    VERSION:3.0
    FN:Bo Ames
    EMAIL:bo@example.com
    END:VCARD

    """

  private let files: Files
  private let state: BookFolder

  init() throws {
    files = try Files()
    state = try BookFolder()
  }

  private func harness(
    _ size: (rows: Int, columns: Int) = (24, 80), _ language: Language = .english
  ) throws -> ScreenHarness {
    let harness = try ScreenHarness(rows: size.rows, columns: size.columns, language: language, ScreenPeople.few)
    harness.environment.importFolder = Array(files.path.utf8)
    harness.environment.importChoices = ImportChoicesFile(folder: state.file("state"))
    return harness
  }

  private func check(_ harness: ScreenHarness, _ name: String, _ language: Language) throws {
    let size = harness.terminal.size
    let text = harness.screen.replacing(/\/tmp\/w\w{6}/, with: "/home/ada/in")
    try Golden.check(text, "\(name)-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }

  @Test(arguments: ScreenGoldenTests.wideViews)
  func matchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try harness(size, language)
    harness.press("i")
    let chooser = try #require(harness.environment.screens.top as? ImportChooserScreen)
    try harness.wait("the files") {
      harness.draw()
      return chooser.isIdle
    }
    harness.draw()
    try check(harness, "import-files", language)
    harness.press("Enter")
    try harness.wait("the preview") {
      harness.draw()
      return (harness.environment.screens.top as? ImportPreviewScreen)?.isIdle == true
    }
    harness.press("j j")
    try check(harness, "import-preview", language)
    harness.press("Enter")
    try harness.wait("the import") { harness.browser.parts.work.task == nil }
    try check(harness, "import-summary", language)
    harness.press("q")
    try harness.previewImport(of: files.path + "/family.vcf")
    try check(harness, "import-cards", language)
  }

  @Test func onlyFilesOfContactsAreListed() throws {
    let harness = try harness()
    harness.press("i")
    try harness.wait(for: "family.vcf")
    #expect(harness.screen.contains("club.csv") && !harness.screen.contains("letter.txt"))
    harness.press("Esc")
    #expect(harness.environment.screens.top === harness.browser)
  }

  @Test func nothingIsWrittenBeforeEnter() throws {
    let harness = try harness()
    try harness.previewImport(of: files.path + "/club.csv")
    #expect(harness.screen.contains("3 new, 1 changed, 0 the same"))
    #expect(try harness.book.contactCount() == ScreenPeople.few.count)
    harness.press("Esc Esc Esc")
    #expect(harness.environment.screens.top === harness.browser)
    #expect(try harness.book.contactCount() == ScreenPeople.few.count)
    try harness.importFile(files.path + "/club.csv")
    #expect(harness.screen.contains("Imported 3, updated 1, skipped 0."))
    #expect(harness.screen.contains("林青霞, line 5: the value of Birthday is not a date"))
    #expect(try harness.book.contactCount() == ScreenPeople.few.count + 3)
    harness.press("u")
    try harness.wait("the undo") { harness.browser.parts.work.task == nil }
    #expect(harness.environment.screens.top === harness.browser)
    #expect(try harness.book.contactCount() == ScreenPeople.few.count)
  }

  @Test func eachChoiceIsCountedAgain() throws {
    let harness = try harness()
    let preview = try harness.previewImport(of: files.path + "/club.csv")
    #expect(harness.screen.contains("day first, as 13/02/1990 shows"))
    harness.press("d")
    try harness.waitForCount(preview)
    #expect(harness.screen.contains("month first") && preview.choices.isDayFirst == false)
    harness.press("d m")
    try harness.waitForCount(preview)
    #expect(preview.choices.isDayFirst == nil && harness.screen.contains("number or address is enough"))
    harness.press("m c")
    harness.type("big")
    harness.press("Enter")
    try harness.waitForCount(preview)
    #expect(preview.choices.charset == "Big5" && harness.screen.contains("Big5"))
    harness.press("c")
    harness.type("klingon")
    harness.press("Enter")
    #expect(harness.screen.contains("Unknown charset “klingon”."))
    harness.press("e")
    harness.type("leave")
    harness.press("Enter")
    try harness.waitForCount(preview)
    #expect(preview.choices.fields == [1: ""] && harness.selectedLine.contains("left out"))
    harness.press("e Home Enter")
    try harness.waitForCount(preview)
    #expect(preview.choices.fields.isEmpty)
  }

  /// A file without a known column, whose columns are assigned by hand, and the next file from the same program.
  @Test func theChoicesAreRememberedForTheSource() throws {
    let harness = try harness()
    let preview = try harness.previewImport(of: files.path + "/unknown.csv")
    #expect(harness.screen.contains("No column is known."))
    harness.press("Enter")
    #expect(harness.environment.screens.top === preview)
    harness.press("e")
    harness.type("full name")
    harness.press("Enter")
    try harness.waitForCount(preview)
    harness.press("j Space")
    harness.type("phone (mobile")
    harness.press("Enter")
    try harness.waitForCount(preview)
    #expect(harness.screen.contains("1 new, 0 changed, 0 the same"))
    harness.press("Enter")
    try harness.wait("the import") { harness.browser.list.rowCount == ScreenPeople.few.count + 1 }
    try Data("Wer,Was\nBob,555 0102\n".utf8).write(to: URL(filePath: files.path + "/next.csv"))
    try harness.previewImport(of: files.path + "/next.csv")
    #expect(harness.screen.contains("as last time") && harness.screen.contains("phone (mobile)"))
    #expect(harness.screen.contains("1 new, 0 changed, 0 the same"))
    harness.press("d m")
    #expect(!harness.screen.contains("as last time"))
  }

  @Test func choicesAreSavedPerSourceAndRemovedIfNothingIsChosen() throws {
    let file = ImportChoicesFile(folder: state.file("choices"))
    var choices = ImportChoices(matchesMore: true, isDayFirst: false, charset: "GBK", fields: [2: "phone[mobile]"])
    try file.save(choices, for: "csv\tName\tCell")
    try file.save(ImportChoices(), for: "vCard")
    #expect(file.choices(for: "csv\tName\tCell") == choices)
    #expect(file.choices(for: "csv\tName") == nil && file.choices(for: "vCard") == nil)
    choices.charset = nil
    try file.save(choices, for: "csv\tName\tCell")
    #expect(file.choices(for: "csv\tName\tCell") == choices)
    try file.save(ImportChoices(), for: "csv\tName\tCell")
    #expect(file.choices(for: "csv\tName\tCell") == nil)
  }

  @Test func aFileThatIsNotThereIsSaidToBeMissing() throws {
    let harness = try harness()
    try harness.previewImport(of: files.path + "/nothing.vcf")
    #expect(harness.screen.contains("✗"), "\(harness.screen)")
    harness.press("Enter")
    #expect(harness.environment.screens.top is ImportPreviewScreen)
    harness.press("Esc")
    #expect(harness.screen.contains("nothing.vcf"), "the typed name can be corrected")
  }

  @Test(arguments: [(5, 20), (3, 10), (1, 1)]) func fitsInAnyWindow(rows: Int, columns: Int) throws {
    let harness = try harness()
    try harness.previewImport(of: files.path + "/club.csv")
    harness.resize(rows: rows, columns: columns)
    harness.press("j G k e Esc")
    harness.resize(rows: 24, columns: 80)
    #expect(harness.screen.contains("3 new, 1 changed"))
  }
}
