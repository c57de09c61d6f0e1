import AddressBookModel
import ArgumentParser
import BookSearching
import Messages

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

  /// Throws `ValidationError` for an unknown long option among the words, and for one of a single letter or digit, such
  /// as `-n 5`, which would leave out what `n` finds.
  static func refuseOptions(in words: [String]) throws {
    for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("-") {
      if word.hasPrefix("--") { throw ValidationError(strings("Parser/unknownOption", word)) }
      let option = word.dropFirst()
      if option.count == 1, option.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
        throw ValidationError(strings("Misuse/oneLetter", word, String(option)))
      }
    }
  }
}

/// `--where` and `--folder`: conditions on contacts, in addition to the words of a query.
struct ConditionArguments: ParsableArguments {
  @Option(name: .long, help: help("folderOnly", valueName: "folder"))
  var folder: String?

  @Option(name: .customLong("where"), parsing: .unconditional, help: help("where", valueName: "condition"))
  var text: String?

  func validate() throws { _ = try condition() }

  /// The condition; nil without one.
  private func condition() throws -> ContactCondition? { try text.map { try ContactCondition(argument: $0) } }

  /// The contacts in the folder that match the condition; nil if neither is given.
  /// - Throws: `CommandFailure` if there is no such folder.
  func ids(in book: AddressBook) throws -> [Int64]? {
    let members = try folder.map { try book.memberIDs(ofFolder: FolderReference.find($0, in: book).id) }
    if folder != nil || text != nil { try book.checkIndexes() }
    guard let condition = try condition() else { return members }
    let matching = try book.contactIDs(where: condition)
    guard let allowed = members.map(Set.init) else { return matching }
    return matching.filter(allowed.contains)
  }

  /// The description of the search, for a message that nothing was found.
  func description(with search: SearchArguments) -> String {
    Localization.shared.list([search.isEmpty ? nil : search.text, text, folder].compactMap(\.self))
  }

  /// The failure of a search that found nothing.
  func nothingFound(_ search: SearchArguments) -> CommandFailure {
    CommandFailure.unknownField(in: search.text) ?? .nothingFound(description(with: search))
  }
}

extension ContactCondition {
  /// Parses a condition that the user typed.
  /// - Throws: `ValidationError` that says what is wrong.
  init(argument text: String) throws {
    do throws(ContactConditionError) {
      self = try ContactCondition(text)
    } catch {
      throw ValidationError(PlainText.cell(error.message(in: .shared)))
    }
  }
}

extension SearchArguments {
  /// The contacts that match the words and the condition, in section order; nil if there is neither.
  func idsInOrder(_ queries: BookQueries, where condition: ConditionArguments) throws -> [Int64]? {
    let ids = try condition.ids(in: queries.book)
    if isEmpty { return try ids.map { try queries.book.idsInOrder(of: $0) } }
    let found = try idsInOrder(queries)
    guard let allowed = ids.map(Set.init) else { return found }
    return found.filter(allowed.contains)
  }

  /// The contacts that match the words and the condition, best first; with a condition alone, in section order; with
  /// neither, none. If the words match nothing, those that match without one typing error.
  func ranked(
    _ queries: BookQueries, where condition: ConditionArguments, withEmail: Bool = false, explaining: Bool = false
  ) throws -> [FoundContact] {
    let ids = try condition.ids(in: queries.book)
    if isEmpty {
      guard let ids, !ids.isEmpty else { return [] }
      return try queries.book.idsInOrder(of: ids).map { FoundContact(id: $0) }
    }
    let found = try ranked(queries, withEmail: withEmail, correcting: true, explaining: explaining)
    guard let allowed = ids.map(Set.init) else { return found }
    return found.filter { allowed.contains($0.id) }
  }
}
