import Pinyin

/// A document split for comparison, with the mapping back to its texts. It uses the same comparison as the index.
/// Several documents may share a lexicon, so that a term is compared with their tokens only once.
struct ComparedDocument {
  /// A field that a term matches.
  struct Match {
    var field: SearchField
    var ranges: [Range<Int>]
    var value: Int
  }

  private struct TextField {
    var field: SearchField
    var tokens: [Int]
    var symbols: [Bool]
    var buffer: Tokenizer
  }

  private struct ByteField {
    var field: SearchField
    var bytes: [UInt8]
    /// For each byte after the mark, the index of the code point it came from.
    var sources: [Int]
  }

  private var texts: [TextField] = []
  private var literals: [ByteField] = []
  private var phones: [ByteField] = []

  /// Splits a document into tokens of a lexicon.
  init(_ document: SearchDocument, into lexicon: inout Lexicon) {
    let parts = document.nameParts
    document.forEachText { add($0, $1, isPerson: document.isPerson, parts, &lexicon) }
    document.forEachLiteral { field, text in
      var sources: [Int] = []
      let bytes = Folded.bytes(of: text, sources: &sources)
      let mark = field.kind == .email ? LiteralPattern.emailMark : LiteralPattern.urlMark
      literals.append(ByteField(field: field, bytes: [mark] + bytes, sources: sources))
    }
    for (index, text) in document.phones.enumerated() {
      var sources: [Int] = []
      let bytes = PhoneNumber.bytes(of: text, sources: &sources)
      if !bytes.isEmpty { phones.append(ByteField(field: .phone(index), bytes: bytes, sources: sources)) }
      var text = text
      if text.withUTF8(PhoneNumber.isText) { add(.phone(index), text, isPerson: document.isPerson, parts, &lexicon) }
    }
  }

  private mutating func add(
    _ field: SearchField, _ text: String, isPerson: Bool, _ parts: [NamePart], _ lexicon: inout Lexicon
  ) {
    var buffer = Tokenizer()
    var tokens: [Int] = []
    var symbols: [Bool] = []
    let readings = NameReadings(field.kind, isPerson: isPerson, parts: parts)
    var text = text
    text.withUTF8 { utf8 in
      DocumentEncoder.forEachToken(of: utf8, readings, &buffer, &lexicon) { id, token, _, _ in
        tokens.append(id)
        symbols.append(token.kind == .symbol)
      }
    }
    texts.append(TextField(field: field, tokens: tokens, symbols: symbols, buffer: buffer))
  }

  /// Returns every field that a term matches, with the best match in each: texts first, then email addresses, websites
  /// and phone numbers.
  /// - Parameter compiled: the term compared with the lexicon; nil if it has no letters to compare.
  func matches(_ term: TextTerm, _ compiled: CompiledTerm?, _ lexicon: Lexicon, _ finder: PathFinder) -> [Match] {
    var matches: [Match] = []
    if let compiled {
      let pattern = compiled.pattern
      for text in texts where term.fields.contains(text.field.kind) {
        finder.clear()
        for (token, isSymbol) in zip(text.tokens, text.symbols) {
          finder.append(compiled.automaton.classes[token], isSymbol: isSymbol)
        }
        var steps: [PathFinder.Step] = []
        guard let value = finder.best(compiled.automaton, steps: &steps) else { continue }
        let ranges = steps.map { step in
          let (id, token) = (text.tokens[step.token], text.buffer.tokens[step.token])
          let isForeign = token.kind == .word && lexicon.isWide(id)
          return text.buffer.sourceRange(
            of: token,
            letters: isForeign
              ? pattern.coveredLetters(of: lexicon.letters(id), part: step.letters) : step.letters.count)
        }
        matches.append(Match(field: text.field, ranges: ranges, value: text.field.kind.weight + value))
      }
    }
    for literal in literals where term.fields.contains(literal.field.kind) {
      if let match = literal.bytes.withUnsafeBufferPointer({ term.literal.best(in: $0) }) {
        matches.append(ComparedDocument.match(literal, match))
      }
    }
    guard let phone = term.phone, term.fields.contains(.phone) else { return matches }
    for number in phones {
      if let match = number.bytes.withUnsafeBufferPointer({ phone.best(in: $0) }) {
        matches.append(ComparedDocument.match(number, match))
      }
    }
    return matches
  }

  /// Returns the match in an email address, a website or a phone number: from the first to the last matched character.
  private static func match(_ field: ByteField, _ match: (range: Range<Int>, value: Int)) -> Match {
    let first = field.sources[match.range.lowerBound - 1]
    let last = field.sources[match.range.upperBound - 2]
    return Match(field: field.field, ranges: [first..<(last + 1)], value: field.field.kind.weight + match.value)
  }
}

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
