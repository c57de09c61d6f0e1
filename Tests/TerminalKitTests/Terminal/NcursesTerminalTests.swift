import Foundation
import ReferenceTerminals
import SeededRandom
import Testing

@testable import TerminalKit

/// The real terminal on a pseudo terminal, whose other end an emulator reads.
@MainActor @Suite(.serialized) struct NcursesTerminalTests {
  let size = Size(rows: 6, columns: 30)

  func terminal(
    _ pseudo: PseudoTerminal, type: String = "xterm-256color", mouse: Bool = true,
    focus: Bool = false, background: Bool = false, images: NcursesTerminal.Options.Images = .never
  ) throws -> NcursesTerminal {
    try NcursesTerminal(
      device: try TerminalDevice(input: pseudo.slave, output: pseudo.slave), type: type, signalDescriptor: -1,
      options: NcursesTerminal.Options(
        mouse: mouse, focus: focus, background: background, color: true, images: images))
  }

  @Test func theCursorIsABarInTextFieldsUntilTheTerminalIsReleased() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo, focus: true)
    var emulator = ScreenEmulator(size: size)
    var canvas = Canvas(size: size)
    TextField("text").draw(on: &canvas, in: Rect(row: 1, column: 1, rows: 1, columns: 9), style: .plain, focused: true)
    terminal.present(canvas)
    emulator.feed(pseudo.output())
    #expect(emulator.cursorShape == 6)
    #expect(emulator.modes.contains(1004))
    canvas.cursor = Point(row: 0, column: 0)
    terminal.present(canvas)
    emulator.feed(pseudo.output())
    #expect(emulator.cursorShape == 0)
    canvas.cursorShape = .underline
    terminal.present(canvas)
    emulator.feed(pseudo.output())
    #expect(emulator.cursorShape == 4)
    terminal.leave()
    emulator.feed(pseudo.output())
    #expect(emulator.cursorShape == 0)
    #expect(!emulator.modes.contains(1004))
    #expect(emulator.unknown == [])
  }

  @Test func onlyLargeChangesUseSynchronizedOutput() throws {
    let size = Size(rows: 20, columns: 40)
    let on = Array("\u{1B}[?2026h".utf8)
    let off = Array("\u{1B}[?2026l".utf8)
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    _ = pseudo.output()
    var canvas = Canvas(size: size)
    canvas.fill(Rect(size), style: .plain, character: "x")
    terminal.present(canvas)
    let first = pseudo.output()
    #expect(first.ranges(of: on).count == 1 && first.suffix(off.count).elementsEqual(off))
    canvas.put("one line", at: Point(row: 3, column: 0), limit: 40, style: .plain)
    terminal.present(canvas)
    let second = pseudo.output()
    #expect(second.ranges(of: on).isEmpty && second.ranges(of: off).isEmpty)
  }

  @Test func theTerminalIsRestoredAtTheEnd() throws {
    let pseudo = try PseudoTerminal(size)
    let before = pseudo.modes
    let terminal = try terminal(pseudo)
    #expect(terminal.size == size)
    terminal.present(Canvas(size: size))
    var emulator = ScreenEmulator(size: size)
    emulator.feed(pseudo.output())
    #expect(emulator.modes.isSuperset(of: [1049, 2004, 1000, 1006]))
    #expect(!emulator.modes.contains(25))
    #expect(pseudo.modes != before)
    terminal.leave()
    emulator.feed(pseudo.output())
    #expect(emulator.modes.subtracting([7]) == [25])
    #expect(pseudo.modes == before)
    terminal.enter()
    terminal.present(Canvas(size: size))
    emulator.feed(pseudo.output())
    #expect(emulator.modes.contains(1049) && pseudo.modes != before)
    terminal.restore()
    terminal.restore()
    terminal.present(Canvas(size: size))
    emulator.feed(pseudo.output())
    #expect(emulator.modes.subtracting([7]) == [25])
    #expect(pseudo.modes == before)
    #expect(emulator.unknown == [])
  }

  /// Mouse reports that the terminal sent before they were disabled arrive before its reply to the query, and are
  /// discarded.
  @Test func mouseReportsInTransitAreDiscarded() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    terminal.setMouseHeld(true)
    _ = pseudo.output()
    let master = pseudo.master
    let question = Array("\u{1B}[5n".utf8)
    let thread = Thread {
      var seen: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while seen.ranges(of: question).isEmpty {
        if case .bytes(let count) = DescriptorRead(master, into: &buffer) { seen += buffer[..<count] }
        for report in ["\u{1B}[<32;4;5M", "\u{1B}[<32;4;6M", "x"] { _ = write(master, report, report.utf8.count) }
      }
      #expect(!seen.ranges(of: Array("\u{1B}[?1000l".utf8)).isEmpty)
      for part in ["\u{1B}[<0;4;6m\u{1B}", "[0n"] { _ = write(master, part, part.utf8.count) }
    }
    thread.start()
    terminal.leave()
    var waiting: Int32 = -1
    #expect(ioctl(pseudo.slave, UInt(FIONREAD), &waiting) == 0)
    #expect(waiting == 0)
  }

  @Test func noQueryIsSentWhileTheMouseIsIdle() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    terminal.leave()
    #expect(pseudo.output().ranges(of: Array("\u{1B}[5n".utf8)).isEmpty)
  }

  /// The emulator detects wrong styles.
  @Test func stylesAreCompared() throws {
    var emulator = ScreenEmulator(size: Size(rows: 1, columns: 4))
    emulator.feed(Array("\u{1B}[1;31;48;5;200ma\u{1B}[7mb\u{1B}[m c".utf8))
    var canvas = Canvas(size: Size(rows: 1, columns: 4))
    let first = Style(foreground: .palette(1), background: .palette(200), attributes: .bold)
    canvas.put("a", at: Point(row: 0, column: 0), limit: 1, style: first)
    canvas.put("b", at: Point(row: 0, column: 1), limit: 1, style: first.adding(.reverse))
    canvas.put("c", at: Point(row: 0, column: 3), limit: 1, style: .plain)
    #expect(emulator.wrongLooks(canvas) == [])
    canvas.put("c", at: Point(row: 0, column: 3), limit: 1, style: Style(attributes: .underline))
    canvas.put("a", at: Point(row: 0, column: 0), limit: 1, style: first.with(background: .palette(201)))
    #expect(emulator.wrongLooks(canvas).count == 2)
    #expect(emulator.unknown == [])
  }

  @Test func randomScreensAreShownAsDrawn() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    var emulator = ScreenEmulator(size: size)
    var canvas = Canvas(size: size)
    let colors: [Color] = [.standard, .palette(1), .palette(200), .rgb(1, 2, 3)]
    for step in 0..<400 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: canvas = Canvas(size: size)
      case 1: terminal.invalidate()
      case 2:
        // A row is removed and the rest move up, as in a list.
        let lines = canvas.plainText().split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        canvas = Canvas(size: size)
        for (row, line) in lines.enumerated() {
          canvas.put(String(line), at: Point(row: row, column: 0), limit: size.columns, style: .plain)
        }
      default:
        canvas.put(
          HostileText.samples.randomElement(using: &random)!,
          at: Point(row: Int.random(in: 0..<6, using: &random), column: Int.random(in: 0..<30, using: &random)),
          limit: Int.random(in: 1...30, using: &random),
          style: Style(
            foreground: colors.randomElement(using: &random)!, background: colors.randomElement(using: &random)!,
            attributes: Style.Attributes(rawValue: UInt8.random(in: 0..<32, using: &random))))
      }
      // ncurses never puts the cursor on the second half of a cluster.
      let isPlace = Bool.random(using: &random) && canvas[step % 6, step % 30].width > 0
      canvas.cursor = isPlace ? Point(row: step % 6, column: step % 30) : nil
      terminal.present(canvas)
      emulator.feed(pseudo.output())
      let isSame = emulator.text == canvas.plainText()
      #expect(isSame, "step \(step)\n\(emulator.text)\n-- instead of\n\(canvas.plainText())")
      if let cursor = canvas.cursor {
        #expect(emulator.cursor == cursor)
        #expect(emulator.modes.contains(25))
      }
      let wrong = emulator.wrongLooks(canvas)
      #expect(wrong.isEmpty, "step \(step): \(wrong.prefix(5).joined(separator: "; "))")
      if !isSame || !wrong.isEmpty { break }
    }
    #expect(emulator.unknown == [])
    terminal.restore()
  }

  @Test func onlyWhatChangedIsSent() throws {
    let pseudo = try PseudoTerminal(Size(rows: 24, columns: 80))
    let terminal = try terminal(pseudo)
    var canvas = Canvas(size: terminal.size)
    func fill(_ first: Int, selected: Int) {
      for row in 0..<24 {
        let style = row == selected ? Style(background: .palette(4)) : .plain
        canvas.fill(Rect(row: row, column: 0, rows: 1, columns: 80), style: style)
        canvas.put(
          "李小龙 \(first + row) " + String(repeating: "x", count: (first + row) * 7 % 50), at: Point(row: row, column: 0),
          limit: 80, style: style)
      }
    }
    fill(0, selected: 5)
    terminal.present(canvas)
    _ = pseudo.output()
    terminal.present(canvas)
    #expect(pseudo.output().count == 0)
    fill(0, selected: 6)
    terminal.present(canvas)
    let move = pseudo.output().count
    fill(1, selected: -1)
    terminal.present(canvas)
    _ = pseudo.output()
    fill(2, selected: -1)
    terminal.present(canvas)
    let scrolled = pseudo.output().count
    print("bytes: selection moved \(move), scrolled by a line \(scrolled)")
    #expect(move < 260)
    // The lines are moved by the terminal, not sent again.
    #expect(scrolled < 120)
    terminal.restore()
  }

  /// A list beside a fixed bar, as on the main screen: it is scrolled, and rows are inserted and removed in its middle.
  @Test(arguments: [(24, 80), (40, 120)])
  func aListBesideABarIsScrolledByTheTerminal(rows: Int, columns: Int) throws {
    let size = Size(rows: rows, columns: columns)
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    var emulator = ScreenEmulator(size: size)
    var random = SeededGenerator(seed: 7)
    var people = (0..<300).map { "Person \($0 * 7919 % 1000) " + String(repeating: "y", count: $0 * 13 % 30) }
    var top = 0
    func show() -> Int {
      var canvas = Canvas(size: size)
      canvas.put("Title \(top)", at: Point(row: 0, column: 1), limit: 30, style: Style(attributes: .bold))
      for row in 1..<rows - 1 {
        canvas.put(people[top + row], at: Point(row: row, column: 2), limit: columns - 6, style: .plain)
        canvas.put(
          String(UnicodeScalar(UInt8(0x41 + row % 26))), at: Point(row: row, column: columns - 2), limit: 1,
          style: Style(foreground: .palette(6)))
      }
      terminal.present(canvas)
      let bytes = pseudo.output()
      emulator.feed(bytes)
      #expect(emulator.text == canvas.plainText())
      #expect(emulator.wrongLooks(canvas) == [])
      return bytes.count
    }
    let first = show()
    top += 1
    let scrolled = show()
    top -= 1
    let back = show()
    people.insert("Somebody new", at: 8)
    let inserted = show()
    people.remove(at: 8)
    let removed = show()
    print(
      "bytes at \(columns)×\(rows): first \(first), by a line \(scrolled) and \(back), a row in \(inserted), out \(removed)"
    )
    #expect([scrolled, back, inserted, removed].allSatisfy { $0 < first / 2 })
    for _ in 0..<200 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        people.insert(
          "New \(Int.random(in: 0..<1000, using: &random))", at: top + Int.random(in: 1..<rows, using: &random))
      case 1: people.remove(at: top + Int.random(in: 1..<rows, using: &random))
      default: top = min(max(0, top + Int.random(in: -5...5, using: &random)), 200)
      }
      _ = show()
    }
    #expect(emulator.unknown == [])
    terminal.restore()
  }

  @Test func resizing() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    for new in [
      Size(rows: 1, columns: 1), Size(rows: 60, columns: 200), Size(rows: 2, columns: 300), Size(rows: 10, columns: 40),
    ] {
      pseudo.resize(new)
      #expect(terminal.updateSize() == new)
      var canvas = Canvas(size: new)
      for row in 0..<new.rows {
        canvas.put("李小龙 \(row)", at: Point(row: row, column: 0), limit: new.columns, style: .plain)
      }
      // A canvas of the old size, drawn before the program knew the new size, does no harm.
      terminal.present(Canvas(size: size))
      _ = pseudo.output()
      terminal.invalidate()
      terminal.present(canvas)
      var emulator = ScreenEmulator(size: new)
      emulator.feed(pseudo.output())
      #expect(emulator.text == canvas.plainText())
    }
    terminal.restore()
  }

  @Test func anUnknownTypeIsUsedLikeXterm() throws {
    let pseudo = try PseudoTerminal(size)
    for (type, missing) in [("no-such-terminal", "no-such-terminal"), ("xterm", nil), ("foot-unheard-of", nil)] {
      let terminal = try terminal(pseudo, type: type)
      #expect(terminal.missingType == missing)
      terminal.restore()
    }
  }

  @Test func keysWithAltAreSentWithEsc() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    #expect(!pseudo.output().ranges(of: Array("\u{1B}[?1036;1039s\u{1B}[?1036h\u{1B}[?1039h".utf8)).isEmpty)
    terminal.restore()
    #expect(!pseudo.output().ranges(of: Array("\u{1B}[?1036;1039r".utf8)).isEmpty)
    let other = try self.terminal(pseudo, type: "linux")
    other.restore()
    #expect(pseudo.output().ranges(of: Array("1036".utf8)).isEmpty)
  }

  @Test func theHiddenCursorStandsWhereTheCanvasSays() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    var emulator = ScreenEmulator(size: size)
    var canvas = Canvas(size: size)
    canvas.put("selected", at: Point(row: 3, column: 2), limit: 9, style: .plain)
    canvas.hiddenCursor = Point(row: 3, column: 2)
    terminal.present(canvas)
    emulator.feed(pseudo.output())
    #expect(emulator.cursor == Point(row: 3, column: 2))
    canvas.hiddenCursor = Point(row: 4, column: 1)
    terminal.present(canvas)
    emulator.feed(pseudo.output())
    #expect(emulator.cursor == Point(row: 4, column: 1))
    terminal.restore()
  }

  @Test func adaptiveColorsFollowTheBackground() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo, background: true)
    var canvas = Canvas(size: size)
    let style = Style(foreground: .adaptive(dark: 80, light: 25))
    canvas.put("abc", at: Point(row: 1, column: 1), limit: 9, style: style)
    terminal.present(canvas)
    let first = pseudo.output()
    // Asked for after the first frame, and only then.
    #expect(first.suffix(BackgroundReply.query.count).elementsEqual(BackgroundReply.query))
    #expect(first.ranges(of: Array("38;5".utf8)).isEmpty)
    terminal.setBackground(isLight: true)
    terminal.present(canvas)
    let second = pseudo.output()
    #expect(!second.ranges(of: Array("38;5;25".utf8)).isEmpty)
    #expect(second.ranges(of: BackgroundReply.query).isEmpty)
    // One question has one reply.
    terminal.setBackground(isLight: false)
    terminal.present(canvas)
    #expect(pseudo.output() == [])
    terminal.restore()
  }

  @Test func aBackgroundThatWasNotAskedForIsIgnored() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    var canvas = Canvas(size: size)
    canvas.put("abc", at: Point(row: 1, column: 1), limit: 9, style: Style(foreground: .adaptive(dark: 80, light: 25)))
    terminal.present(canvas)
    #expect(pseudo.output().ranges(of: BackgroundReply.query).isEmpty)
    terminal.setBackground(isLight: true)
    terminal.present(canvas)
    #expect(pseudo.output() == [])
    terminal.restore()
  }

  /// While the terminal is released, a reply would reach another program.
  @Test func theBackgroundIsAskedForAgainIfTheTerminalWasReleasedBeforeTheReply() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo, background: true)
    terminal.present(Canvas(size: size))
    _ = pseudo.output()
    for isExpected in [true, false] {
      terminal.leave()
      terminal.setBackground(isLight: true)
      terminal.enter()
      terminal.present(Canvas(size: size))
      #expect(pseudo.output().ranges(of: BackgroundReply.query).isEmpty == !isExpected)
      terminal.setBackground(isLight: true)
    }
    terminal.restore()
  }

  @Test func unsuitableTypes() throws {
    let pseudo = try PseudoTerminal(size)
    #expect(throws: TerminalError.unsuitableTerminalType("dumb")) { try terminal(pseudo, type: "dumb") }
    #expect(pseudo.output() == [])
    let file = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { _ = close(file) }
    #expect(throws: TerminalError.inputIsNotATerminal) { try TerminalDevice(input: file, output: pseudo.slave) }
    #expect(throws: TerminalError.outputIsNotATerminal) { try TerminalDevice(input: pseudo.slave, output: file) }
  }

  /// Common terminals, and some whose description is often missing on another host.
  @Test(arguments: ["xterm-kitty", "alacritty", "foot", "tmux-256color", "screen", "linux", "vt100", "rxvt"])
  func types(type: String) throws {
    let pseudo = try PseudoTerminal(size)
    let before = pseudo.modes
    let terminal = try terminal(pseudo, type: type)
    var canvas = Canvas(size: size)
    canvas.put("abc", at: Point(row: 1, column: 1), limit: 9, style: Style(foreground: .rgb(255, 0, 0)))
    terminal.present(canvas)
    #expect(String(decoding: pseudo.output(), as: UTF8.self).contains("abc"))
    terminal.restore()
    #expect(pseudo.modes == before)
  }

  @Test func moreColorsThanPairs() throws {
    let pseudo = try PseudoTerminal(Size(rows: 24, columns: 80))
    let terminal = try terminal(pseudo, type: "xterm-color")
    var emulator = ScreenEmulator(size: terminal.size)
    #expect(terminal.colors == 8)
    var canvas = Canvas(size: terminal.size)
    // The last cell of the screen is written in a way that the emulator does not know.
    for row in 0..<23 {
      for column in 0..<80 {
        canvas.put(
          "x", at: Point(row: row, column: column), limit: 1,
          style: Style(foreground: .palette(UInt8(row * 10)), background: .palette(UInt8(column * 3))))
      }
    }
    terminal.present(canvas)
    emulator.feed(pseudo.output())
    #expect(emulator.text == canvas.plainText())
    terminal.restore()
  }
}
