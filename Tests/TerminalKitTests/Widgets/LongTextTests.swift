import SeededRandom
import Testing

@testable import TerminalKit

/// Texts that are longer than a screen, a chunk, or anything that a person would write.
@Suite struct LongTextTests {
  /// What the same keys do to a plain array of clusters.
  private struct Model {
    var characters: [Character]
    var cursor: Int

    var text: String { String(characters) }

    mutating func replace(_ range: Range<Int>, _ text: String) {
      let before = String(characters[..<range.lowerBound]) + text
      let bytes = before.utf8.count
      characters = Array(before + String(characters[range.upperBound...]))
      var seen = 0
      cursor = 0
      while cursor < characters.count, seen < bytes {
        seen += characters[cursor].utf8.count
        cursor += 1
      }
    }

    mutating func press(_ key: Key) {
      switch (key.code, key.modifiers) {
      case (.left, []): cursor = max(0, cursor - 1)
      case (.right, []): cursor = min(characters.count, cursor + 1)
      case (.home, .control): cursor = 0
      case (.end, .control): cursor = characters.count
      case (.backspace, []): if cursor > 0 { replace(cursor - 1..<cursor, "") }
      case (.delete, []): if cursor < characters.count { replace(cursor..<cursor + 1, "") }
      case (.character("u"), .control):
        replace((characters[..<cursor].lastIndex(of: "\n").map { $0 + 1 } ?? 0)..<cursor, "")
      case (.character("k"), .control):
        let end = characters[cursor...].firstIndex(of: "\n") ?? characters.count
        replace(cursor..<(end == cursor ? min(end + 1, characters.count) : end), "")
      case (.character("w"), .control):
        var start = cursor
        func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
        while start > 0, !isWord(characters[start - 1]) { start -= 1 }
        while start > 0, isWord(characters[start - 1]) { start -= 1 }
        replace(start..<cursor, "")
      default: break
      }
    }
  }

  private static let samples = [
    "word ", "李小龙", "\n", "\n\n", "e\u{301}", "\u{301}", "🇨🇳", "🇩", "👩\u{200D}👩\u{200D}👧", "\u{200D}", "한", "\u{1161}",
    String(repeating: "long ", count: 3_000), String(repeating: "长", count: 7_000),
    String(repeating: "z", count: 40_000),
    String(repeating: "line\n", count: 5_000), String(repeating: "\n", count: 20_000),
    String(repeating: "🇨🇳", count: 4_000), String(repeating: "a\u{301}\u{302}", count: 5_000),
  ]

  @Test func randomKeysDoWhatTheyDoInAnArray() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3 {
      let start = (0..<3).map { _ in Self.samples.randomElement(using: &random)! }.joined()
      var area = TextArea(start)
      var model = Model(characters: Array(start), cursor: Array(start).count)
      for step in 0..<40 {
        let keys: [Key] = [
          Key(.left), Key(.right), Key(.backspace), Key(.delete), .control("u"), .control("k"), .control("w"),
          Key(.home, .control), Key(.end, .control),
        ]
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          let text = Self.samples.randomElement(using: &random)!
          area.insert(text)
          model.replace(model.cursor..<model.cursor, text)
        case 1:
          model.cursor = Int.random(in: 0...model.characters.count, using: &random)
          area.moveCursor(to: model.cursor)
        default:
          let key = keys.randomElement(using: &random)!
          _ = area.handle(key)
          model.press(key)
        }
        // A run of regional indicators is divided into flags from its start, so an edit can regroup all of them and
        // leave the two cursors beside different flags.
        let hasFlags = model.text.unicodeScalars.contains { (0x1F1E6...0x1F1FF).contains($0.value) }
        let isSame = area.text == model.text && (hasFlags || area.cursor == model.cursor)
        #expect(isSame, "step \(step)")
        if !isSame { return }
        if area.cursor != model.cursor { area.moveCursor(to: model.cursor) }
      }
    }
  }

  /// No chunk is longer than the maximum, and together they are the text.
  @Test(arguments: [
    String(repeating: "line\n", count: 20_000), String(repeating: "x", count: 100_000),
    String(repeating: "李", count: 30_000), String(repeating: "a\u{301}", count: 30_000),
    String(repeating: "\n", count: 50_000), String(repeating: "word and word\n\n", count: 3_000) + "end",
  ])
  func chunksAreBounded(text: String) {
    var chunks = TextChunks(text)
    #expect(chunks.text == text)
    #expect(chunks.chunks.allSatisfy { !$0.isEmpty && $0.utf8.count <= 17 << 10 })
    #expect(chunks.chunks.count < text.utf8.count / (4 << 10) + 2)
    // Typing and deleting in one place leaves neither too many chunks nor empty ones.
    var position = chunks.position(at: 20_000)
    for _ in 0..<100 { position = chunks.replace(position..<position, with: "y ") }
    for _ in 0..<200 {
      guard let before = chunks.position(before: position) else { break }
      position = chunks.replace(before..<position, with: "")
    }
    #expect(chunks.text == text)
    #expect(chunks.chunks.allSatisfy { !$0.isEmpty && $0.utf8.count <= 17 << 10 })
    #expect(chunks.chunks.count < text.utf8.count / (4 << 10) + 4)
  }

  /// Up, Down, Home and End walk through every line of a text of several chunks, as the lines are drawn.
  @Test func linesAreWalkedThrough() {
    let lines = (0..<900).map { "line \($0) of the text" }
    var area = TextArea(lines.joined(separator: "\n"))
    area.columns = 40
    for line in lines.reversed() {
      _ = area.handle(Key(.home))
      var canvas = Canvas(size: Size(rows: 5, columns: 40))
      area.draw(on: &canvas, in: Rect(canvas.size), style: .plain, focused: true)
      let row = canvas.cursor?.row ?? -1
      let drawn = canvas.plainText().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      #expect(drawn.indices.contains(row) && drawn[row].hasPrefix(line + "  "))
      _ = area.handle(Key(.end))
      #expect(area.handle(Key(.up)) == (line != lines[0]))
    }
    var steps = 1
    while area.handle(Key(.down)) { steps += 1 }
    #expect(steps == lines.count)
  }

  /// Keys in a text of ten megabytes. The time is printed, but not tested.
  @Test(arguments: ["line of text\n", "x", "李小龙 "])
  func aKeyInTenMegabytes(pattern: String) {
    var area = TextArea(String(repeating: pattern, count: 10_000_000 / pattern.utf8.count))
    area.columns = 60
    let clock = ContinuousClock()
    let time = clock.measure {
      for key in [Key(.up), Key(.character("y")), Key(.enter), Key(.backspace), Key(.down), Key(.home), Key(.end)] {
        _ = area.handle(key)
        var canvas = Canvas(size: Size(rows: 8, columns: 60))
        area.draw(on: &canvas, in: Rect(canvas.size), style: .plain, focused: true)
        #expect(area.lineCount(columns: 60, atMost: 8) == 8)
      }
    }
    print("a key in ten megabytes: \(time / 7)")
  }
}
