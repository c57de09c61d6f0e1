/// What a person typed, understood: a number of terms that must all match, in any order and in any field.
///
/// - `wang xm` two terms; `"li qiang"` a phrase: whole words or characters, in this order, next to each other.
/// - `name: nick: org: dept: title: tel: email: url: addr: group: note:` before a term or phrase look in that field only.
/// - `has:photo`, and birthday, phone, email, address, url, group, note, nickname, org, dept, title: the field is there.
/// - `-` before any of these: it must not be so.
/// - A query of digits and separators alone is one telephone number.
/// - Anything else is plain text: an unknown field, a field without a value, `%`, `*`, AND. An open quote goes on to the end.
///
/// Of each term the first 63 letters are compared. A query of more than ``maximumLength`` code points matches nothing.
public struct SearchQuery: Hashable, Sendable {
  /// The text as it was typed.
  public let text: String
  /// How it is matched.
  public let options: SearchOptions
  /// Whether the text has more code points than ``maximumLength``, so that it matches nothing.
  public let isTooLong: Bool
  let terms: [SearchTerm]

  /// The longest query that is looked at, in code points of its normalization form C, repeated spaces counting once.
  public static let maximumLength = 4096

  /// Understands a text; any text is a query.
  /// - Parameters:
  ///   - text: what was typed.
  ///   - options: how it is matched.
  ///   - withEmail: true to ask for an email address beside.
  public init(_ text: String, options: SearchOptions = SearchOptions(), withEmail: Bool = false) {
    self.text = text
    self.options = options
    var parser = QueryParser(text, options: options)
    isTooLong = parser.isTooLong
    let asked = isTooLong ? [] : parser.parse()
    terms = withEmail && !isTooLong ? asked + [SearchTerm(condition: .has(.email))] : asked
  }

  /// Whether nothing is asked, so that every contact matches.
  public var isEmpty: Bool { terms.isEmpty && !isTooLong }

  /// Whether every contact that matches this query matches `wider` too.
  func narrows(_ wider: SearchQuery) -> Bool {
    guard options == wider.options, !isTooLong, !wider.isTooLong else { return false }
    return wider.terms.allSatisfy { term in terms.contains { term.isImplied(by: $0) } }
  }
}
