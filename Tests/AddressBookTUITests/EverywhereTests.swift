import AddressBookModel
import TerminalKit
import Testing

@testable import AddressBookTUI

/// The keys that are the same in every screen, dialog and prompt.
@MainActor
struct EverywhereTests {
  /// Screens, dialogs and prompts, with the keys that open each from the list.
  nonisolated static let screens: [(name: String, keys: String)] = [
    ("list", "' m"), ("search", "/"), ("jump", "'"), ("detail", "Enter"), ("question", "d"), ("groups", "f"),
    ("label", "' m e Tab Tab Tab Tab Tab Tab Tab ^T"), ("import", "i"), ("export", "w"), ("form", "e"),
    ("discard", "e x Esc"), ("photo", "' m e S-Tab Enter"), ("help", "?"),
  ]

  private func open(
    _ keys: String, rows: Int = 24, columns: Int = 80, theme: Theme = .terminal
  ) throws -> ScreenHarness {
    let harness = try ScreenHarness(rows: rows, columns: columns, theme: theme, ScreenPeople.few)
    harness.press(keys)
    if harness.environment.screens.top?.keyContext == .groups { try harness.waitForCounts() }
    let top = harness.environment.screens.top
    try harness.wait("the folder") {
      harness.draw()
      return (top as? PhotoChooserScreen)?.isIdle ?? (top as? ImportChooserScreen)?.isIdle ?? true
    }
    harness.draw()
    return harness
  }

  /// Screen readers follow it. A crop has no lines.
  @Test(
    arguments: screens + [("commands", "M-x"), ("history", "* H"), ("trash", "d y T"), ("merge", "Space j Space M")])
  func theCursorHasAPlace(screen: (name: String, keys: String)) throws {
    for (rows, columns) in [(24, 80), (12, 40), (40, 120)] {
      let canvas = try #require(try open(screen.keys, rows: rows, columns: columns).terminal.canvas)
      let point = try #require(canvas.cursor ?? canvas.hiddenCursor)
      #expect(point.row > 0 || canvas.cursor != nil, "\(canvas.plainText())")
      #expect((0..<rows).contains(point.row) && (0..<columns).contains(point.column))
    }
  }

  /// Beside a list that is filtered by typing.
  @Test(arguments: [("search", "/ l"), ("groups", "f"), ("photo", "' m e S-Tab Enter"), ("commands", "M-x")])
  func theCursorFollowsTheSelectionUntilTextIsTyped(screen: (name: String, keys: String)) throws {
    let harness = try open(screen.keys)
    if screen.name == "search" { try harness.wait(for: "found") }
    func row() throws -> Int {
      harness.draw()
      let canvas = try #require(harness.terminal.canvas)
      return try #require(canvas.cursor ?? canvas.hiddenCursor).row
    }
    let field = try row()
    for key in ["Down", "Down", "Up"] {
      harness.press(key)
      let line = harness.screen.split(separator: "\n", omittingEmptySubsequences: false)[try row()]
      #expect(line.contains("▸"), "\(harness.screen)")
    }
    harness.type("i")
    #expect(try row() == field)
  }

  /// In a process of its own, because the width is that of the whole process.
  @Test func whereAmbiguousCharactersAreWideNoneIsDrawnInOneColumn() async {
    await #expect(processExitsWith: .success) {
      TextWidth.ambiguousColumns = 2
      try await MainActor.run {
        for screen in EverywhereTests.screens {
          for (rows, columns) in [(24, 80), (12, 40), (40, 120)] {
            let canvas = try #require(
              try EverywhereTests().open(screen.keys, rows: rows, columns: columns).terminal.canvas)
            for row in 0..<rows {
              let wrong = canvas.cells(ofLine: row).filter { $0.width == 1 && TextWidth.columns(of: $0.text) != 1 }
              #expect(wrong.isEmpty, "\(screen.name)\n\(canvas.plainText())")
            }
            #expect(!canvas.plainText().contains { "─│╭╮╰╯●○★…".contains($0) && TextWidth.columns(of: $0) == 1 })
          }
        }
      }
    }
  }

  @Test(arguments: screens) func suspends(screen: (name: String, keys: String)) throws {
    let harness = try open(screen.keys)
    let before = harness.screen
    harness.press("^Z")
    #expect(harness.loop.suspends == 1)
    #expect(harness.screen == before)
  }

  @Test(arguments: screens) func redraws(screen: (name: String, keys: String)) throws {
    let harness = try open(screen.keys)
    harness.draw()
    #expect(harness.terminal.changedCells == 0)
    harness.press("^L")
    #expect(harness.terminal.changedCells == 24 * 80)
  }

  @Test(arguments: screens, [(24, 80), (12, 120)])
  func nothingIsDimInHighContrast(screen: (name: String, keys: String), size: (rows: Int, columns: Int)) throws {
    let harness = try open(screen.keys, rows: size.rows, columns: size.columns, theme: .contrast)
    let canvas = try #require(harness.terminal.canvas)
    let dim = (0..<canvas.size.rows).filter { row in
      canvas.cells(ofLine: row).contains { $0.style.attributes.contains(.dim) }
    }
    #expect(dim.isEmpty, "\(harness.screen)")
  }

  @Test(arguments: screens.filter { $0.name != "help" })
  func opensAndClosesHelp(screen: (name: String, keys: String)) throws {
    let harness = try open(screen.keys)
    let before = harness.screen
    let top = try #require(harness.environment.screens.top)
    harness.press("F1")
    #expect(harness.environment.screens.top is HelpScreen<Command, KeyContext>)
    harness.press("F1")
    #expect(harness.environment.screens.top === top)
    #expect(harness.screen == before)
  }

  @Test(arguments: screens) func listsItsCommandsWithAltX(screen: (name: String, keys: String)) throws {
    let harness = try open(screen.keys)
    let before = harness.screen
    let top = try #require(harness.environment.screens.top)
    let context = top.keyContext
    harness.press("M-x")
    #expect(harness.environment.screens.top is Chooser && harness.environment.screens.top !== top)
    for command in CommandPalette.bindings(harness.environment.keys, in: context).prefix(3) {
      let text = harness.environment.strings(command.help)
      #expect(harness.screen.contains(text.prefix(10)), "\(text)")
    }
    harness.press("M-x")
    #expect(harness.environment.screens.top === top && harness.screen == before)
    harness.press("M-x")
    harness.type("redraw")
    harness.press("Enter")
    #expect(harness.terminal.changedCells == 24 * 80)
    #expect(harness.environment.screens.top === top && harness.screen == before)
  }

  @Test(arguments: screens.filter { $0.name != "list" })
  func controlCLeaves(screen: (name: String, keys: String)) throws {
    let harness = try open(screen.keys)
    let top = try #require(harness.environment.screens.top)
    let mode = harness.browser.mode
    harness.press("^C")
    if top === harness.browser {
      #expect(harness.browser.mode == .list)
      #expect(mode != .list || harness.screen.contains("Press q to quit."))
    } else {
      #expect(harness.environment.screens.top !== top)
    }
    #expect(!harness.loop.isStopped)
    #expect(try harness.book.contactCount() == ScreenPeople.few.count)
  }

  @Test func controlCInTheListExplainsHowToQuit() throws {
    let harness = try open("^C")
    #expect(harness.screen.contains("Press q to quit."))
    #expect(!harness.loop.isStopped)
    harness.press("q")
    #expect(harness.loop.isStopped)
  }

  @Test func controlCLeavesAnUnchangedFormAndAsksInAChangedOne() throws {
    let harness = try open("' m e ^C")
    #expect(harness.environment.screens.top === harness.browser)
    harness.press("e x ^C")
    #expect(harness.screen.contains("Discard changes?"))
    harness.press("^C")
    #expect(harness.environment.screens.top is ContactFormScreen)
  }

  @Test func helpBeginsWithTheKeysOfTheScreenItWasAskedFrom() throws {
    for (keys, heading) in [("e", "In a form"), ("/", "In the search field"), ("w", "When typing a name")] {
      let harness = try ScreenHarness(rows: 12, columns: 40, ScreenPeople.few)
      harness.press(keys + " F1")
      #expect(harness.screen.split(separator: "\n")[1].contains(heading), "\(harness.screen)")
    }
  }

  @Test func customKeysWorkInEveryScreen() throws {
    let reader = ConfigurationReader("[keys]\nsuspend = [\"^V\"]\nhelp = [\"F2\"]\n")
    for screen in Self.screens {
      let harness = try ScreenHarness(keys: reader.configuration.keys, ScreenPeople.few)
      harness.press(screen.keys == "?" ? "F2" : screen.keys)
      harness.press("^Z")
      #expect(harness.loop.suspends == 0, "\(screen.name)")
      harness.press("^V")
      #expect(harness.loop.suspends == 1, "\(screen.name)")
    }
  }
}
