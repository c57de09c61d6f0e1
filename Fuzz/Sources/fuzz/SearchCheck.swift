import ContactSearch

/// Queries: any text is a valid query, a score is from 0 to 1, and the ranges of a match are in order.
enum SearchCheck {
  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for options in [SearchOptions(), SearchOptions(fuzzy: true, t9: true)] {
      let query = SearchQuery(text, options: options)
      for document in documents { check(query, document) }
      if bytes.count < 2000 {
        var itself = SearchDocument(id: 3, name: text)
        itself.note = text
        itself.phones = [text]
        itself.emails = [text]
        check(query, itself)
      }
    }
  }

  private static func check(_ query: SearchQuery, _ document: SearchDocument) {
    guard let found = query.evaluate(document, everywhere: true) else { return }
    if !(0...1).contains(found.score) { fatalError("the score is \(found.score)") }
    for match in found.matches {
      var end = 0
      for range in match.ranges {
        if range.isEmpty || range.lowerBound < end { fatalError("\(match) is not in order") }
        end = range.upperBound
      }
    }
    if query.matches(in: document) == nil { fatalError("found everywhere and not at all") }
  }

  private static let documents: [SearchDocument] = {
    var chinese = SearchDocument(id: 1, name: "曾国藩")
    chinese.nickname = "涤生 Zeng"
    chinese.organization = "湘军 Xiang Army"
    chinese.phones = ["+86 138 1234 5678", "010-6552 9988 ext. 12"]
    chinese.emails = ["zeng.guofan@xiang.example.cn"]
    var latin = SearchDocument(id: 2, name: "Åsa Lindström-O’Neill ﬁ ß İı")
    latin.family = "Lindström"
    latin.note = "line one\nline two: 50% (100) * [a-z] \"quoted\" 李小龙"
    return [chinese, latin]
  }()
}
