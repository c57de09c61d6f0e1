import Foundation
import Testing

@testable import ObjectGraph

/// How predicates compare, fold and match text, and how they compare and add numbers.
@Suite struct TextTests {
  @Test(arguments: [
    ("Straße", "c", "strasse"), ("ΟΔΟΣ", "c", "οδοσ"), ("Οδός", "cd", "οδοσ"), ("İ", "c", "i\u{307}"), ("ı", "c", "ı"),
    ("ẞ", "c", "ss"), ("ﬀ", "c", "ff"), ("K", "c", "k"), ("Ꭰ", "c", "Ꭰ"), ("ꭰ", "c", "Ꭰ"), ("𐐀", "c", "𐐨"),
    ("Crème", "d", "Creme"), ("Cre\u{300}me", "d", "Creme"), ("Å", "d", "A"), ("한국", "d", "한국"),
    ("한", "d", "한"), ("\u{9C7}\u{9BE}", "d", "\u{9CB}"), ("x\u{20DD}", "d", "x\u{20DD}"), ("ø", "d", "ø"),
    ("日本語", "cd", "日本語"), ("\u{1005A}\u{341}", "d", "\u{1005A}"), ("ü\u{4E00}Ü", "cd", "u\u{4E00}u"),
  ])
  func folding(_ text: String, _ letters: String, _ folded: String) {
    var options: TextOptions = []
    if letters.contains("c") { options.insert(.caseInsensitive) }
    if letters.contains("d") { options.insert(.diacriticInsensitive) }
    #expect(TextOrder.isEqual(TextFolding.fold(text, options), folded))
  }

  @Test(arguments: [
    ("", "", true), ("", "*", true), ("a", "", false), ("abc", "a*c", true), ("abc", "a?c", true), ("abc", "a?", false),
    ("a*c", "a\\*c", true), ("abc", "a\\*c", false), ("a\\", "a\\", true), ("a\nb", "a?b", true),
    ("a\r\nb", "a??b", true),
    ("e\u{301}", "??", true), ("é", "?", true), ("aaab", "*a*b", true), ("aaac", "*a*b", false), ("a.b", "a.b", true),
    ("axb", "a.b", false), ("[a]", "[a]", true), ("mississippi", "m*iss*p?", true), ("x", "**", true),
  ])
  func wildcards(_ text: String, _ pattern: String, _ matches: Bool) {
    #expect(Wildcard(pattern).matches(text) == matches)
  }

  /// Trying every combination would take forever.
  @Test func aPatternOfManyStarsIsFast() {
    let text = String(repeating: "a", count: 2000)
    #expect(!Wildcard(String(repeating: "a*", count: 100) + "b").matches(text))
  }

  @Test func patternsMatchTheWholeText() throws {
    #expect(try #require(TextPattern("a|ab")).matches("ab"))
    #expect(try !#require(TextPattern("a.b")).matches("a\nb"))
    #expect(try #require(TextPattern("a.b")).matches("a😀b"))
    #expect(try !#require(TextPattern("a")).matches("a\n"))
    #expect(try #require(TextPattern("abc", options: .caseInsensitive)).matches("ABC"))
    #expect(try #require(TextPattern("cré\\S", options: .diacriticInsensitive)).matches("crex"))
    #expect(TextPattern("a)(b") == nil)
    #expect(TextPattern("[") == nil)
  }

  @Test func textsAreOrderedByScalars() {
    #expect(TextOrder.isLess("\u{FFFF}", "\u{10000}"))
    #expect(TextOrder.isLess("e\u{301}", "é"))
    #expect(!TextOrder.isEqual("e\u{301}", "é"))
    #expect(TextOrder.contains("e\u{301}", "e"))
    #expect(TextOrder.end(ofPrefix: "a") == "b")
    #expect(TextOrder.end(ofPrefix: "\u{D7FF}") == "\u{E000}")
    #expect(TextOrder.end(ofPrefix: "a\u{10FFFF}") == "b")
    #expect(TextOrder.end(ofPrefix: "\u{10FFFF}") == nil)
  }

  @Test func numbersCompareExactly() {
    #expect(Value.integer(9_007_199_254_740_993).order(to: .double(9_007_199_254_740_992)) == .greater)
    #expect(Value.integer(.max).order(to: .double(0x1p63)) == .less)
    #expect(Value.integer(.min).order(to: .double(-0x1p63)) == .equal)
    #expect(Value.double(-0.5).order(to: .integer(0)) == .less)
    #expect(Value.double(.infinity).order(to: .integer(.max)) == .greater)
    #expect(Value.boolean(true).isEqual(to: .double(1)) == true)
    #expect(Value.null.isEqual(to: .null) == nil)
  }

  @Test func sumsDoNotDependOnTheOrder() {
    var values: [Value] = (0..<10).map { _ in .double(0.1) } + [.double(1e100), .double(1), .double(-1e100)]
    for _ in 0..<20 {
      var sum = ExactSum()
      for value in values { sum.add(value) }
      #expect(sum.sum == .double(2))
      values.shuffle()
    }
    var large = ExactSum()
    large.add(.integer(.max))
    large.add(.integer(.max))
    #expect(large.sum == .double(0x1p64))
    #expect(large.average == .double(0x1p63))
    large.add(.integer(.min))
    large.add(.integer(.min))
    #expect(large.sum == .integer(-2))
    var mixed = ExactSum()
    let terms: [Value] = [.integer(1), .double(0.5), .integer(.max), .integer(-.max), .integer(2)]
    for term in terms { mixed.add(term) }
    #expect(mixed.sum == .double(3.5))
    #expect(mixed.average == .double(0.7))
    #expect(ExactSum().sum == .integer(0))
    #expect(ExactSum().average == .null)
  }
}
