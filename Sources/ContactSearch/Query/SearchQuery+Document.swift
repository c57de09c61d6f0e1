extension SearchQuery {
  /// Where the query matches in a contact; nil if it does not match, empty if it matches without a text to show.
  ///
  /// Each term is shown in its best field: `li example` in the name and in the domain of the address, though the
  /// address begins with `li` as well. With `everywhere`, each term is shown in every field that it matches. Fields are
  /// ordered by the first term that matches them, best first.
  public func matches(in document: SearchDocument, everywhere: Bool = false) -> [FieldMatch]? {
    evaluate(document, everywhere: everywhere)?.matches
  }

  /// Whether a contact matches, how well (see ``SearchHit/score``), and where.
  public func evaluate(_ document: SearchDocument, everywhere: Bool = false) -> (score: Double, matches: [FieldMatch])?
  {
    if isTooLong { return nil }
    let compared = ComparedDocument(document)
    var found: [(field: SearchField, ranges: [Range<Int>])] = []
    var sum = 0
    var count = 0
    for term in terms {
      switch term.condition {
      case .has(let presence):
        if document.presence.isDisjoint(with: presence) != term.isNegated { return nil }
      case .text(let text):
        let fields = compared.matches(text)
        if fields.isEmpty != term.isNegated { return nil }
        if term.isNegated { continue }
        let best = fields.enumerated().max { first, second in
          first.element.value != second.element.value
            ? first.element.value < second.element.value : first.offset > second.offset
        }
        guard let best = best?.element else { continue }
        sum += best.value
        count += 1
        for match in everywhere ? fields : [best] {
          if let known = found.firstIndex(where: { $0.field == match.field }) {
            found[known].ranges += match.ranges
          } else {
            found.append((match.field, match.ranges))
          }
        }
      }
    }
    let score = count == 0 ? 0 : Double(sum / count) / Ranking.highest
    return (score, found.map { FieldMatch(field: $0.field, ranges: SearchQuery.merged($0.ranges)) })
  }

  /// Ascending ranges; overlapping and adjacent ones are merged.
  static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
