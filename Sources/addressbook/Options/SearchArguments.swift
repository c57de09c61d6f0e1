import AddressBookModel
import ArgumentParser
import BookSearching

/// Search words and options.
struct SearchArguments: ParsableArguments {
  @Flag(name: .long, help: help("fuzzy"))
  var fuzzy = false

  @Flag(name: .customLong("t9"), help: help("t9"))
  var t9 = false

  @Argument(parsing: .allUnrecognized, help: help("queryWords", valueName: "query"))
  var query: [String] = []

  /// The words as one query.
  var text: String { SearchWords.text(query) }

  /// True if there is nothing to search for.
  var isEmpty: Bool { BookSearch.isEmptyQuery(text) }

  func validate() throws { try SearchWords.refuseOptions(in: query) }

  /// The matches, best first.
  /// - Parameter correcting: true for those without one typing error, if there are no others.
  func ranked(
    _ queries: BookQueries, withEmail: Bool = false, correcting: Bool = false, explaining: Bool = false
  ) throws -> [FoundContact] {
    try queries.find(text, fuzzy: fuzzy, t9: t9, withEmail: withEmail, correcting: correcting, explaining: explaining)
  }

  /// The matches, in section order.
  func idsInOrder(_ queries: BookQueries) throws -> [Int64] {
    try queries.ids(matching: text, fuzzy: fuzzy, t9: t9)
  }
}

/// Search words on the command line. A word may begin with a hyphen (`-work` excludes what `work` finds), so an unknown
/// short option is a word.
enum SearchWords {
  /// Returns the words as one query, without the first `--`, which the parser leaves among them.
  static func text(_ words: [String]) -> String {
    var words = words
    if let end = words.firstIndex(of: "--") { words.remove(at: end) }
    return words.joined(separator: " ")
  }

  /// Throws `ValidationError` for an unknown long option among the words.
  static func refuseOptions(in words: [String]) throws {
    if let option = words.prefix(while: { $0 != "--" }).first(where: { $0.hasPrefix("--") }) {
      throw ValidationError(strings("Parser/unknownOption", option))
    }
  }
}
