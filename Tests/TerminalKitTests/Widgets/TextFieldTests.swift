import SeededRandom
import Testing

@testable import TerminalKit

@Suite struct TextFieldTests {
  private func typed(_ notation: String, into text: String = "", at cursor: Int? = nil) -> TextField {
    var field = TextField(text)
    if let cursor { field.moveCursor(to: cursor) }
    for key in KeySequence(notation: notation)!.keys { _ = field.handle(key) }
    return field
  }

  @Test(arguments: [
    ("a b", "", "ab", 2), ("^A x", "ab", "xab", 1), ("^E ^B x", "ab", "axb", 2), ("^A ^F ^D", "abc", "ac", 1),
    ("Backspace", "ab李", "ab", 2),
    ("^A ^K ^Y ^Y", "ab", "abab", 4), ("^B ^U", "abc", "c", 0), ("^W", "one two", "one ", 4),
    ("^W ^W", "one two ", "", 0),
    ("M-b M-b", "one two", "one two", 0), ("^A M-f x", "one two", "onex two", 4), ("Home Del", "e\u{301}x", "x", 0),
    ("M-d", "one", "one", 3),
    ("Left Left Left Left Backspace", "ab", "ab", 0), ("C-Left", "one two", "one two", 4),
    ("M-Backspace", "one two", "one ", 4),
  ])
  func editing(keys: String, text: String, expected: String, cursor: Int) {
    let field = typed(keys, into: text)
    #expect(field.text == expected)
    #expect(field.cursor == cursor)
  }

  @Test func otherKeysAreNotConsumed() {
    var field = TextField("a")
    for notation in ["Enter", "Esc", "Up", "Tab", "S-Tab", "PgUp", "^S", "F1", "M-x"] {
      let isConsumed = field.handle(Key(notation: notation)!)
      #expect(!isConsumed, "\(notation)")
    }
    #expect(field.text == "a")
  }

  /// An input method sends the code points of a cluster one by one.
  @Test func typedMarksJoinTheirBase() {
    var field = TextField("")
    for scalar in "e\u{301}👩🏽\u{200D}💻\u{1112}\u{1161}\u{11AB}".unicodeScalars {
      _ = field.handle(.character(Character(scalar)))
    }
    #expect(field.cursor == 3)
    _ = field.handle(Key(.backspace))
    _ = field.handle(Key(.backspace))
    #expect(field.text == "e\u{301}")
  }

  @Test func pasteIsOneLine() {
    var field = TextField("[]")
    field.moveCursor(to: 1)
    field.insert("one\r\ntwo\tthree\u{1B}\u{7}\u{2028}x")
    #expect(field.text == "[one two three x]")
    #expect(field.cursor == 16)
  }

  @Test func aMegabyteIsEdited() {
    var field = TextField("")
    let clock = ContinuousClock()
    field.insert(String(repeating: "李 ab", count: 200_000))
    var canvas = Canvas(size: Size(rows: 1, columns: 40))
    let time = clock.measure {
      for _ in 0..<20 {
        _ = field.handle(.character("x"))
        field.draw(on: &canvas, in: Rect(canvas.size), style: .plain, focused: true)
      }
    }
    print("20 keys in a megabyte: \(time)")
    #expect(canvas.plainText().hasSuffix("abxxxxxxxxxxxxxxxxxxxx"))
  }

  @Test func scrollsToKeepTheCursorVisible() {
    var field = TextField("0123456789李小龙")
    var canvas = Canvas(size: Size(rows: 1, columns: 8))
    func draw() -> String {
      field.draw(on: &canvas, in: Rect(canvas.size), style: .plain, focused: true)
      return canvas.plainText()
    }
    #expect(draw() == "9李小龙")
    #expect(canvas.cursor == Point(row: 0, column: 7))
    field.moveCursor(to: 0)
    #expect(draw() == "01234567")
    #expect(canvas.cursor == Point(row: 0, column: 0))
    field.moveCursor(to: 8)
    #expect(draw() == "23456789")
    #expect(canvas.cursor == Point(row: 0, column: 6))
  }

  @Test func randomEditingKeepsClustersAndCursor() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let keys = ["Left", "Right", "Backspace", "Del", "^K", "^U", "^W", "^Y", "M-b", "M-f", "Home", "End", "a", "M-d"]
    var field = TextField("")
    var area = TextArea("")
    area.columns = 12
    for step in 0..<4000 {
      if Int.random(in: 0..<3, using: &random) == 0 {
        // A part of a sample, so that code points that were separate come together.
        let sample = HostileText.samples.randomElement(using: &random)!.unicodeScalars.prefix(40)
        let part = String(String.UnicodeScalarView(sample.prefix(Int.random(in: 0...sample.count, using: &random))))
        field.insert(part)
        area.insert(part + (Bool.random(using: &random) ? "\n" : ""))
      } else {
        let key = Key(notation: keys.randomElement(using: &random)!)!
        _ = field.handle(key)
        _ = area.handle(Bool.random(using: &random) ? key : Key(Bool.random(using: &random) ? .up : .down))
      }
      if field.text.count > 200 { field.text = "" }
      if area.text.count > 200 { area.text = "" }
      #expect(field.text.count >= field.cursor && field.cursor >= 0)
      #expect(area.text.count >= area.cursor && area.cursor >= 0)
      if step % 10 == 0 {
        var canvas = Canvas(size: Size(rows: 4, columns: Int.random(in: 1...12, using: &random)))
        field.draw(
          on: &canvas, in: Rect(row: 0, column: 0, rows: 1, columns: canvas.size.columns), style: .plain, focused: true)
        #expect(canvas.cursor.map { Rect(canvas.size).contains($0) } == true)
        area.draw(
          on: &canvas, in: Rect(row: 1, column: 0, rows: 3, columns: canvas.size.columns), style: .plain, focused: true)
        #expect(canvas.cursor.map { Rect(canvas.size).contains($0) } == true)
      }
    }
  }

  @Test(arguments: 3...20) func aClickPutsTheCursorOnTheClusterUnderIt(columns: Int) throws {
    for cursor in 0...13 {
      var field = TextField("0123456789李小龙")
      field.moveCursor(to: cursor)
      var canvas = Canvas(size: Size(rows: 1, columns: columns))
      field.draw(on: &canvas, in: Rect(canvas.size), style: .plain, focused: true)
      let cells = Array(canvas.cells(ofLine: 0))
      for column in 0..<columns {
        var clicked = field
        clicked.moveCursor(toColumn: column, columns: columns)
        // The second half of a wide cluster is an empty cell.
        let cell = cells[column].text.isEmpty ? cells[column - 1] : cells[column]
        let characters = Array(field.text)
        let under = clicked.cursor < characters.count ? String(characters[clicked.cursor]) : " "
        // A wide cluster that does not fit leaves a blank.
        #expect(under == cell.text || cell.text == " ", "cursor \(cursor), column \(column)")
      }
    }
  }
}
