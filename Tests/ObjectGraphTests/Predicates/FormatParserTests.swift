import Foundation
import SeededRandom
import Testing

@testable import ObjectGraph

/// Which texts are valid predicates of the format language, and the offset of the error in those that are not.
@Suite struct FormatParserTests {
  private func error(_ text: String, _ arguments: [PredicateConstant] = []) -> InvalidPredicate? {
    do {
      _ = try ObjectPredicate(text, arguments: arguments)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("age >", 5), ("", 0), ("   ", 3), ("NOT", 3), ("(age > 20", 9), ("age", 3), ("age BETWEEN {1, 2", 17), ("ANY", 3),
    ("age > > 3", 6), ("age 3", 4), ("age > 3)", 7), ("== 3", 0), ("AND age > 3", 0), ("name == 'a' 'b'", 12),
    ("age > 3 OR OR age < 4", 11), ("TRUE", 4), ("ANY ANY age > 3", 4), ("name == 'a", 8), ("name == 'a\\q'", 10),
    ("name == '\\u12'", 9), ("name == '\\uD800'", 9), ("name == 'a\\", 8), ("name ==[x] 'a'", 7), ("name ==[] 'a'", 7),
    ("name ==[cc] 'a'", 7), ("name ==[c 'a'", 7), ("name == [c] 'a'", 8), ("age BETWEEN[c] {1, 2}", 11), ("age # 3", 4),
    ("%K.name == 1", 2), ("a.@count.b == 1", 8), ("a.@nothing == 1", 2), ("a. == 1", 3), ("a == 5.", 6), ("a == 3e", 6),
    ("SUBQUERY(a, $x, $x.b == 1) > 0", 27), ("SUBQUERY(a.@count, $x, b == 1).@count > 0", 11),
    ("SUBQUERY(a, x, b == 1).@count > 0", 12), ("a IN {1,}", 8), ("a == - 5", 5), ("a == $", 5), ("a == $IN", 5),
    ("$x.b == 1", 2), ("a == CAST('x')", 13), ("a & b == 1", 2), ("a\u{A0}== 1", 1), ("in == 1", 0), ("😀 == 1", 0),
    ("SUBQUERY(a, $x, b IN {$x}).@count > 0", 22),
  ])
  func aSyntaxErrorHasItsOffset(_ text: String, _ offset: Int) {
    #expect(error(text, text.contains("%K") ? ["a"] : []) == .syntax(offset: offset))
  }

  @Test func syntaxComesBeforeTheNumberOfArguments() {
    #expect(error("a == %@ AND", []) == .syntax(offset: 11))
    #expect(error("a == %@ AND %K == 1", ["x"]) == .argumentCount(expected: 2, given: 1))
    #expect(error("a == '%@'", ["x"]) == .argumentCount(expected: 0, given: 1))
  }

  @Test(arguments: [
    ("age + 1", 7), ("age + > 3", 6), ("(age == 1) + 2 == 3", 11), ("1 + (age == 1) == 2", 9), ("(age) AND a == 1", 6),
    ("NOT (age)", 9), ("(age == 1", 9), ("lowercase:name == 'a'", 10), ("max:() == 1", 5), ("other:(a) == 1", 5),
    ("a ** 2 == 4", 3), ("courses[0] == 1", 7), ("%@[x] == 1", 3), ("%@[0 == 1", 5), ("a == %q", 5), ("a == 0x", 6),
    ("'a'[0] == 1", 3), ("a == --5", 5), ("(a, b) == 1", 2), ("a == (1", 7),
  ])
  func aWrongTermHasItsOffset(_ text: String, _ offset: Int) {
    #expect(error(text, text.contains("%@") ? [[1]] : []) == .syntax(offset: offset))
  }

  @Test func termsAreComputedFromLeftToRight() throws {
    func term(_ text: String, _ arguments: PredicateConstant...) throws -> PredicateTerm? {
      guard case .comparison(let comparison) = try ObjectPredicate("\(text) == 1", arguments: arguments) else {
        return nil
      }
      return comparison.left
    }
    func function(_ function: PredicateFunction, _ terms: PredicateTerm...) -> PredicateTerm {
      .function(function, terms, offset: SourceOffset())
    }
    let (a, b) = (PredicateTerm.path(PredicatePath("a")), PredicateTerm.path(PredicatePath("b")))
    func number(_ number: Int64) -> PredicateTerm { .constant(.value(.integer(number))) }
    #expect(
      try term("a - b * 2 -3")
        == function(.subtract, function(.subtract, a, function(.multiply, b, number(2))), number(3)))
    #expect(try term("(a - b) * -3") == function(.multiply, function(.subtract, a, b), number(-3)))
    #expect(try term("a-1") == function(.subtract, a, number(1)))
    #expect(try term("((a))") == a)
    #expect(try term("MAX:({a, 2})") == function(.maximum, a, number(2)))
    #expect(try term("sum:(a, b)") == function(.sum, a, b))
    #expect(try term("%d", 5) == number(5))
    #expect(try term("%ld + %f", 5, 2) == function(.add, number(5), .constant(.value(.double(2)))))
    #expect(try term("%d", 1.5) == .constant(.invalid(.argumentType(offset: 0))))
    #expect(try term("%@[LAST]", [1, 2]) == .constant(.element(of: [1, 2], at: .last, offset: SourceOffset())))
    #expect(try ObjectPredicate("(a == 1 OR b == 2) AND (a) + 1 > b") != .constant(true))
    let copy = try ObjectPredicate("uppercase:(a) == $X[0] OR min:(a, b) > 2")
    #expect(try JSONDecoder().decode(ObjectPredicate.self, from: JSONEncoder().encode(copy)) == copy)
  }

  @Test func textBecomesAPredicate() throws {
    let predicate = try ObjectPredicate(
      "NOT a.in >= -2.5e1 AND ANY b.c BEGINSWITH[dc] \"\\u65E5\\'\" or FALSEPREDICATE")
    let left = PredicateComparison(.path(PredicatePath("a", "in")), .greaterOrEqual, .constant(.value(.double(-25))))
    let right = PredicateComparison(
      .path(PredicatePath("b", "c")), .beginsWith, .constant("日'"), options: [.caseInsensitive, .diacriticInsensitive],
      quantifier: .any)
    #expect(predicate == .or([.and([.not(.comparison(left)), .comparison(right)]), .constant(false)]))
  }

  @Test func keywordsIgnoreCaseAndDoubleNotCancels() throws {
    let lower = try ObjectPredicate("not not a == true and b like 'x'")
    #expect(try lower == ObjectPredicate("a = YES && b LIKE \"x\""))
    #expect(try ObjectPredicate("a == 'x'") != ObjectPredicate("A == 'x'"))
  }

  @Test func numbersAreExact() throws {
    func constant(_ text: String) throws -> PredicateTerm? {
      guard case .comparison(let comparison) = try ObjectPredicate("a == \(text)") else { return nil }
      return comparison.right
    }
    #expect(try constant("9223372036854775807") == .constant(.value(.integer(.max))))
    #expect(try constant("-9223372036854775808") == .constant(.value(.integer(.min))))
    #expect(try constant("9223372036854775808") == .constant(.value(.double(0x1p63))))
    #expect(try constant("1e2") == .constant(.value(.double(100))))
    #expect(try constant("1E-2") == .constant(.value(.double(0.01))))
    #expect(try constant("0x1F") == .constant(.value(.integer(31))))
    #expect(try constant("-0XfF") == .constant(.value(.integer(-255))))
    #expect(try constant("0xFFFFFFFFFFFFFFFF") == .constant(.value(.double(0x1p64))))
  }

  @Test func aPredicateIsCodable() throws {
    let text =
      "SUBQUERY(a, $x, $x.b IN {1, %@, $V} AND c.@sum.d > 2).@count == 3 OR ALL e != nil OR f == CAST('x', 'NSDate')"
    let predicate = try ObjectPredicate(text, "z")
    let copy = try JSONDecoder().decode(ObjectPredicate.self, from: JSONEncoder().encode(predicate))
    #expect(copy == predicate)
    // Offsets are kept too, though they do not count when predicates are compared.
    #expect(throws: InvalidPredicate.unboundVariable(offset: 32, name: "V")) { try copy.binding([:]) }
  }

  @Test func onlyValidDatesInTheExactFormAreParsed() {
    #expect(FormatDate.milliseconds("1970-01-01T00:00:00Z") == 0)
    #expect(FormatDate.milliseconds("2024-02-29T12:34:56.789Z") == 1_709_210_096_789)
    #expect(FormatDate.milliseconds("1969-12-31T23:59:59.999Z") == -1)
    #expect(FormatDate.milliseconds("0001-01-01T00:00:00Z") == -62_135_596_800_000)
    for text in [
      "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01", "2024-01-01T00:00:00",
      "2024-01-01T00:00:00.5Z", "2024-01-01t00:00:00Z", " 2024-01-01T00:00:00Z", "+024-01-01T00:00:00Z",
    ] {
      #expect(FormatDate.milliseconds(text) == nil, "\(text)")
    }
  }

  @Test func noTextCrashesTheParser() {
    for text in ["(", "NOT ", "{", "a IN {", "SUBQUERY(a, $x, ", "!(", "a == {"] {
      #expect(error(String(repeating: text, count: 50_000)) != nil)
    }
    for count in [90, 200] {
      #expect(error(String(repeating: "(", count: count) + "a == 1" + String(repeating: ")", count: count)) == nil)
      #expect(error(String(repeating: "(", count: count) + "a" + String(repeating: ")", count: count) + " == 1") == nil)
    }
    #expect(
      error(String(repeating: "(", count: 201) + "a == 1" + String(repeating: ")", count: 201)) == .tooDeep(offset: 200)
    )
    #expect(error("a == 1" + String(repeating: " + 1", count: 20_000)) == .tooDeep(offset: 803))
    #expect(error("a == 1" + String(repeating: " AND a == 1", count: 20_000)) == nil)
  }

  @Test func randomTextsParseOrReportAPosition() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "age", "name", ".", " ", "==", "!=", "<", "=>", "[c]", "[cd]", "[", "'", "\"", "'x'", "\\", "\\u0041", "%@", "%K",
      "$X",
      "(", ")", "{", "}", ",", "ANY", "NOT", "!", "AND", "||", "SUBQUERY(", "@count", "@sum.", "BETWEEN", "IN", "LIKE",
      "nil", "+", "*", "/", "max:(", "lowercase:", "%d", "]", "0x1",
      "1", "-", "2.5", "e9", "CAST(", "SELF", "é", "😀", "\u{0}", "\n", "TRUEPREDICATE",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0..<14, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      switch error(text) {
      case nil, .argumentCount: break
      case .syntax(.some(let offset)):
        #expect((0...text.unicodeScalars.count).contains(offset), "\(text.debugDescription)")
      case let other: Issue.record("\(text.debugDescription): \(String(describing: other))")
      }
    }
  }
}
