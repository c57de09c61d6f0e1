import ReferenceTerminals
import SeededRandom
import Testing

@testable import TerminalKit

/// The output of ncurses as tmux understands it. This validates `ScreenEmulator`, which other tests rely on.
@MainActor @Suite(.enabled(if: TmuxScreen.isInstalled, "tmux is not installed")) struct TmuxScreenTests {
  private let size = Size(rows: 8, columns: 40)

  @Test(arguments: [1, 61_202, 505_647, UInt64.random(in: 2...1_000_000)])
  func hostileScreensAreShownAsDrawn(seed: UInt64) throws {
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
        // A row is removed and the rest move up, as in a list.
        let lines = canvas.plainText().split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        canvas = Canvas(size: size)
        for (row, line) in lines.enumerated() {
          canvas.put(String(line), at: Point(row: row, column: 0), limit: size.columns, style: .plain)
        }
      }
      canvas.put(
        HostileText.samples.randomElement(using: &random) ?? "",
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
    var emulator = ScreenEmulator(size: size)
    emulator.feed(bytes)
    #expect(try emulator.differences(from: tmux).prefix(8) == [])
    #expect(try tmux.text() == canvas.plainText())
    #expect(emulator.wrongLooks(canvas).prefix(8) == [])
    terminal.restore()
  }

  /// A popup over Chinese text: ncurses erases up to the first half of a character, and tmux then takes the background
  /// away when the second half is overwritten.
  @Test func aBlankKeepsItsBackgroundWhereAWideCharacterWasCut() throws {
    let pseudo = try PseudoTerminal(size)
    let terminal = try NcursesTerminal(
      device: try TerminalDevice(input: pseudo.slave, output: pseudo.slave), type: "xterm-256color",
      signalDescriptor: -1, options: NcursesTerminal.Options(color: true, images: .never))
    var canvas = Canvas(size: size)
    for row in 0..<size.rows {
      let text = String(repeating: "李", count: 20)
      canvas.put(text, at: Point(row: row, column: 0), limit: size.columns, style: .plain)
    }
    terminal.present(canvas)
    var bytes = pseudo.output()
    for columns in [24, 25] {
      let style = Style(background: .palette(4))
      canvas.fill(Rect(row: columns - 23, column: 4, rows: 1, columns: columns), style: style)
      canvas.put("│", at: Point(row: columns - 23, column: 3 + columns), limit: 1, style: style)
    }
    terminal.present(canvas)
    bytes += pseudo.output()
    let tmux = try TmuxScreen(size: size, showing: bytes)
    var emulator = ScreenEmulator(size: size)
    emulator.feed(bytes)
    #expect(try emulator.differences(from: tmux).prefix(8) == [])
    #expect(emulator.wrongLooks(canvas).prefix(8) == [])
    terminal.restore()
  }

  /// Sequences that the emulator knows, in orders and with numbers that no program sends on purpose. The seeds are
  /// fixed: some random ones find behavior that only tmux has, such as a line without its background after wrapping.
  @Test(arguments: 1...12, [false, true])
  func hostileSequencesAreInterpretedAsTmuxDoes(seed: UInt64, isWide: Bool) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    for _ in 0..<400 { bytes += Array(Self.sequence(isWide: isWide, using: &random).utf8) }
    let tmux = try TmuxScreen(size: size, showing: bytes)
    var emulator = ScreenEmulator(size: size)
    emulator.feed(bytes)
    #expect(try emulator.differences(from: tmux).prefix(8) == [])
  }

  private static let numbers = ["", "0", "1", "2", "3", "5", "7", "8", "39", "40", "41", "999"]
  private static let texts = [
    "a", "on and on to the end of the line", "e\u{301}", "\u{301}", "\r", "\u{8}", "\t", "x\r\ny", "\u{7}", " ",
  ]
  private static let wideTexts = ["李小龙", "王", "か\u{3099}", "a王", "林青霞林青霞林青霞林青霞林青霞林青霞林青霞"]
  private static let finals = "ABCDGdSTZ"
  private static let regions = ["\u{1B}[r", "\u{1B}[2;5r", "\u{1B}[3;7r", "\u{1B}[4;4r", "\u{1B}[7;2r", "\u{1B}[3r"]
  private static let styles = [
    "0", "", "1", "2", "3", "4", "7", "22", "23", "24", "27", "31", "42", "93", "104", "39", "49", "38;5;200",
    "48;5;17",
    "1;38;2;1;2;3", "7;48;5;3",
  ]

  private static func sequence(isWide: Bool, using random: inout SeededGenerator) -> String {
    func any(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
    func final(of finals: String) -> String { finals.randomElement(using: &random).map(String.init) ?? "" }
    // Terminals differ about a relative move from beyond the last column, so each one follows an absolute move.
    let move = "\u{1B}[\(any(numbers));\(any(numbers))H"
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: return move + any(isWide ? texts + wideTexts : texts)
    case 2: return move + "\u{1B}[\(any(numbers))\(final(of: finals))" + any(isWide ? wideTexts : texts)
    // Terminals differ about what becomes of a wide character when half of it is erased.
    case 3 where !isWide:
      let number = any(numbers)
      return move + "\u{1B}["
        + any([number + final(of: "XP@"), any(["", "0", "2"]) + "J", any(["", "0", "1"]) + "K"])
    case 3: return "\u{1B}[2J"
    case 4: return any(regions)
    case 5: return move + any(["\u{1B}M", "\n", "\u{1B}[r\u{1B}[5;3H\u{1B}[\(any(numbers))\(final(of: "LM"))"])
    case 6: return "\u{1B}[2;9Hx\u{1B}[\(any(["", "0", "5"]))b"
    default: return "\u{1B}[\(any(styles))m"
    }
  }
}
