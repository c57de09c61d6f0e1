import ContactSearch
import Contacts

/// A field of a contact that a search text matches, and where, for highlighting.
public struct ContactMatch: Hashable, Sendable {
  /// The name of the field in JSON, such as `name`, `phones[0]` or `note`.
  public let field: String
  /// The field's text.
  public let text: String
  /// Half-open ranges of code points of the text in normalization form C.
  public let ranges: [Range<Int>]
}

/// A search text, parsed once to be looked for in several contacts.
public struct ContactMatcher: Sendable {
  private let query: SearchQuery

  /// Parses a search text; an empty one matches nowhere.
  public init(_ text: String, options: SearchOptions = SearchOptions()) {
    query = SearchQuery(text, options: options)
  }

  /// Returns the matches of the text in a contact; none if it does not match.
  /// - Parameter everywhere: true to include every field that a term matches, for highlighting on a screen; false to
  ///   include only the best field of each term, to explain a ranked result.
  public func matches(in contact: Contact, everywhere: Bool = false) -> [ContactMatch] {
    matches(in: [contact], everywhere: everywhere)[0]
  }

  /// Returns the matches in each of several contacts; faster than one call for each.
  public func matches(in contacts: [Contact], everywhere: Bool = false) -> [[ContactMatch]] {
    guard !query.isEmpty else { return contacts.map { _ in [] } }
    let documents = contacts.map(\.searchDocument)
    return zip(documents, query.matches(in: documents, everywhere: everywhere)).map { document, found in
      (found ?? []).map { match in
        ContactMatch(field: match.field.key, text: document.text(of: match.field), ranges: match.ranges)
      }
    }
  }
}

extension Contact {
  /// Returns the matches of a search text in this contact; see ``ContactMatcher``.
  public func matches(
    for text: String, options: SearchOptions = SearchOptions(), everywhere: Bool = false
  ) -> [ContactMatch] {
    ContactMatcher(text, options: options).matches(in: self, everywhere: everywhere)
  }
}
