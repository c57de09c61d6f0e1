import IDSets

/// A parsed query: a list of terms that must all match, in any order and in any field.
///
/// - `wang xm`: two terms. `"li qiang"`: a phrase, whole words or characters in this order, next to each other.
/// - `name: nick: org: dept: title: tel: email: url: addr: group: note:` before a term or phrase search only that
///   field; `name:` includes phonetic names.
/// - `has:photo`, and birthday, phone, email, address, url, group, note, nickname, org, dept, title: the field is not
///   empty.
/// - `contacted:<30d`, `>1y`, `2026-03`, `never`, and `has:contacted`: when the contact last wrote or was written to; see
///   ``LastContactTerm``.
/// - `-` before any of these negates it.
/// - A query of only digits, separators and a leading + is a single term.
/// - Anything else is plain text: an unknown field (``unknownField``), a field without a value, `%`, `*`, AND. An open quote extends to
///   the end, and its last word may be a prefix.
///
/// Only the first 63 letters of each term are compared, except with email addresses, websites and phone numbers. A
/// query of more than ``maximumLength`` code points matches nothing.
public struct SearchQuery: Hashable, Sendable {
  /// The original text.
  public let text: String
  /// How it is matched.
  public let options: SearchOptions
  /// Whether the text is longer than ``maximumLength``; it then matches nothing.
  public let isTooLong: Bool
  /// The first word that looks like a field and its value, but is plain text because there is no such field: `city:` of
  /// `city:berlin`, `has:city` or `contacted:soon`. Nil if there is none.
  public let unknownField: String?
  let terms: [SearchTerm]
  /// The conditions on when a contact last wrote or was written to, which an index does not check.
  public let contacted: [LastContactTerm]

  /// The maximum length of a query, in code points of its normalization form C, without invisible ones and spaces at
  /// the ends, and with repeated spaces counted once.
  public static let maximumLength = 4096

  /// Parses a string; any string is a query.
  /// - Parameters:
  ///   - text: the text of the query.
  ///   - options: how it is matched.
  ///   - withEmail: whether to also require an email address.
  public init(_ text: String, options: SearchOptions = SearchOptions(), withEmail: Bool = false) {
    self.text = text
    self.options = options
    var parser = QueryParser(text, options: options)
    isTooLong = parser.isTooLong
    let parsed = isTooLong ? [] : parser.parse()
    unknownField = parser.unknownField
    contacted = parser.contacted
    terms = withEmail && !isTooLong ? parsed + [SearchTerm(condition: .has(.email))] : parsed
  }

  /// Creates a query with other terms.
  init(_ query: SearchQuery, terms: [SearchTerm]) {
    text = query.text
    options = query.options
    isTooLong = query.isTooLong
    unknownField = query.unknownField
    contacted = query.contacted
    self.terms = terms
  }

  /// Whether there are no conditions; every contact then matches.
  public var isEmpty: Bool { terms.isEmpty && contacted.isEmpty && !isTooLong }

  /// Returns whether the queries differ at most in their text.
  func hasSameTerms(as other: SearchQuery) -> Bool {
    terms == other.terms && options == other.options && isTooLong == other.isTooLong
  }

  /// Returns true only if every contact that matches this query matches `wider` too.
  func narrows(_ wider: SearchQuery) -> Bool {
    guard options == wider.options, !isTooLong, !wider.isTooLong else { return false }
    return wider.terms.allSatisfy { term in terms.contains { term.isImplied(by: $0) } }
  }
}

/// One condition of a query. All conditions must hold.
struct SearchTerm: Hashable, Sendable {
  enum Condition: Hashable, Sendable {
    /// Some field contains the text.
    case text(TextTerm)
    /// The field is not empty.
    case has(Presence)
  }

  var condition: Condition
  /// `-`: the condition must not hold.
  var isNegated = false
}

/// A text to search for, prepared for each of the three ways of comparing fields.
struct TextTerm: Hashable, Sendable {
  var fields: FieldSet
  /// For words and characters; nil if the term has nothing to compare, such as an accent alone.
  var pattern: TermPattern?
  /// For email addresses and websites.
  var literal: LiteralPattern
  /// For phone numbers; nil for a term that is not a number.
  var phone: PhonePattern?

  /// Returns true only if every text that matches `longer` also matches this term.
  func isWidened(from longer: TextTerm) -> Bool {
    if self == longer { return true }
    guard fields == longer.fields, let pattern, let other = longer.pattern,
      pattern.allowsPrefix, pattern.allowsInitials == other.allowsInitials, pattern.isFuzzy == other.isFuzzy,
      other.letters.starts(with: pattern.letters), pattern.letters.count < TermPattern.longest,
      other.breaks & (1 << UInt64(pattern.letters.count) - 1) == pattern.breaks,
      other.syllableEnds & pattern.syllableEnds == pattern.syllableEnds,
      longer.literal.needle.starts(with: literal.needle), !literal.isSingleLetter
    else { return false }
    guard let otherPhone = longer.phone else { return true }
    guard let phone, phone.isPlain, otherPhone.isPlain else { return false }
    return otherPhone.alternatives[0].digits.starts(with: phone.alternatives[0].digits)
  }
}

extension SearchTerm {
  /// Returns true only if this term holds for every contact for which `narrower` holds.
  func isImplied(by narrower: SearchTerm) -> Bool {
    if self == narrower { return true }
    guard !isNegated, !narrower.isNegated, case .text(let text) = condition, case .text(let other) = narrower.condition
    else { return false }
    return text.isWidened(from: other)
  }
}

/// One typing error is forgiven by searching for what else could have been meant: a letter that is missing, too much,
/// wrong, or exchanged with the next one.
extension SearchQuery {
  /// The queries that together match what this one would match without one typing error. Only whole words of four letters
  /// or more are corrected, never their first letter alone, and neither numbers, Han characters and Hangul nor what is
  /// excluded or in quotation marks. Addresses are not compared.
  public var corrections: [SearchQuery] {
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

  /// Searches for what the query would match without one typing error. For a query that finds nothing.
  /// - Parameter find: searches for one of the ``corrections``, such as `{ index.find($0) }`; nil if canceled.
  /// - Returns: the contacts that match any of them; nil if canceled.
  public func correcting(_ find: (SearchQuery) -> SearchResult?) -> SearchResult? {
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
