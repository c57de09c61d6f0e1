import ReferenceTerminals
import SeededRandom
import Testing

@testable import TerminalKit

/// Terminals in which characters of ambiguous width take two columns. The width is that of the whole process, so each
/// test has a process of its own.
struct AmbiguousWidthTests {
  @Test func textTakesTwoColumnsAndSymbolsOne() async {
    await #expect(processExitsWith: .success) {
      let narrow = [("é", 1), ("Ω", 1), ("Я", 1), ("①", 1), ("→", 1), ("李", 2), ("a", 1), ("ñ", 1), ("한", 2), ("ｱ", 1)]
      for (text, columns) in narrow { #expect(TextWidth.columns(of: text) == columns, "\(text)") }
      TextWidth.ambiguousColumns = 2
      for text in ["é", "Ω", "Я", "①", "→", "李", "한", "Ω\u{301}"] {
        #expect(TextWidth.columns(of: text) == 2, "\(text)")
      }
      for text in ["a", "ñ", "ｱ", "e\u{301}"] { #expect(TextWidth.columns(of: text) == 1, "\(text)") }
      #expect(DisplayText.clean("╭─╮│┃●○★·’\u{E000}\u{FFFD}𗀀") == "+-+|#*o*.'???")
      #expect(
        TextWidth.wrap("Пётр Ильич Чайковский", columns: 12) == ["Пётр", "Ильич", "Чайков", "ский"],
        "within no word that fits")
      var canvas = Canvas(size: Size(rows: 1, columns: 9))
      canvas.put("Чайковский", at: Point(row: 0, column: 0), limit: 6, style: .plain)
      canvas.fill(Rect(row: 0, column: 8, rows: 1, columns: 1), style: .plain, character: "│")
      #expect(canvas.plainText() == "Ча~   |" && canvas[0, 8].text == "|")
    }
  }

  @Test func screensAreShownAsDrawn() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let size = Size(rows: 8, columns: 40)
        let pseudo = try PseudoTerminal(size)
        let terminal = try NcursesTerminal(
          device: try TerminalDevice(input: pseudo.slave, output: pseudo.slave), type: "xterm-256color",
          signalDescriptor: -1,
          options: NcursesTerminal.Options(ambiguousWidth: .wide, color: true, images: .never, links: .always))
        var emulator = ScreenEmulator(size: size)
        emulator.isWidened = { WideTable.index(of: $0.value, in: WideTable.ambiguous) != nil }
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let texts =
          ["Пётр Чайковский", "Ωμέγα", "é", "“李小龙”", "①②③", "Müller", "╭────╮", "│", "abc", " "] + HostileText.samples
        let styles = [Style.plain, Style(background: .palette(4)), Style(foreground: .rgb(1, 2, 3), attributes: .bold)]
        var canvas = Canvas(size: size)
        for step in 0..<400 {
          let point = Point(
            row: Int.random(in: 0..<size.rows, using: &random), column: Int.random(in: 0..<size.columns, using: &random)
          )
          let used = canvas.put(
            texts.randomElement(using: &random) ?? "", at: point, limit: Int.random(in: 1...40, using: &random),
            style: styles.randomElement(using: &random) ?? .plain)
          let address = step % 5 == 0 ? TerminalLink("https://example.com") : nil
          canvas.link(Rect(row: point.row, column: point.column, rows: 1, columns: used), to: address)
          if step % 40 == 39 { terminal.invalidate() }
          terminal.present(canvas)
          emulator.feed(pseudo.output())
          let isSame = emulator.text == canvas.plainText()
          #expect(isSame, "step \(step)\n\(emulator.text)\n-- instead of\n\(canvas.plainText())")
          #expect(emulator.wrongLooks(canvas).prefix(3) == [], "step \(step)")
          if !isSame { break }
        }
        #expect(emulator.unknown == [])
        terminal.restore()
      }
    }
  }

  @Test func theTerminalIsAskedBeforeTheFirstFrame() async {
    await #expect(processExitsWith: .success) {
      try await MainActor.run {
        let size = Size(rows: 8, columns: 40)
        for isWide in [false, true] {
          let pseudo = try PseudoTerminal(size)
          let terminal = try NcursesTerminal(
            device: try TerminalDevice(input: pseudo.slave, output: pseudo.slave), type: "xterm-256color",
            signalDescriptor: -1, options: NcursesTerminal.Options(ambiguousWidth: .automatic, images: .never))
          var canvas = Canvas(size: size)
          canvas.put("first", at: Point(row: 1, column: 0), limit: 9, style: .plain)
          terminal.present(canvas)
          let bytes = pseudo.output()
          #expect(bytes.ranges(of: Array("\u{1B}[2;1H▽\u{1B}[6n".utf8)).count == 1)
          var emulator = ScreenEmulator(size: size)
          emulator.feed(Array(String(decoding: bytes, as: UTF8.self).replacing("\u{1B}[6n", with: "").utf8))
          #expect(emulator.text == canvas.plainText(), "nothing is left of the question")
          terminal.setPosition(Point(row: 1, column: isWide ? 2 : 1))
          #expect(TextWidth.ambiguousColumns == (isWide ? 2 : 1))
          terminal.present(canvas)
          #expect(pseudo.output().isEmpty == !isWide)
          terminal.setPosition(Point(row: 1, column: 2))
          #expect(TextWidth.ambiguousColumns == (isWide ? 2 : 1), "one question has one reply")
          terminal.restore()
        }
      }
    }
  }
}
