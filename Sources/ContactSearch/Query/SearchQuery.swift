/// A parsed query: a list of terms that must all match, in any order and in any field.
///
/// - `wang xm`: two terms. `"li qiang"`: a phrase, whole words or characters in this order, next to each other.
/// - `name: nick: org: dept: title: tel: email: url: addr: group: note:` before a term or phrase search only that
///   field; `name:` includes phonetic names.
/// - `has:photo`, and birthday, phone, email, address, url, group, note, nickname, org, dept, title: the field is not
///   empty.
/// - `-` before any of these negates it.
/// - A query of only digits, separators and a leading + is a single term.
/// - Anything else is plain text: an unknown field, a field without a value, `%`, `*`, AND. An open quote extends to
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
  let terms: [SearchTerm]

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
    terms = withEmail && !isTooLong ? parsed + [SearchTerm(condition: .has(.email))] : parsed
  }

  /// Creates a query with other terms.
  init(_ query: SearchQuery, terms: [SearchTerm]) {
    text = query.text
    options = query.options
    isTooLong = query.isTooLong
    self.terms = terms
  }

  /// Whether there are no conditions; every contact then matches.
  public var isEmpty: Bool { terms.isEmpty && !isTooLong }

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
