import AddressBookModel
import Contacts
import Glibc
import Messages
import Synchronization
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Opening and copying websites, email addresses and phone numbers.
@MainActor
struct OpenLinkTests {
  private func harness(
    rows: Int = 24, columns: Int = 80, language: Language = .english, _ change: (inout Contact) -> Void
  ) throws -> ScreenHarness {
    var contact = Contact()
    contact.family = "Lee"
    change(&contact)
    return try ScreenHarness(rows: rows, columns: columns, language: language, [contact])
  }

  private func bottom(_ harness: ScreenHarness) -> String {
    harness.screen.split(separator: "\n").last.map(String.init) ?? ""
  }

  /// Websites, email addresses and phone numbers that can be opened are links; an address in the note is not.
  @Test(arguments: [(24, 120), (40, 40)])
  func linksAreSentToTheTerminal(rows: Int, columns: Int) throws {
    let address = "https://example.com/" + String(repeating: "long-", count: 20)
    let harness = try harness(rows: rows, columns: columns) {
      $0.phones = [LabeledValue(value: "13922223333"), LabeledValue(value: "*2767*3855#")]
      $0.emails = [LabeledValue(value: "lee@example.com"), LabeledValue(value: "lee+a?cc=b@例子.cn")]
      $0.urls = [LabeledValue(value: address), LabeledValue(value: "javascript:alert(1)")]
      $0.note = "https://example.com/note"
    }
    if columns < 96 { harness.press("Enter") }
    harness.draw()
    let canvas = try #require(harness.terminal.canvas)
    var texts: [String: String] = [:]
    for row in 0..<canvas.size.rows {
      for cell in canvas.cells(ofLine: row) {
        if let link = cell.link { texts[link.address, default: ""] += cell.text }
      }
    }
    #expect(
      texts == [
        "tel:13922223333": "139 2222 3333", "mailto:lee@example.com": "lee@example.com",
        "mailto:lee+a%3Fcc%3Db@%E4%BE%8B%E5%AD%90.cn": "lee+a?cc=b@例子.cn", address: address,
      ])
    // What covers the detail has no links.
    harness.press("? G g")
    let help = try #require(harness.terminal.canvas)
    for row in 0..<help.size.rows where !help.cells(ofLine: row).allSatisfy({ $0.link == nil }) {
      Issue.record("a link on the help screen")
    }
  }

  @Test func aSingleLinkIsOpenedAtOnce() throws {
    let harness = try harness { $0.urls = [LabeledValue(label: "homepage", value: "https://example.com/a")] }
    harness.press("o")
    #expect(harness.opened.arguments == [["xdg-open", "https://example.com/a"]])
    #expect(bottom(harness).contains("Opening https://example.com/a"))
  }

  @Test(arguments: ScreenGoldenTests.views)
  func oneOfSeveralLinksIsChosen(size: (rows: Int, columns: Int), language: Language) throws {
    let harness = try harness(rows: size.rows, columns: size.columns, language: language) {
      $0.phones = [LabeledValue(label: "mobile", value: "13922223333")]
      $0.emails = [LabeledValue(label: "home", value: "lee@example.com")]
      $0.urls = [
        LabeledValue(label: "homepage", value: "https://example.com"), LabeledValue(value: "javascript:alert(1)"),
      ]
    }
    harness.press("o")
    try Golden.check(harness.screen, "open-\(size.columns)x\(size.rows)-\(language.rawValue)")
    harness.press("Down Enter")
    #expect(harness.opened.arguments.isEmpty)
    #expect(bottom(harness).contains("http://"))
    harness.press("o Down Down Enter o End Enter o Esc")
    #expect(harness.opened.arguments.map { $0.last } == ["mailto:lee@example.com", "tel:13922223333"])
  }

  @Test func copyingOffersTheNumberFirst() throws {
    let harness = try harness {
      $0.phones = [LabeledValue(label: "mobile", value: "13922223333")]
      $0.urls = [LabeledValue(value: "javascript:alert(1)")]
    }
    harness.press("y Enter")
    #expect(harness.terminal.copiedTexts == ["13922223333"])
    harness.press("y End Enter")
    #expect(harness.terminal.copiedTexts.last == "javascript:alert(1)", "copying does nothing with it")
  }

  /// What is pasted into a shell must not run there, nor end the paste.
  @Test func copiedTextIsOneLineWithoutControls() throws {
    let harness = try harness {
      $0.phones = [LabeledValue(value: "139\nrm -rf ~\r\n")]
      $0.emails = [LabeledValue(value: "a\u{1B}[201~b\u{85}\u{9B}c\u{202E}\td@example.com\u{2028}")]
      $0.addresses = [PostalAddress(street: "1 Main St\u{3}\nBack\u{7F}", city: "Leeds")]
    }
    harness.press("y Enter y Down Enter")
    #expect(harness.terminal.copiedTexts == ["139 rm -rf ~", "a[201~b c d@example.com"])
    harness.press("Y End Enter")
    #expect(harness.terminal.copiedTexts.last == "1 Main St\nBack\nLeeds")
  }

  @Test func textSentToTheTerminalIsNotReportedAsCopied() throws {
    let harness = try harness { $0.phones = [LabeledValue(value: "13922223333")] }
    harness.press("y")
    #expect(harness.terminal.copiedTexts == ["13922223333"])
    #expect(bottom(harness).contains("Asked the terminal to copy 13922223333"))
  }

  @Test func theCopyProgramGetsTheTextAndIsAwaited() throws {
    let harness = try harness { $0.phones = [LabeledValue(value: "13922223333")] }
    let started = CopyProgram()
    harness.environment.clipboard = started.clipboard(command: ["wl-copy", "--trim"])
    harness.press("y")
    #expect(started.texts == ["13922223333"] && started.arguments == [["wl-copy", "--trim"]])
    #expect(bottom(harness).contains("Copying"))
    started.end(0)
    harness.loop.drain()
    #expect(bottom(harness).contains("Copied 13922223333."))
    harness.press("y")
    started.end(2)
    harness.loop.drain()
    #expect(bottom(harness).contains("wl-copy failed (exit status 2). Nothing was copied"))
    #expect(harness.terminal.copiedTexts.isEmpty)
  }

  @Test func copyingUsesTmuxOrElseTheTerminal() throws {
    let harness = try harness { $0.phones = [LabeledValue(value: "13922223333")] }
    let started = CopyProgram()
    harness.environment.clipboard = started.clipboard(command: nil, variables: ["TMUX": "/tmp/tmux-0/default,1,0"])
    harness.press("y")
    #expect(started.arguments == [["tmux", "load-buffer", "-w", "-"]])
    started.end(0)
    harness.loop.drain()
    #expect(bottom(harness).contains("to tmux’s buffer"))
    harness.press("y")
    started.end(1)
    harness.loop.drain()
    #expect(bottom(harness).contains("Asked the terminal to copy 13922223333"))
    #expect(harness.terminal.copiedTexts == ["13922223333"])
  }

  @Test func aMissingCopyProgramIsReported() throws {
    let harness = try harness { $0.phones = [LabeledValue(value: "13922223333")] }
    let started = CopyProgram()
    started.failure.withLock { $0 = ENOENT }
    harness.environment.clipboard = started.clipboard(command: ["wl-copy"])
    harness.press("y")
    #expect(bottom(harness).contains("wl-copy was not found"))
    harness.environment.clipboard = started.clipboard(command: nil, variables: ["TMUX": "x"])
    harness.press("y")
    #expect(bottom(harness).contains("Asked the terminal"))
  }

  @Test func anAddressIsOpenedOnAMap() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l j g x")
    let map = "https://www.openstreetmap.org/search?query=41%20Cumberland%20Road%2C%20Kowloon%2C%20Hong%20Kong"
    #expect(harness.opened.arguments == [["xdg-open", map]])
    harness.press("j g x")
    #expect(bottom(harness).contains("This contact has no address to open on a map."))
  }

  @Test func nameMailboxAndAddressAreCopied() throws {
    let harness = try ScreenHarness(ScreenPeople.few)
    harness.press("' l j Y")
    #expect(harness.screen.contains("李小龙 <lee@example.com>"), "\(harness.screen)")
    harness.press("Down Enter")
    #expect(harness.terminal.copiedTexts.last == "李小龙 <lee@example.com>")
    harness.press("Y End Enter")
    #expect(harness.terminal.copiedTexts.last == "41 Cumberland Road\nKowloon\nHong Kong")
    #expect(bottom(harness).contains("41 Cumberland Road, Kowloon, Hong Kong"))
    harness.press("j Y")
    #expect(harness.terminal.copiedTexts.last == "林青霞", "the only one is copied at once")
  }

  @Test func linksInANoteAreOpened() throws {
    var contact = Contact()
    contact.given = "Ann"
    contact.note =
      "See (https://example.com/a?b=c), www.example.org. Not ftp://x or file:///etc/passwd!\n<https://例.cn/>"
    let harness = try ScreenHarness([contact])
    harness.press("o")
    for text in ["https://example.com/a?b=c", "www.example.org", "https://例.cn/"] {
      #expect(harness.screen.contains(text + " "), "\(harness.screen)")
    }
    harness.press("Down Enter")
    #expect(harness.opened.arguments == [["xdg-open", "https://www.example.org"]])
    #expect(NoteLinks.all(in: contact.note).count == 3)
  }

  /// What can be opened can be copied, as the message without a desktop says.
  @Test func linksInANoteAreCopied() throws {
    let harness = try harness { $0.note = "See https://example.com/a." }
    harness.environment.opener = harness.opened.opener(variables: ["DISPLAY": ""])
    harness.press("o")
    #expect(bottom(harness).contains("Press y to copy"))
    harness.press("y")
    #expect(harness.terminal.copiedTexts == ["https://example.com/a"])
  }

  @Test(arguments: [
    ("Ann Lee", "Ann Lee <a@b.c>"), ("Lee, Ann", "\"Lee, Ann\" <a@b.c>"), ("A \"B\" C", "\"A \\\"B\\\" C\" <a@b.c>"),
    ("李小龙", "李小龙 <a@b.c>"), ("", "a@b.c"), ("A\nB", "AB <a@b.c>"),
  ])
  func aNameIsQuotedIfItMustBe(name: String, text: String) {
    #expect(Mailbox.text(name: name, email: "a@b.c") == text)
  }

  @Test func aContactWithoutLinksIsReported() throws {
    let harness = try harness { $0.note = "example.com" }
    harness.press("o")
    #expect(bottom(harness).contains("no website"))
    harness.press("y")
    #expect(bottom(harness).contains("to copy"))
  }

  @Test func aContactWithoutTextsToCopyIsReported() throws {
    var contact = Contact()
    contact.urls = [LabeledValue(value: "https://example.com")]
    let harness = try ScreenHarness([contact])
    harness.press("Y")
    #expect(bottom(harness).contains("There is no name, email or address to copy."))
    harness.press("y")
    #expect(harness.terminal.copiedTexts == ["https://example.com"])
  }

  @Test func openingFailuresSayWhatToDo() throws {
    let harness = try harness { $0.urls = [LabeledValue(value: "https://example.com")] }
    harness.opened.failure.withLock { $0 = ENOENT }
    harness.press("o")
    #expect(bottom(harness).contains("xdg-utils"))
    harness.environment.opener = harness.opened.opener(command: ["netscape"])
    harness.press("o")
    #expect(bottom(harness).contains("netscape was not found") && bottom(harness).contains("Press y to copy"))
    harness.opened.failure.withLock { $0 = EACCES }
    harness.press("o")
    #expect(bottom(harness).contains("Permission denied"))
    harness.opened.failure.withLock { $0 = nil }
    harness.opened.status.withLock { $0 = 3 }
    harness.press("o")
    try harness.wait(for: "exit status 3")
    harness.environment.opener = harness.opened.opener(variables: ["DISPLAY": ""])
    harness.press("o")
    #expect(bottom(harness).contains("There is no desktop") && bottom(harness).contains("Press y to copy"))
    #expect(harness.opened.arguments.count == 1)
  }

  @Test func eachKindHasItsProgram() throws {
    let opener = LinkOpener(command: ["any"], commands: [.mail: ["mutt", "{}"], .map: ["marble"]])
    #expect(opener.arguments(for: try .web("http://a.test")) == ["any", "http://a.test"])
    #expect(opener.arguments(for: try .email("a@b.test")) == ["mutt", "mailto:a@b.test"])
    #expect(opener.arguments(for: try .emails(["a@b.test", "c@d.test"])) == ["mutt", "mailto:a@b.test,c@d.test"])
    #expect(opener.arguments(for: try .phone("1")) == ["any", "tel:1"])
    #expect(opener.arguments(for: try .map(of: "x")).first == "marble")
  }

  @Test func aProgramThatUsesTheTerminalGetsIt() throws {
    let harness = try harness { $0.emails = [LabeledValue(value: "lee@example.com")] }
    harness.environment.opener = LinkOpener(commands: [.mail: ["mutt", "--", "{}"]], inTerminal: [.mail])
    harness.press("o")
    #expect(harness.loop.programs == [["mutt", "--", "mailto:lee@example.com"]])
    #expect(!bottom(harness).contains("Opening"))
  }

  @Test func membersOfAGroupGetOneEmail() throws {
    var people = ScreenPeople.few
    people[3].groups = ["Friends"]
    people[1].groups = ["Friends"]
    let harness = try ScreenHarness(people)
    harness.press("f")
    harness.type("friends")
    #expect(harness.screen.contains("email all"))
    harness.press("M-o")
    #expect(harness.opened.arguments == [["xdg-open", "mailto:asa@example.com,lee@example.com"]])
    harness.press("f")
    harness.type("all contacts")
    harness.press("M-o")
    #expect(harness.opened.arguments.count == 1)
  }

  /// For the header of an email; an address is not copied without the name.
  @Test func emailsOfMarkedContactsAreCopiedWithNames() throws {
    var ann = Contact()
    ann.formattedName = "Lee, Ann"
    ann.emails = [LabeledValue(value: "ann@example.com"), LabeledValue(value: "second@example.com")]
    var bob = Contact()
    bob.given = "Bob"
    bob.emails = [LabeledValue(value: "bob@example.com")]
    let harness = try ScreenHarness([ann, bob])
    harness.press("A y")
    #expect(harness.terminal.copiedTexts == ["Bob <bob@example.com>, \"Lee, Ann\" <ann@example.com>"])
  }

  @Test func aConfiguredProgramGetsTheAddressAtItsPlaceholder() throws {
    let address = try LinkAddress.web("https://example.com")
    for (command, arguments) in [
      (["firefox"], ["firefox", "https://example.com"]),
      (["firefox", "-P", "x"], ["firefox", "-P", "x", "https://example.com"]),
      (["firefox", "--url={}", "--new"], ["firefox", "--url=https://example.com", "--new"]),
    ] {
      #expect(LinkOpener(command: command).arguments(for: address) == arguments)
    }
  }
}

/// A copy program that only records what it gets.
private final class CopyProgram: Sendable {
  private let started = Mutex<[(arguments: [String], text: String?)]>([])
  private let endings = Mutex<[@Sendable (Int32) -> Void]>([])
  let failure = Mutex<Int32?>(nil)

  var arguments: [[String]] { started.withLock { $0.map(\.arguments) } }
  var texts: [String?] { started.withLock { $0.map(\.text) } }

  func clipboard(command: [String]?, variables: [String: String] = [:]) -> Clipboard {
    Clipboard(command: command, variable: { variables[$0] }) {
      [self] arguments, text, ended throws(DetachedProgram.Failure) in
      if let code = failure.withLock({ $0 }) { throw DetachedProgram.Failure(code: code) }
      started.withLock { $0.append((arguments, text)) }
      endings.withLock { $0.append(ended) }
    }
  }

  /// Ends the program that was started most recently.
  func end(_ status: Int32) { endings.withLock { $0.removeLast() }(status) }
}
