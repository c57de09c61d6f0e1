import AddressBookModel
import Glibc
import Messages
import SystemCalls
import Testing

@testable import AddressBookTUI

/// Chinese text has full-width punctuation, even where the screen joins texts.
@MainActor
struct ChinesePunctuationTests {
  private let strings = Strings(Localization(language: .simplifiedChinese))

  @Test func aFailedBackupNamesTheFile() {
    let text = BackupMessage.text(of: FileFailure("/a/b", ENOENT), in: strings.localization)
    #expect(text == "/a/b：No such file or directory")
  }

  @Test func theHistoryNamesTheProgram() throws {
    let harness = try ScreenHarness(language: .simplifiedChinese, ScreenPeople.few)
    harness.press("* H")
    #expect(harness.screen.contains("（在全屏界面中）"), "\(harness.screen)")
  }

  @Test func progressHasNoParenthesesBesideOthers() {
    let name = StepName(.delete, "").text(in: strings.localization, count: 700)
    let text = strings("status.writing", name, " " + strings.percent(0.499))
    #expect(text.hasSuffix("… 49%"), "\(text)")
    #expect(strings.noted("1,204", strings.percent(0.5)) == "1,204（50%）")
  }
}
