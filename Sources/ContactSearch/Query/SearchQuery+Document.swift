extension SearchQuery {
  /// Returns where a contact matches the query; nil if it does not match, empty if there is no matching text to show.
  ///
  /// Each term is shown in its best field: `li example` is shown in the name and in the domain of the email address,
  /// even if that address begins with `li` as well. With `everywhere`, each term is shown in every field that it
  /// matches. Fields are ordered by the first term that matches them; with `everywhere`, those of the same term are
  /// ordered by the kind of field: texts, then email addresses and websites, then phone numbers.
  public func matches(in document: SearchDocument, everywhere: Bool = false) -> [FieldMatch]? {
    evaluate(document, everywhere: everywhere)?.matches
  }

  /// Returns where each of several contacts matches the query, as for one contact. This is faster than one by one,
  /// because tokens that the contacts share are compared once.
  public func matches(in documents: [SearchDocument], everywhere: Bool = false) -> [[FieldMatch]?] {
    evaluate(documents, everywhere: everywhere).map { $0?.matches }
  }

  /// Returns how well a contact matches (see ``SearchHit/score``), and where; nil if it does not match.
  public func evaluate(_ document: SearchDocument, everywhere: Bool = false) -> (score: Double, matches: [FieldMatch])?
  {
    evaluate([document], everywhere: everywhere)[0]
  }

  /// Returns how well each of several contacts matches, and where; see ``matches(in:everywhere:)``.
  package func evaluate(
    _ documents: [SearchDocument], everywhere: Bool
  ) -> [(score: Double, matches: [FieldMatch])?] {
    if isTooLong { return documents.map { _ in nil } }
    var lexicon = Lexicon()
    let compared = documents.map { ComparedDocument($0, into: &lexicon) }
    let compiled = terms.map { term -> CompiledTerm? in
      guard case .text(let text) = term.condition, let pattern = text.pattern else { return nil }
      return CompiledTerm(pattern, fields: text.fields, lexicon: lexicon)
    }
    let finder = PathFinder()
    return zip(documents, compared).map { document, compared in
      evaluate(document, everywhere: everywhere) { compared.matches($0, compiled[$1], lexicon, finder) }
    }
  }

  /// - Parameter matches: called with each text term and its index; returns the fields that the term matches.
  private func evaluate(
    _ document: SearchDocument, everywhere: Bool, matches: (TextTerm, Int) -> [ComparedDocument.Match]
  ) -> (score: Double, matches: [FieldMatch])? {
    var found: [(field: SearchField, ranges: [Range<Int>])] = []
    var sum = 0
    var count = 0
    for (number, term) in terms.enumerated() {
      switch term.condition {
      case .has(let presence):
        if document.presence.isDisjoint(with: presence) != term.isNegated { return nil }
      case .text(let text):
        let fields = matches(text, number)
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

  /// Sorts ranges, drops empty ones, and merges those that overlap or are adjacent.
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
