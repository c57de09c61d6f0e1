import Foundation
import SeededRandom
import Testing

@testable import TerminalKit

/// What ncurses was made to send, as tmux understands it: the judge of `ScreenEmulator`, and of the emulator's own reading.
@MainActor struct TmuxJudgeTests {
  private let size = Size(rows: 8, columns: 40)
  private static let texts = [
    "Lindström", "李小龙", "林青霞 lín qīng xiá", "Иванов", "محمد", "山田 太郎", "김철수", "Ｂｏｂ", "+46 31 555 01", "┊ A B C", "▸",
    "e\u{301}te\u{301}", "", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  ]

  @Test(arguments: [1, UInt64.random(in: 2...1_000_000)])
  func screensAreShownAsDrawn(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let pseudo = try PseudoTerminal(size)
    let terminal = try NcursesTerminal(
      device: try TerminalDevice(input: pseudo.slave, output: pseudo.slave), type: "xterm-256color",
      signalDescriptor: -1, options: NcursesTerminal.Options(mouse: true, color: true, images: .never))
    var bytes: [UInt8] = []
    var canvas = Canvas(size: size)
    let colors: [Color] = [.standard, .palette(1), .palette(12), .palette(200), .rgb(1, 2, 3)]
    for _ in 0..<60 {
      if Int.random(in: 0..<6, using: &random) == 0 {
        // A row goes and the rest move up, as in a list.
        let lines = canvas.plainText().split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        canvas = Canvas(size: size)
        for (row, line) in lines.enumerated() {
          canvas.put(String(line), at: Point(row: row, column: 0), limit: size.columns, style: .plain)
        }
      }
      canvas.put(
        Self.texts.randomElement(using: &random) ?? "",
        at: Point(
          row: Int.random(in: 0..<size.rows, using: &random), column: Int.random(in: 0..<size.columns, using: &random)),
        limit: Int.random(in: 1...size.columns, using: &random),
        style: Style(
          foreground: colors.randomElement(using: &random) ?? .standard,
          background: colors.randomElement(using: &random) ?? .standard,
          attributes: Style.Attributes(rawValue: UInt8.random(in: 0..<32, using: &random))))
      terminal.present(canvas)
      bytes += pseudo.output()
    }
    let tmux = try TmuxScreen(size: size, showing: bytes)
    let deadline = Date().addingTimeInterval(20)
    while try tmux.text() != canvas.plainText(), Date() < deadline { usleep(20_000) }
    #expect(try tmux.text() == canvas.plainText())
    let looks = try tmux.looks()
    let wrong = looks.wrongLooks(canvas)
    #expect(wrong.isEmpty, "\(wrong.prefix(5).joined(separator: "; "))")
    #expect(looks.unknown == [])
    var emulator = ScreenEmulator(size: size)
    emulator.feed(bytes)
    #expect(emulator.text == canvas.plainText() && emulator.wrongLooks(canvas).isEmpty)
    terminal.restore()
  }
}
