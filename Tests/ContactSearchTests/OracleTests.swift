import SeededRandom
import Testing

@testable import ContactSearch

/// A second, deliberately simple implementation of the matching rules, compared with the index.
@Suite struct OracleTests {
  /// A token of a generated name: a Han character or a Latin word.
  private struct Token {
    var text: String
    var isHan: Bool
  }

  private static let hans = "李强小龙林青霞王力宏安先西女儿吕乐重庆长".map { Token(text: String($0), isHan: true) }
  private static let words = ["an", "li", "lin", "smith", "x", "ang", "nu"].map { Token(text: $0, isHan: false) }

  @Test(arguments: [5, 6, UInt64.random(in: 100...1_000_000)])
  func theIndexAgreesWithTheRules(seed: UInt64) {
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var names: [[Token]] = []
    for _ in 0..<150 {
      names.append(
        (0..<(1 + generator.next() % 4)).map { _ in generator.pick(generator.chance(75) ? Self.hans : Self.words) })
    }
    let index = SearchIndex()
    index.upsert(names.enumerated().map { SearchDocument(id: Int64($0.offset), name: text(of: $0.element)) })
    var matched = 0
    for _ in 0..<400 {
      let term = self.term(&generator, from: generator.pick(names))
      let expected = names.indices.filter { matches(Array(term), names[$0]) }.map { Int64($0) }
      #expect(index.find(SearchQuery(term))?.ids == expected, "seed \(seed), term \(term)")
      matched += expected.count
    }
    #expect(matched > 400)
  }

  /// Joins tokens, with a space between Latin words.
  private func text(of tokens: [Token]) -> String {
    var text = ""
    for token in tokens {
      if !token.isHan, let last = text.last, last.isASCII { text += " " }
      text += token.text
    }
    return text
  }

  /// Returns some letters of some tokens, sometimes with another letter at the end.
  private func term(_ generator: inout SeededGenerator, from tokens: [Token]) -> String {
    var term = ""
    for token in tokens[Int(generator.next() % UInt64(tokens.count))...] {
      let spelling = generator.pick(spellings(token) + (token.isHan ? [token.text] : []))
      term += generator.chance(60) ? spelling : String(spelling.prefix(1 + Int(generator.next() % 3)))
    }
    if generator.chance(20) { term += generator.pick(["a", "n", "g", "h", "李"]) }
    return term
  }

  private func matches(_ term: [Character], _ tokens: [Token]) -> Bool {
    tokens.indices.contains { take(term[...], tokens[$0...]) }
  }

  /// Returns whether the first token and those after it match the whole term.
  private func take(_ term: ArraySlice<Character>, _ tokens: ArraySlice<Token>) -> Bool {
    guard let token = tokens.first else { return false }
    var whole: [String] = token.isHan ? [token.text] : []
    for spelling in spellings(token) {
      if spelling.hasPrefix(String(term)) { return true }
      whole += [spelling, String(spelling.prefix(1))]
      if token.isHan, ["zh", "ch", "sh"].contains(spelling.prefix(2)) { whole.append(String(spelling.prefix(2))) }
    }
    return whole.contains { piece in
      String(term).hasPrefix(piece)
        && (piece.count == term.count || take(term.dropFirst(piece.count), tokens.dropFirst()))
    }
  }

  private func spellings(_ token: Token) -> [String] {
    guard token.isHan, let value = token.text.unicodeScalars.first?.value else { return [token.text] }
    var spellings: Set<String> = []
    HanReadings.forEach(value) { packed in
      let letters = (0..<8).map { UInt8(truncatingIfNeeded: packed >> ($0 * 8)) }.filter { $0 != 0 }
      let reading = String(decoding: letters, as: UTF8.self)
      for form in ["v", "u", "yu"] {
        spellings.insert(reading.split(separator: "v", omittingEmptySubsequences: false).joined(separator: form))
      }
    }
    return spellings.sorted()
  }
}
