import AddressBookModel
import ContactSearch
import Dispatch
import IDSets
import Synchronization

/// Search as you type in a book: an in-memory index that is built in the background and follows change sets.
///
/// Thread-safe. Queries and updates run one after the other on its own queue; a newer query cancels an older one that
/// is running or waiting.
public final class BookSearch: Sendable {
  /// What a search treats as equal.
  public typealias Options = SearchOptions

  /// The progress of building the index.
  public struct Progress: Hashable, Sendable {
    /// Contacts read so far.
    public let done: Int
    /// Contacts in the book.
    public let total: Int
  }

  /// The result of a query.
  public struct Answer: Sendable {
    /// All contacts found.
    public let matches: IDSet
    /// The best matches, all of which match equally well; all contacts found, if the query has no text to rank by.
    public let best: IDSet
    /// True if nothing was found, and these contacts match without one typing error.
    public var isCorrected = false
  }

  private let book: AddressBook
  private let cache: SearchCache
  private let index = SearchIndex()
  private let queue = DispatchQueue(label: "addressbook.search", qos: .userInitiated)
  private let counting = DispatchQueue(label: "addressbook.counting", qos: .utility)
  private let session: Mutex<Session>
  private let generation = Atomic(0)

  private struct Session: @unchecked Sendable {
    // Only used on the queue, serially.
    var value: SearchSession
  }

  /// A search in this book; nothing is read yet.
  public init(book: AddressBook) {
    self.book = book
    cache = SearchCache(BookCache(store: book.store))
    session = Mutex(Session(value: SearchSession(index)))
  }

  /// Returns whether a query has nothing to search for: it is empty or blank, or a phrase without text, such as an
  /// opening quote.
  public static func isEmptyQuery(_ text: String) -> Bool { SearchQuery(text).isEmpty }

  /// The names of the fields that a word of a query can be limited to (`org:acme`).
  public static var fieldNames: [String] { SearchQuery.fieldNames }
  /// What `has:` takes in a query.
  public static var presenceNames: [String] { SearchQuery.presenceNames }

  /// Returns the first word of a query that looks like a field and its value although there is no such field, and the
  /// fields that there are: `city:`, and `name:`, `org:` … Nil if there is none. The word is searched as text.
  public static func unknownField(in text: String) -> (word: String, known: [String])? {
    SearchQuery(text).unknownField.map { word in
      if word.hasPrefix("has:") { return (word, SearchQuery.presenceNames.map { "has:" + $0 }) }
      if word.hasPrefix("contacted:") { return (word, LastContactTerm.examples.map { "contacted:" + $0 }) }
      return (word, SearchQuery.fieldNames.map { $0 + ":" } + ["has:"])
    }
  }

  /// Returns whether a query asks when contacts last wrote or were written to, which only mail that was read tells.
  public static func asksForLastContact(_ text: String) -> Bool { !SearchQuery(text).contacted.isEmpty }

  /// Loads the book into the index in the background: from the cache file, or contact by contact. Then it writes the
  /// file, if that is useful.
  /// - Parameters:
  ///   - progress: called from time to time on the search's queue, if contacts are read one by one.
  ///   - completion: called there at the end, with the error if any.
  public func build(
    progress: @escaping @Sendable (Progress) -> Void = { _ in },
    completion: @escaping @Sendable (StoreError?) -> Void = { _ in }
  ) {
    queue.async { [self] in
      do {
        let total = try book.contactCount()
        let ticket = try book.store.read { db in
          try cache.fill(index, db) { done in progress(Progress(done: done, total: max(done, total))) }
        }
        completion(nil)
        // No query waits for the file.
        DispatchQueue.global(qos: .utility).async { [self] in
          cache.keep(index, ticket)
          // Opening is complete: the list and the index have been read.
          book.store.releaseMemory()
        }
      } catch {
        completion(error as? StoreError ?? StoreError(error, path: book.location.path ?? ""))
      }
    }
  }

  /// Applies a change set.
  /// - Parameters:
  ///   - changed: contacts that were added or changed.
  ///   - removed: contacts that are gone.
  ///   - completion: called on the search's queue when the index is updated, or with an error.
  public func update(
    changed: [Int64], removed: [Int64], completion: @escaping @Sendable (StoreError?) -> Void = { _ in }
  ) {
    queue.async { [self] in
      do throws(StoreError) {
        for id in removed { index.remove(id) }
        for ids in changed.batches(of: 500) { index.replace(ids, with: try book.searchDocuments(ids: ids)) }
        completion(nil)
      } catch {
        completion(error)
      }
    }
  }

  /// Finds contacts. A newer query cancels this one.
  /// - Parameters:
  ///   - text: the query. An empty one finds all contacts of the group, folder or collection, and none in the whole
  ///     book.
  ///   - group: the name of the group to search in.
  ///   - folder: the id of the folder to search in, if `group` is nil.
  ///   - collection: the collection to search in, if both are nil; nil for the whole book.
  ///   - completion: called on the search's queue, unless a newer query or ``cancel()`` comes first.
  public func find(
    _ text: String, group: String? = nil, folder: Int64? = nil, collection: ContactCollection? = nil,
    options: SearchOptions = SearchOptions(),
    completion: @escaping @Sendable (Result<Answer, StoreError>) -> Void
  ) {
    let number = generation.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    queue.async { [self] in
      let isOutdated = { [self] in generation.load(ordering: .relaxed) != number }
      guard !isOutdated() else { return }
      do {
        let listed =
          try group.map { try memberIDs(of: $0) } ?? folder.map { try book.memberIDs(ofFolder: $0) }
          ?? collection.map { try ids(in: $0, options) }
        let query = SearchQuery(text, options: options)
        let contacted = try contacts(for: query)
        let members = listed.map { IDSet($0) }.map { contacted?.intersection($0) ?? $0 } ?? contacted
        guard !query.isEmpty else {
          completion(.success(Answer(matches: members ?? [], best: [])))
          return
        }
        // In a group, the best of its members may be worse than others.
        let limit = members == nil ? 1 : index.count
        let found = session.withLock {
          $0.value.update(query, ranking: limit, keepingTies: members == nil, isCancelled: isOutdated)
        }
        guard let found, !isOutdated() else { return }
        var answer = Answer(found, in: members)
        if answer.matches.isEmpty {
          let corrected = query.correcting {
            index.find($0, ranking: limit, keepingTies: members == nil, isCancelled: isOutdated)
          }
          guard let corrected, !isOutdated() else { return }
          answer = Answer(corrected, in: members)
          answer.isCorrected = !answer.matches.isEmpty
        }
        completion(.success(answer))
      } catch {
        completion(.failure(error as? StoreError ?? StoreError(error, path: book.location.path ?? "")))
      }
    }
  }

  /// Counts the contacts of a collection, without canceling queries.
  /// - Parameters:
  ///   - options: the options of the searches of smart groups.
  ///   - isWanted: called on another thread before counting; false to do nothing.
  ///   - completion: called there with the number.
  public func count(
    _ collection: ContactCollection, options: SearchOptions = SearchOptions(), isWanted: @escaping @Sendable () -> Bool,
    completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
  ) {
    // Only a saved search needs the index; on the search's queue, it waits until the index is built.
    let isSearch = if case .found(.search) = collection { true } else { false }
    (isSearch ? queue : counting).async { [self] in
      guard isWanted() else { return }
      completion(Result { () throws(StoreError) in try ids(in: collection, options).count })
    }
  }

  /// Returns the ids of the contacts of a collection. For a saved search, call this on the queue. It does not cancel
  /// the user's query.
  private func ids(in collection: ContactCollection, _ options: SearchOptions) throws(StoreError) -> [Int64] {
    try book.ids(in: collection) { text throws(StoreError) in
      let query = SearchQuery(text, options: options)
      guard !query.isEmpty else { return [] }
      var search = SearchSession(index)
      let matches = search.update(query)?.matches ?? []
      return (try contacts(for: query).map(matches.intersection) ?? matches).sorted()
    }
  }

  /// Returns the contacts to which a query is limited by what the index does not have; nil for all, without a read.
  private func contacts(for query: SearchQuery) throws(StoreError) -> IDSet? {
    query.contacted.isEmpty ? nil : try book.store.read(query.contacted)
  }

  /// Cancels the query that is running or waiting, if any.
  public func cancel() { generation.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  private func memberIDs(of group: String) throws(StoreError) -> [Int64] {
    guard let summary = try book.groups().first(where: { $0.name == group }) else { return [] }
    return try Array(book.memberIDs(ofGroup: summary.id))
  }
}

extension BookSearch.Answer {
  /// - Parameters:
  ///   - found: the result of a search in the whole book, with the best matches.
  ///   - members: the contacts to which the answer is limited; nil for all.
  fileprivate init(_ found: SearchResult, in members: IDSet?) {
    matches = members.map(found.matches.intersection) ?? found.matches
    let ranked = found.best.filter { members?.contains($0.id) ?? true }
    let score = ranked.first?.score ?? 0
    best = score > 0 ? IDSet(ranked.prefix { $0.score == score }.map(\.id)) : matches
  }
}
