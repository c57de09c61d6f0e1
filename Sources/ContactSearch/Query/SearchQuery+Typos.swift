import IDSets

/// One typing error is forgiven by searching for what else could have been meant: a letter that is missing, too much,
/// wrong, or exchanged with the next one.
extension SearchQuery {
  /// The queries that together match what this one would match without one typing error. Only whole words of four letters
  /// or more are corrected, never their first letter alone, and neither numbers, Han characters and Hangul nor what is
  /// excluded or in quotation marks. Addresses are not compared.
  package var corrections: [SearchQuery] {
    terms.indices.flatMap { number -> [SearchQuery] in
      guard !terms[number].isNegated, case .text(let text) = terms[number].condition, let pattern = text.pattern else {
        return []
      }
      return pattern.corrections.map { corrected in
        var terms = terms
        let fields = text.fields.subtracting(FieldSet(.email, .url, .phone))
        terms[number].condition = .text(
          TextTerm(fields: fields, pattern: corrected, literal: LiteralPattern([]), phone: nil))
        return SearchQuery(self, terms: terms)
      }
    }
  }

  /// Returns the contacts that match without one typing error; nil if canceled. For a query that finds nothing.
  /// - Parameters:
  ///   - find: searches for one of the corrections; nil if canceled.
  package func correcting(
    _ find: (SearchQuery) -> SearchResult?
  ) -> SearchResult? {
    var found: Set<Int64> = []
    var scores: [Int64: Double] = [:]
    for correction in corrections {
      guard let result = find(correction) else { return nil }
      found.formUnion(result.ids)
      for hit in result.best { scores[hit.id] = max(hit.score, scores[hit.id] ?? 0) }
    }
    let best = scores.map { SearchHit(id: $0, score: $1) }.sorted {
      $0.score != $1.score ? $0.score > $1.score : $0.id < $1.id
    }
    return SearchResult(matches: IDSet(found), best: best)
  }
}

extension TermPattern {
  /// The length of words in which an error is forgiven. Shorter ones would match nearly anything.
  private static let correctedLengths = 4...24

  fileprivate var corrections: [TermPattern] {
    let isWord = letters.allSatisfy { ScalarKind($0.value) == .letter && $0.value != TermPattern.anyLetter }
    guard Self.correctedLengths.contains(letters.count), isWord, allowsInitials, breaks == 0 else { return [] }
    var found: [TermPattern] = []
    func add(isAtEnd: Bool, _ change: (inout [Letter]) -> Void) {
      var copy = self
      copy.correct(change)
      copy.allowsInitials = false
      // The beginning of a longer word already matches without its last letters.
      copy.allowsPrefix = allowsPrefix && !isAtEnd
      if copy.letters != letters { found.append(copy) }
    }
    let any = Letter(value: Self.anyLetter, form: Self.anyLetter, mask: 1 << 26 - 1)
    for index in letters.indices {
      let isLast = index == letters.count - 1
      if !isLast { add(isAtEnd: false) { $0.swapAt(index, index + 1) } }
      if index == 0 { continue }
      add(isAtEnd: isLast) { $0[index] = any }
      add(isAtEnd: isLast) { $0.remove(at: index) }
      add(isAtEnd: false) { $0.insert(any, at: index) }
    }
    return found
  }
}
