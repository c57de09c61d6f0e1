import Foundation
import ReferenceTerminals
import SeededRandom
import Testing

@testable import TerminalKit

/// Links that NcursesTerminal sends, as the emulator understands them. tmux confirms only text, styles and cursor.
@MainActor @Suite(.serialized) struct LinkedScreenTests {
  private let size = Size(rows: 8, columns: 40)

  private func terminal(
    _ pseudo: PseudoTerminal, type: String = "xterm-256color", color: Bool = true,
    links: NcursesTerminal.Options.Links = .always
  ) throws -> NcursesTerminal {
    try NcursesTerminal(
      device: try TerminalDevice(input: pseudo.slave, output: pseudo.slave), type: type, signalDescriptor: -1,
      options: NcursesTerminal.Options(color: color, images: .never, links: links))
  }

  private func canvas(_ text: String, _ address: String?, style: Style = .plain) -> Canvas {
    var canvas = Canvas(size: size)
    canvas.put("left", at: Point(row: 2, column: 0), limit: 9, style: .plain)
    let used = canvas.put(text, at: Point(row: 2, column: 10), limit: 30, style: style)
    canvas.link(Rect(row: 2, column: 10, rows: 1, columns: used), to: address.flatMap { TerminalLink($0) })
    return canvas
  }

  @Test(arguments: [true, false])
  func linksAppearChangeAndDisappear(color: Bool) throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo, color: color)
    var emulator = ScreenEmulator(size: size)
    let style = color ? Style(foreground: .palette(200), background: .palette(17), attributes: .underline) : .plain
    func show(_ canvas: Canvas) -> Int {
      terminal.present(canvas)
      let bytes = pseudo.output()
      emulator.feed(bytes)
      #expect(emulator.text == canvas.plainText())
      #expect(emulator.wrongLooks(canvas) == [])
      #expect(emulator.wrongLinks(canvas) == [])
      return bytes.count
    }
    let first = canvas("李小龙's page", "https://example.com/1", style: style)
    _ = show(first)
    #expect(show(first) == 0)
    _ = show(canvas("李小龙's page", "https://example.com/2", style: style))
    _ = show(canvas("李小龙's page", nil, style: style))
    _ = show(canvas("李小龙's page", "https://example.com/1", style: style))
    _ = show(canvas("李小龙's p", "https://example.com/1", style: style))
    _ = show(canvas("林青霞's page", "https://example.com/1", style: style))
    var covered = canvas("林青霞's page", "https://example.com/1", style: style)
    covered.fill(Rect(row: 1, column: 13, rows: 3, columns: 4), style: .plain, character: "#")
    _ = show(covered)
    var elsewhere = covered
    elsewhere.put("x", at: Point(row: 5, column: 0), limit: 1, style: .plain)
    #expect(show(elsewhere) < 12, "the lines with links are not sent again")
    elsewhere.put("right", at: Point(row: 2, column: 0), limit: 9, style: .plain)
    _ = show(elsewhere)
    terminal.invalidate()
    _ = show(elsewhere)
    terminal.leave()
    _ = pseudo.output()
    terminal.enter()
    _ = show(elsewhere)
    #expect(emulator.unknown == [])
    terminal.restore()
  }

  /// With one id, the terminal treats all parts as one link.
  @Test func aLinkOfTwoLinesHasOneID() throws {
    let link = try #require(TerminalLink("https://example.com/long"))
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    var canvas = Canvas(size: size)
    canvas.fill(Rect(row: 1, column: 30, rows: 2, columns: 10), style: .plain, character: "a")
    canvas.link(Rect(row: 1, column: 30, rows: 2, columns: 10), to: link)
    terminal.present(canvas)
    var emulator = ScreenEmulator(size: size)
    emulator.feed(pseudo.output())
    #expect(emulator.link(1, 39) == ScreenEmulator.Link(address: link.address, id: String(link.number)))
    #expect(emulator.link(2, 30) == emulator.link(1, 39))
    #expect(emulator.link(2, 29) == nil && emulator.link(3, 0) == nil)
    terminal.restore()
  }

  @Test func aScreenWithoutLinksSendsNoExtraBytes() throws {
    func bytes(_ links: NcursesTerminal.Options.Links) throws -> [[UInt8]] {
      var random = SeededGenerator(seed: 3)
      let pseudo = try PseudoTerminal(size)
      let terminal = try terminal(pseudo, links: links)
      var canvas = Canvas(size: size)
      return (0..<100).map { _ in
        Self.change(&canvas, links: [nil], using: &random)
        terminal.present(canvas)
        return pseudo.output()
      }
    }
    #expect(try bytes(.always) == bytes(.never))
  }

  /// If links are not sent, their text still is.
  @Test(arguments: [("xterm-256color", NcursesTerminal.Options.Links.never), ("linux", .always)])
  func withoutLinkSupportOnlyTextIsSent(type: String, links: NcursesTerminal.Options.Links) throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo, type: type, links: links)
    terminal.present(canvas("page", "https://example.com/1"))
    let bytes = String(decoding: pseudo.output(), as: UTF8.self)
    #expect(bytes.contains("page") && !bytes.contains("]8;"))
    terminal.present(canvas("page", "https://example.com/2"))
    #expect(pseudo.output() == [])
    terminal.restore()
    #expect(!String(decoding: pseudo.output(), as: UTF8.self).contains("]8;"))
  }

  @Test func aCrashInTheMiddleOfALinkEndsIt() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    terminal.present(canvas("page", "https://example.com/1"))
    var emulator = ScreenEmulator(size: size)
    emulator.feed(pseudo.output() + Array("\u{1B}]8;;https://example.com/2\u{1B}\\\u{1B}[HA".utf8))
    TerminalGuard.restore()
    emulator.feed(pseudo.output() + Array("\u{1B}[HAB".utf8))
    #expect(emulator.link(0, 1) == nil && emulator.link(0, 0) == nil)
    terminal.restore()
  }

  /// ncurses erases all lines below the last text together, even those that were blank before.
  @Test func aLinkOfSpacesIsKept() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    var emulator = ScreenEmulator(size: size)
    var canvas = Canvas(size: size)
    canvas.link(Rect(row: 6, column: 3, rows: 1, columns: 9), to: TerminalLink("https://example.com/blank"))
    for text in ["many words", "", "many other words", ""] {
      for row in 1..<5 {
        canvas.fill(Rect(row: row, column: 0, rows: 1, columns: 40), style: .plain)
        canvas.put(text, at: Point(row: row, column: 0), limit: 40, style: .plain)
      }
      terminal.present(canvas)
      emulator.feed(pseudo.output())
      #expect(emulator.wrongLinks(canvas) == [])
    }
    terminal.restore()
  }

  /// A list of links that scrolls, with and without a fixed bar beside it.
  @Test(arguments: [7, UInt64.random(in: 0...UInt64.max)])
  func aListOfLinksIsMoved(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let size = Size(rows: 24, columns: 60)
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    var emulator = ScreenEmulator(size: size)
    let people = (0..<120).map { "Person \($0 * 7919 % 1000) " + String(repeating: "y", count: $0 * 13 % 30) }
    var top = 0
    var scrolled: [Int] = []
    var whole = 0
    for step in 0..<300 {
      var canvas = Canvas(size: size)
      for row in 1..<size.rows - 1 {
        let used = canvas.put(people[top + row], at: Point(row: row, column: 2), limit: 50, style: .plain)
        let isLink = (top + row) % 3 != 0 && step % 10 != 9
        let link = isLink ? TerminalLink("https://example.com/list/\(top + row)") : nil
        canvas.link(Rect(row: row, column: 2, rows: 1, columns: used), to: link)
        // Without the bar, moved lines are completely equal.
        if step / 10 % 3 > 0 {
          canvas.put(String(UnicodeScalar(UInt8(0x41 + row))), at: Point(row: row, column: 58), limit: 1, style: .plain)
        }
      }
      terminal.present(canvas)
      let bytes = pseudo.output()
      if step == 0 { whole = bytes.count }
      if step % 10 < 8, step / 10 % 3 > 0 { scrolled.append(bytes.count) }
      emulator.feed(bytes)
      #expect(emulator.text == canvas.plainText())
      #expect(emulator.wrongLinks(canvas) == [], "step \(step)")
      top = min(max(0, top + Int.random(in: -2...2, using: &random)), people.count - size.rows)
    }
    let median = scrolled.sorted()[scrolled.count / 2]
    #expect(median < whole, "\(median) of \(whole) bytes")
    #expect(emulator.unknown == [])
    terminal.restore()
  }

  @Test func moreLinksThanColorPairsAreDrawn() throws {
    let pseudo = try PseudoTerminal(size)
    // A terminal with 64 color pairs.
    let terminal = try terminal(pseudo, type: "xterm-color")
    var emulator = ScreenEmulator(size: size)
    for step in 0..<300 {
      let canvas = canvas("page", "https://example.com/pairs/\(step % 70)")
      terminal.present(canvas)
      emulator.feed(pseudo.output())
      #expect(emulator.wrongLinks(canvas) == [], "step \(step)")
    }
    terminal.restore()
  }

  @Test(arguments: [Size(rows: 6, columns: 30), Size(rows: 24, columns: 60)])
  func randomLinksAreWhereTheyWereDrawn(size: Size) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    var emulator = ScreenEmulator(size: size)
    var canvas = Canvas(size: size)
    for step in 0..<600 {
      switch Int.random(in: 0..<40, using: &random) {
      case 0: terminal.invalidate()
      case 1:
        terminal.leave()
        emulator.feed(pseudo.output())
        terminal.enter()
      case 2:
        let new = Size(rows: size.rows - step % 3, columns: size.columns - step % 2)
        pseudo.resize(new)
        _ = terminal.updateSize()
        _ = pseudo.output()
        emulator = ScreenEmulator(size: new)
        canvas = Canvas(size: new)
      default: Self.change(&canvas, links: Self.links, using: &random)
      }
      let point = Point(row: step % canvas.size.rows, column: step * 7 % canvas.size.columns)
      canvas.cursor = step % 3 == 0 || canvas[point.row, point.column].width == 0 ? nil : point
      terminal.present(canvas)
      emulator.feed(pseudo.output())
      let wrong = emulator.wrongLinks(canvas) + emulator.wrongLooks(canvas)
      let isSame = emulator.text == canvas.plainText()
      #expect(wrong.isEmpty && isSame, "step \(step): \(wrong.prefix(5).joined(separator: "; "))")
      if !wrong.isEmpty || !isSame { break }
    }
    #expect(emulator.unknown == [])
    terminal.restore()
  }

  @Test(
    .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"),
    arguments: [1, 271526, UInt64.random(in: 2...1_000_000)])
  func tmuxShowsTheSameText(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let pseudo = try PseudoTerminal(size)
    let terminal = try terminal(pseudo)
    var bytes: [UInt8] = []
    var canvas = Canvas(size: size)
    for _ in 0..<80 {
      Self.change(&canvas, links: Self.links, using: &random)
      terminal.present(canvas)
      bytes += pseudo.output()
    }
    let tmux = try TmuxScreen(size: size, showing: bytes)
    var emulator = ScreenEmulator(size: size)
    emulator.feed(bytes)
    #expect(try emulator.differences(from: tmux).prefix(8) == [])
    #expect(try tmux.text() == canvas.plainText())
    #expect(emulator.wrongLinks(canvas) == [])
    terminal.restore()
  }

  // MARK: Random changes

  /// Few, so that a link is often replaced by another with the same text.
  private static let links = [nil, "https://example.com/a", "mailto:ann@example.com"].map {
    $0.flatMap { TerminalLink($0) }
  }
  private static let colors: [Color] = [.standard, .standard, .palette(1), .palette(200), .rgb(1, 2, 3)]

  private static func change(
    _ canvas: inout Canvas, links: [TerminalLink?], using random: inout SeededGenerator
  ) {
    let size = canvas.size
    func anyRow() -> Int { Int.random(in: 0..<size.rows, using: &random) }
    func anyColumn() -> Int { Int.random(in: 0..<size.columns, using: &random) }
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      // Some lines move up or down.
      let old = canvas
      let count = Int.random(in: -3...3, using: &random)
      let (from, to) = (anyRow(), anyRow())
      for row in min(from, to)...max(from, to) {
        let isInside = (0..<size.rows).contains(row + count)
        // Not the last line: its last cell must not have marks.
        if isInside, row + count != size.rows - 1, row != size.rows - 1 {
          canvas.setLine(row, old.cells(ofLine: row + count))
        }
      }
    case 1:
      // A popup.
      canvas.fill(
        Rect(row: anyRow(), column: anyColumn(), rows: 3, columns: 12), style: Style(background: .palette(4)))
    case 2, 3, 4:
      canvas.link(
        Rect(row: anyRow(), column: anyColumn(), rows: 2, columns: Int.random(in: 1...size.columns, using: &random)),
        to: links.randomElement(using: &random) ?? nil)
    case 5:
      // Many lines with few different texts, which ncurses finds in other lines.
      for row in 0..<size.rows where Bool.random(using: &random) {
        canvas.put("line \(row % 3)", at: Point(row: row, column: 0), limit: size.columns, style: .plain)
      }
    default:
      let point = Point(row: anyRow(), column: anyColumn())
      let used = canvas.put(
        HostileText.samples.randomElement(using: &random) ?? "", at: point,
        limit: Int.random(in: 1...size.columns, using: &random),
        style: Style(
          foreground: colors.randomElement(using: &random) ?? .standard,
          background: colors.randomElement(using: &random) ?? .standard,
          attributes: Style.Attributes(rawValue: UInt8.random(in: 0..<32, using: &random))))
      canvas.link(
        Rect(row: point.row, column: point.column, rows: 1, columns: used),
        to: links.randomElement(using: &random) ?? nil)
    }
  }
}

extension ScreenEmulator {
  /// Returns the cells whose link is not the one that was drawn.
  fileprivate func wrongLinks(_ canvas: Canvas) -> [String] {
    var wrong: [String] = []
    for row in 0..<canvas.size.rows {
      for column in 0..<canvas.size.columns {
        let (wanted, found) = (canvas[row, column].link?.address, link(row, column)?.address)
        if found != wanted {
          wrong.append("\(row):\(column) leads to \(found ?? "nothing") instead of \(wanted ?? "nothing")")
        }
      }
    }
    return wrong
  }
}
