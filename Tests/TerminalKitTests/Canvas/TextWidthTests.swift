import Glibc
import SeededRandom
import Testing

@testable import TerminalKit

@Suite struct TextWidthTests {
  @Test(arguments: [
    ("abc", 3), ("李小龙", 6), ("e\u{301}", 1), ("👨‍👩‍👧‍👦", 2), ("🇨🇳", 2), ("👩🏽‍💻", 2), ("☎️", 1), ("⌚︎", 2), ("1️⃣", 1),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("ที่", 1), ("क्षि", 3), ("\u{200B}", 0), ("“”…—①Ω", 6), ("　", 2), ("\u{301}", 1),
    ("\t", 1),
    ("\r\n", 1), ("\u{1B}", 1), ("ﾊﾞ", 2), ("か\u{3099}", 2), ("𠮷", 2), ("\u{E000}", 1), ("🏽", 2), ("\u{1161}", 2),
    ("\u{11A8}", 1),
  ])
  func columns(text: String, expected: Int) {
    #expect(TextWidth.columns(of: text) == expected)
  }

  @Test(arguments: HostileText.samples)
  func cleanTextIsSafeAndKeepsItsWidth(text: String) {
    let clean = DisplayText.clean(text)
    for scalar in clean.unicodeScalars {
      #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value))
      #expect(!scalar.properties.isDefaultIgnorableCodePoint)
      #expect(!scalar.properties.isNoncharacterCodePoint)
    }
    #expect(TextWidth.columns(of: clean) == TextWidth.columns(of: text))
    #expect(DisplayText.clean(clean) == clean)
    #expect(clean.unicodeScalars.count < 60)
  }

  @Test func controlCharactersAreReplacedOrRemoved() {
    #expect(DisplayText.clean("\u{1B}[2J\u{7F}\u{9B}") == "␛[2J␡�")
    #expect(DisplayText.clean("Bob\u{202E}gpj.exe") == "Bobgpj.exe")
    #expect(DisplayText.clean("🇨🇳") == "CN")
    #expect(DisplayText.clean("\u{1112}\u{1161}\u{11AB}") == "\u{D55C}")
  }

  /// ncurses, tmux and most terminals measure by wcwidth: wherever it knows a code point, we must agree with it.
  @Test func agreesWithTheSystem() throws {
    typealias Measure = @convention(c) (Int32) -> Int32
    let symbol = try #require(dlsym(nil, "wcwidth"))
    let measure = unsafeBitCast(symbol, to: Measure.self)
    try #require(setlocale(LC_CTYPE, "C.UTF-8") != nil)
    // Changed between the Unicode versions of Swift, of the table and of C libraries.
    let changed: [ClosedRange<UInt32>] = [
      0x1171E...0x1171E, 0x2630...0x2637, 0x268A...0x268F, 0x31E4...0x31E5, 0x1D300...0x1D376,
    ]
    var differing: [String] = []
    for value in UInt32(0x20)..<0x3_2000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let cluster = TextWidth.cluster(Character(scalar))
      guard let first = cluster.text.unicodeScalars.first else { continue }
      var sum: Int32 = 0
      var isKnown = true
      for piece in cluster.text.unicodeScalars {
        let width = measure(Int32(bitPattern: piece.value))
        if width < 0 { isKnown = false }
        sum += width
      }
      if changed.contains(where: { $0.contains(value) }) { continue }
      if isKnown, sum != Int32(cluster.columns) { differing.append(String(first.value, radix: 16)) }
    }
    #expect(differing == [])
  }

  @Test func prefixEndsBetweenClusters() {
    #expect(TextWidth.prefix(of: "李小龙", columns: 5) == ("李小", 4))
    #expect(TextWidth.prefix(of: "e\u{301}a", columns: 1) == ("e\u{301}", 1))
    #expect(TextWidth.prefix(of: "abc", columns: 0) == ("", 0))
    #expect(TextWidth.prefix(of: "abc", columns: 9) == ("abc", 3))
  }

  @Test func linesAreWrappedUpToALimit() {
    let lines = ["one two three", "a\tb", "four"]
    #expect(TextWidth.wrap(lines, columns: 7, limit: 9) == ["one two", "three", DisplayText.clean("a\tb"), "four"])
    #expect(TextWidth.wrap(lines, columns: 7, limit: 2) == ["one two", "three…"])
    #expect(TextWidth.wrap(lines, columns: 7, limit: 1) == ["one tw…"])
    #expect(TextWidth.wrap(["李小龙", "a"], columns: 6, limit: 1) == ["李小…"])
    #expect(TextWidth.wrap([], columns: 7, limit: 2) == [""] && TextWidth.wrap(["ab"], columns: 0, limit: 0) == ["…"])
  }

  @Test func wrap() {
    #expect(TextWidth.wrap("one two three", columns: 7) == ["one two", "three"])
    #expect(TextWidth.wrap("one\n\ntwo", columns: 7) == ["one", "", "two"])
    #expect(TextWidth.wrap("abcdefgh", columns: 3) == ["abc", "def", "gh"])
    #expect(TextWidth.wrap("李小龙，演员", columns: 6) == ["李小", "龙，演", "员"])
    #expect(TextWidth.wrap("", columns: 5) == [""])
    #expect(TextWidth.wrap("李", columns: 0) == ["李"])
    #expect(TextWidth.wrap("aa 李小龙", columns: 5) == ["aa 李", "小龙"])
    #expect(TextWidth.wrap("a b-c", columns: 4) == ["a b-", "c"])
    #expect(TextWidth.wrap("a b-c", columns: 4, breaksAfterHyphens: false) == ["a", "b-c"])
    // Options stay whole; see also LB20a of https://www.unicode.org/reports/tr14/.
    #expect(TextWidth.wrap("use --book", columns: 7) == ["use", "--book"])
    #expect(TextWidth.wrap("或 -x，“--book", columns: 10) == ["或 -x，", "“--book"])
    #expect(TextWidth.wrap("用--dry-run", columns: 8) == ["用--dry-", "run"])
  }

  @Test(arguments: HostileText.samples)
  func wrappedLinesFit(text: String) {
    for columns in [1, 2, 3, 7, 20] {
      for line in TextWidth.wrap(text, columns: columns) {
        #expect(TextWidth.columns(of: line) <= columns || line.count == 1, "\(line)")
      }
    }
  }

  /// Code points that skip the search for clusters: each of them alone is shown as the search would show it, and any
  /// two of them are separate clusters (UAX #29).
  @Test func plainCodePointsAreClustersOfTheirOwn() throws {
    let plain = (0..<0x11_0000).compactMap(Unicode.Scalar.init).filter { TextWidth.plainColumns(of: $0) != nil }
    for scalar in plain {
      let shown = try #require(Array(DisplayClusters(String(scalar))).first)
      let cluster = TextWidth.cluster(Character(scalar))
      let isSame =
        shown.text == cluster.text && shown.columns == cluster.columns && shown.pieces == cluster.pieces
        && shown.isStrong == cluster.isStrong && shown.isRightToLeft == cluster.isRightToLeft
        && shown.isStrong == scalar.properties.isAlphabetic
      if !isSame { Issue.record("\(scalar.debugDescription) is shown as \(shown), not as \(cluster)") }
    }
    let seed = UInt64.random(in: 0...UInt64.max)
    print("plain code points: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var text = ""
    for _ in 0..<20_000 { text.unicodeScalars.append(plain.randomElement(using: &random)!) }
    #expect(text.count == 20_000)
    #expect(DisplayClusters(text).map(\.text).joined() == text)
  }
}
