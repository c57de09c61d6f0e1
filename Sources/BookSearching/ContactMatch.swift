import AddressBookModel
import ContactSearch
import Contacts
import Pinyin

/// A field of a contact that a search text matches, and where, for highlighting.
public struct ContactMatch: Hashable, Sendable {
  /// The name of the field in JSON, such as `name`, `phones[0]` or `note`.
  public let field: String
  /// The field's text.
  public let text: String
  /// Half-open ranges of code points of the text in normalization form C.
  public let ranges: [Range<Int>]
  /// The name of a field of the user's own, which is its label; otherwise empty.
  public let ownName: String
}

/// A search text, parsed once to be looked for in several contacts.
public struct ContactMatcher: Sendable {
  private let queries: [SearchQuery]

  /// Parses a search text; an empty one matches nowhere.
  /// - Parameter corrected: true to look for what matches without one typing error.
  public init(_ text: String, options: SearchOptions = SearchOptions(), corrected: Bool = false) {
    let query = SearchQuery(text, options: options)
    queries = corrected ? query.corrections : query.isEmpty ? [] : [query]
  }

  /// Returns the matches of the text in a contact; none if it does not match.
  /// - Parameter everywhere: true to include every field that a term matches, for highlighting on a screen; false to
  ///   include only the best field of each term, to explain a ranked result.
  public func matches(in contact: Contact, everywhere: Bool = false) -> [ContactMatch] {
    matches(in: [contact], everywhere: everywhere)[0]
  }

  /// Returns the matches in each of several contacts; faster than one call for each.
  public func matches(in contacts: [Contact], everywhere: Bool = false) -> [[ContactMatch]] {
    let documents = contacts.map(\.searchDocument)
    var best: [(score: Double, matches: [FieldMatch])?] = documents.map { _ in nil }
    for query in queries {
      for (index, found) in query.evaluate(documents, everywhere: everywhere).enumerated() {
        if let found, found.score > best[index]?.score ?? -1 { best[index] = found }
      }
    }
    return contacts.indices.map { number in
      (best[number]?.matches ?? []).map { match in
        let more = match.field.indexOfMore.map { contacts[number].fieldOfMore(at: $0) }
        return ContactMatch(
          field: more?.key ?? match.field.key, text: documents[number].text(of: match.field), ranges: match.ranges,
          ownName: more?.ownName ?? "")
      }
    }
  }
}

extension Contact {
  /// Returns the name in JSON of a text in ``SearchDocument/more``: of a text, an account, a related person, or the field
  /// that has another text; with the label of a field of the user's own.
  fileprivate func fieldOfMore(at index: Int) -> (key: String, ownName: String) {
    let texts = ContactFields.standard.texts.filter { $0.search == .more && !self[$0].isEmpty }
    if texts.indices.contains(index) { return (texts[index].jsonKey, "") }
    var rest = index - texts.count
    for field in ContactFields.standard.values where field.search == .more {
      let values = field.read(self)
      if rest < values.count {
        return ("\(field.name)[\(rest)]", field.card.form == .custom ? values[rest].label : "")
      }
      rest -= values.count
    }
    let further = furtherTexts
    return (further.indices.contains(rest) ? further[rest].field.jsonKey : "note", "")
  }
}

/// How a Chinese text is typed in pinyin, for completion and for lists that typing filters.
public enum PinyinSpelling {
  /// Returns the pinyin and the pinyin initials of a text, in lower case: `pengyou` and `py` for 朋友. Letters and digits
  /// beside Han characters stay (`QQ好友`: `qqhaoyou`, `qqhy`); anything else is left out. Empty for a text without Han
  /// characters.
  public static func all(of text: String) -> [String] {
    guard text.unicodeScalars.contains(where: Readings.isHan) else { return [] }
    let syllables = Readings.name(text, isPerson: false)
    var (full, initials) = ("", "")
    for (scalar, syllable) in zip(text.unicodeScalars, syllables) {
      if let syllable {
        let letters = syllable.letters.description
        full += letters
        initials += letters.prefix(1)
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        full += scalar.properties.lowercaseMapping
        initials += scalar.properties.lowercaseMapping
      }
    }
    return full == initials ? [full] : [full, initials]
  }
}
