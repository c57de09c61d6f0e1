import Testing

@testable import AddressBookTUI

/// The part of TOML that the configuration file may use.
struct ConfigurationParserTests {
  private typealias Value = ConfigurationParser.Value

  private func value(_ text: String) -> Value? { ConfigurationParser("a = " + text).settings.first?.value }

  @Test func valuesAreRead() {
    let cases: [(String, Value)] = [
      (#""""#, .string("")), (#""a b""#, .string("a b")), (#"'C:\n'"#, .string(#"C:\n"#)), (#"'"'"#, .string("\"")),
      (#""\"\\\t\n\u00e9\U0001F600""#, .string("\"\\\t\n\u{e9}\u{1F600}")), (#""王 # x" # y"#, .string("王 # x")),
      ("true", .boolean(true)), ("false", .boolean(false)), ("0", .number(0)), ("-12", .number(-12)),
      ("+1_000", .number(1000)), ("[]", .list([])), (#"[ 'a' , "b" , ]"#, .list([.string("a"), .string("b")])),
      ("[1, true]", .list([.number(1), .boolean(true)])), ("\t'a'\t", .string("a")),
    ]
    for (text, expected) in cases { #expect(value(text) == expected, "\(text)") }
  }

  @Test(arguments: [
    "", "dark", "'a", "\"a", "\"a\" b", "'a' 'b'", #""\x""#, #""\u12""#, #""\ud800""#, #""\""#, "\"a\u{1}b\"",
    "'''a'''",
    #""""a""""#, "1.5", "0x10", "1979-05-27", "99999999999999999999", "{ b = 1 }", "[", "[,]", "['a' 'b']", "[['a']]",
    "]",
    "= 1", "TRUE", "_", "['a'] x",
  ])
  func invalidValuesAreReported(text: String) {
    let parser = ConfigurationParser("before = 1\na = \(text)\nafter = 2\n")
    #expect(parser.brokenLines == [2])
    #expect(parser.settings.map(\.path) == ["before", "after"])
  }

  @Test func namesMayBeQuotedAndDotted() {
    let parser = ConfigurationParser(
      """
      form.save = 1
      "form.save" = 2
       'form' . save = 3
      [keys . form]
      save=4
      ["keys"] # 5
      "x y" = 5
      """)
    #expect(
      parser.settings.map { "\($0.line) \($0.path)" } == [
        "1 form.save", "2 form.save", "3 form.save", "5 keys.form.save", "7 keys.x y",
      ])
    #expect(parser.tables == [.init(path: "keys.form", line: 4), .init(path: "keys", line: 6)])
    #expect(parser.brokenLines == [])
  }

  @Test(arguments: ["", ".", "a.", ".a", "a..b", "a b", "\"\"", "é", "a'b'", "[a", "'a"])
  func invalidNamesAreReported(name: String) {
    #expect(ConfigurationParser(name + " = 1").brokenLines == [1])
  }

  @Test func aListSpansSeveralLines() {
    let parser = ConfigurationParser("\u{FEFF}a = [ # one\r\n\r\n  'x', # two\r\n  'y'\r\n]\r\nb = 1")
    #expect(parser.settings.map(\.line) == [1, 6] && parser.brokenLines == [])
    #expect(parser.settings.first?.value == .list([.string("x"), .string("y")]))
  }

  @Test func aMalformedListDoesNotAffectOtherSettings() {
    let cases: [(String, broken: [Int], paths: [String])] = [
      ("a = [\n'x',\ny,\n'z',\n]\nb = 1\n", [3], ["b"]), ("a = [\n'x',\nb = 1\n", [1], ["b"]),
      ("a = [\n'x'\n[t]\nb = 1\n", [1], ["t.b"]), ("a = [\n\n\n", [1], []), ("a = [ 'x\nb = 1\n]\n", [1, 3], ["b"]),
    ]
    for (text, broken, paths) in cases {
      let parser = ConfigurationParser(text)
      #expect(parser.brokenLines == broken, "\(text)")
      #expect(parser.settings.map(\.path) == paths, "\(text)")
    }
  }

  @Test func aHugeFileIsNotParsedToItsEnd() {
    let parser = ConfigurationParser(String(repeating: "%PDF\n", count: 10_000) + "mouse = false\n")
    #expect(parser.brokenLines.count == ConfigurationParser.brokenLineLimit)
    #expect(parser.settings.isEmpty)
  }
}
