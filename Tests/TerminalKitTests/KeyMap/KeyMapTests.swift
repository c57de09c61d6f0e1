import Testing

@testable import TerminalKit

@Suite struct KeyMapTests {
  private enum Action: Hashable { case down, top, save, quit }
  private enum Context: Hashable { case list, form }

  private let map = KeyMap<Action, Context>([
    KeyBinding(["j", "Down", "^N"], .down, in: [.list], help: "Key/down"),
    KeyBinding(["g g", "Home"], .top, in: [.list], help: "Key/top"),
    KeyBinding(["^S"], .save, in: [.form], help: "Key/save"),
    KeyBinding(["q"], .quit, in: [.list], help: "Key/quit"),
  ])

  @Test(arguments: [
    "a", "A", "^S", "M-f", "M-^F", "S-Tab", "PgUp", "F12", "Space", "C-Up", "S-Left", "Enter", "Esc", "Del", "李", "-",
    "^", "M--", "C-F5", "C-Space", "^N", "^_", "^^", "~", "Up", "Backspace", "M-Up",
  ])
  func notationReadsBack(notation: String) throws {
    #expect(try #require(Key(notation: notation)).notation == notation)
  }

  @Test(arguments: ["", " ", "\n", "ab", "X-a", "F25", "F0", "F+5", "F05", "PgSideways", "M-"])
  func wrongNotation(notation: String) { #expect(Key(notation: notation) == nil) }

  @Test func otherSpellings() {
    #expect(Key(notation: "C-s") == .control("s"))
    #expect(Key(notation: "A-x") == Key(.character("x"), .alt))
    #expect(Key(notation: "pgup") == Key(.pageUp))
    #expect(Key(notation: "Delete") == Key(.delete))
    #expect(Key(.up).label == "↑")
    #expect(KeySequence(notation: "g g")?.notation == "g g")
    #expect(KeySequence(notation: " ") == nil)
    #expect(KeySequence(notation: "") == nil && KeySequence(notation: "ab") == nil)
    #expect(Key(notation: "^s") == .control("s") && Key(notation: "enter") == Key(.enter))
  }

  @Test func everyDecodedKeyHasANotation() {
    for (_, key) in InputDecoderTests.keys { #expect(Key(notation: key.notation) == key, "\(key.notation)") }
  }

  @Test func readsKeysAndSequences() {
    var reader = KeyReader(map)
    var results: [KeyReader<Action, Context>.Result] = []
    for key: Key in ["j", "g", "g", "g", "q", "g"].map({ .character($0) }) + [Key(.escape)] {
      results.append(reader.read(key, in: .list))
    }
    let expected: [KeyReader<Action, Context>.Result] = [
      .perform(.down), .waiting, .perform(.top), .waiting, .perform(.quit), .waiting, .unbound([]),
    ]
    #expect(results == expected)
    let elsewhere = reader.read(.character("j"), in: .form)
    #expect(elsewhere == .unbound([.character("j")]))
    #expect(reader.read(.control("s"), in: .form) == .perform(.save))
  }

  @Test func aKeySequenceMustBeCompletedInTheSameContext() {
    var reader = KeyReader(map)
    #expect(reader.read(.character("g"), in: .list) == .waiting)
    #expect(reader.read(.character("g"), in: .form) == .unbound([.character("g")]))
    #expect(reader.read(.character("g"), in: .list) == .waiting)
  }

  @Test func inTextInputPrintableKeysAreNotCommands() {
    let map = KeyMap<Action, Context>(
      [
        KeyBinding(["?", "F1"], .top, in: [.list, .form], help: "Key/top"),
        KeyBinding(["?"], .quit, in: [.form], help: "Key/quit"),
      ], textContexts: [.form])
    var reader = KeyReader(map)
    #expect(reader.read(.character("?"), in: .list) == .perform(.top))
    #expect(reader.read(.character("?"), in: .form) == .unbound([.character("?")]))
    #expect(reader.read(Key(.function(1)), in: .form) == .perform(.top))
    #expect(map.sequence(for: .top, in: .form)?.notation == "F1")
    #expect(map.conflicts.isEmpty)
  }

  @Test func otherKeyboardsWorkWhereNoTextIsTyped() throws {
    var table = map
    func action(_ key: Character, in context: Context = .list) -> KeyReader<Action, Context>.Result {
      var reader = KeyReader(table)
      return reader.read(.character(key), in: context)
    }
    for key: Character in ["о", "ξ", "ㅓ", "ｊ"] { #expect(action(key) == .perform(.down)) }
    #expect(action("й") == .perform(.quit) && action("Й") == .unbound([.character("Q")]))
    #expect(action("？") == .unbound([.character("?")]) && action("中") == .unbound([.character("中")]))
    var reader = KeyReader(table)
    #expect(reader.read(.character("п"), in: .list) == .waiting)
    #expect(reader.read(.character("g"), in: .list) == .perform(.top))
    #expect(reader.read(.character("g"), in: .list) == .waiting)
    #expect(reader.read(.character("п"), in: .list) == .perform(.top))
    // A key of the table is not another one.
    table = KeyMap(
      table.bindings + [KeyBinding(["о"], .save, in: [.list], help: "")], textContexts: [.form])
    #expect(action("о") == .perform(.save))
    #expect(action("й", in: .form) == .unbound([.character("й")]))
    table.layouts = try #require(table.layouts.adding(langmap: "שא\\,;jq\\;,ö;j"))
    #expect(action("ש") == .perform(.down) && action("א") == .perform(.quit) && action("ö") == .perform(.down))
    #expect(action("й") == .perform(.quit))
    for wrong in ["", "a", "ab;c", "a;b;c", "a;b,", "a\\"] {
      #expect(table.layouts.adding(langmap: wrong) == nil, "\(wrong)")
    }
  }

  @Test func aNumberStandsBeforeACommand() {
    var reader = KeyReader(map)
    func read(_ keys: String, in context: Context = .list) -> [KeyReader<Action, Context>.Result] {
      keys.map { reader.read($0 == "!" ? Key(.escape) : .character($0), in: context) }
    }
    #expect(read("10j") == [.waiting, .waiting, .perform(.down)] && reader.takeCount() == 10)
    #expect(read("j") == [.perform(.down)] && reader.takeCount() == nil)
    #expect(read("0") == [.unbound([.character("0")])])
    #expect(read("20g") == [.waiting, .waiting, .waiting])
    #expect(reader.pending == [.character("2"), .character("0"), .character("g")])
    #expect(read("g") == [.perform(.top)] && reader.takeCount() == 20)
    #expect(read("3!j") == [.waiting, .unbound([]), .perform(.down)] && reader.takeCount() == nil)
    #expect(read("3xj") == [.waiting, .unbound([.character("x")]), .perform(.down)] && reader.takeCount() == nil)
    #expect(read("9999999j").last == .perform(.down) && reader.takeCount() == 99_999)
    _ = read("5")
    #expect(reader.read(.control("s"), in: .form) == .perform(.save) && reader.takeCount() == nil)
    let text = KeyMap(map.bindings, textContexts: [.form])
    reader = KeyReader(text)
    #expect(read("5", in: .form) == [.unbound([.character("5")])])
  }

  @Test func anActionMayHaveAKeyOnASecondLine() {
    let map = KeyMap<Action, Context>(
      [
        KeyBinding(["t"], .top, in: [.list, .form], help: "Key/top"),
        KeyBinding(["F2"], .top, in: [.form], help: "Key/top"),
      ], textContexts: [.form])
    #expect(map.sequence(for: .top, in: .list)?.notation == "t")
    #expect(map.sequence(for: .top, in: .form)?.notation == "F2")
    #expect(map.sequence(for: .quit, in: .form) == nil)
  }

  @Test func rebindingAndConflicts() {
    var map = map
    #expect(map.conflicts == [])
    #expect(map.sequence(for: .top, in: .list)?.notation == "g g")
    map.rebind(.quit, to: ["g"])
    #expect(map.conflicts.map(\.second) == [.quit])
    #expect(map.bindings(in: .form).map(\.action) == [.save])
  }
}
