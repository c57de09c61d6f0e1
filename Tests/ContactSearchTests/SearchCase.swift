import ContactSearch
import Foundation

/// One worked example of a cases file: a query, candidates, and what should be found and highlighted.
struct SearchCase: Decodable, CustomStringConvertible {
  struct Candidate: Decodable {
    var id: String
    var name: String
    var nickname: String?
    var org: String?
    var title: String?
    var phones: [String]?
    var emails: [String]?
  }

  struct Options: Decodable {
    var fuzzy: Bool?
    var t9: Bool?
  }

  enum CodingKeys: String, CodingKey {
    case feature, query, candidates, options, highlight
    case expectedMatches = "expected_matches"
    case expectedTop = "expected_top"
    case highlightField = "highlight_field"
    case highlightAlternative = "highlight_also_acceptable"
    case highlightFields = "highlight_fields"
  }

  var feature: String
  var query: String
  var candidates: [Candidate]
  var options: Options?
  var expectedMatches: [String]
  var expectedTop: String?
  var highlightField: String?
  var highlight: [[Int]]?
  var highlightAlternative: [[Int]]?
  var highlightFields: [String: [[Int]]]?

  var description: String { "\(feature): \(query)" }

  static func load(_ path: String) throws -> [SearchCase] {
    try JSONDecoder().decode([SearchCase].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Returns the differences from the expected results; empty if there are none.
  func failures() -> [String] {
    let documents = candidates.enumerated().map { number, candidate in
      var document = SearchDocument(id: Int64(number), name: candidate.name)
      document.nickname = candidate.nickname ?? ""
      document.organization = candidate.org ?? ""
      document.title = candidate.title ?? ""
      document.phones = candidate.phones ?? []
      document.emails = candidate.emails ?? []
      return document
    }
    let index = SearchIndex()
    index.upsert(documents)
    let query = SearchQuery(
      self.query, options: SearchOptions(fuzzy: options?.fuzzy ?? false, t9: options?.t9 ?? false))
    let hits = index.search(query)
    let found = hits.map { candidates[Int($0.id)].id }
    var failures: [String] = []
    if Set(found) != Set(expectedMatches) { failures.append("found \(found.sorted()), expected \(expectedMatches)") }
    if let expectedTop, found.first != expectedTop {
      failures.append("best is \(found.first ?? "none"), expected \(expectedTop)")
    }
    guard let top = hits.first, let matches = query.matches(in: documents[Int(top.id)]) else { return failures }
    func check(_ field: String, _ accepted: [[[Int]]]) {
      let ranges = matches.first { $0.field.key == field }?.ranges.map { [$0.lowerBound, $0.upperBound] } ?? []
      if !accepted.contains(ranges) { failures.append("\(field) highlights \(ranges), expected \(accepted)") }
    }
    if let highlightField, let highlight {
      check(highlightField, [highlight] + (highlightAlternative.map { [$0] } ?? []))
    }
    for (field, ranges) in highlightFields ?? [:] { check(field, [ranges]) }
    return failures
  }
}
