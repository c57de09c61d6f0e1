import Synchronization

/// An index of all contacts in memory, for a search with every key. About 90 bytes a contact.
///
/// It may be used from several threads; one works at a time. It does no input or output: whoever owns the contacts puts
/// each changed one, and removes each deleted one.
public final class SearchIndex: Sendable {
  let storage: Mutex<SearchStorage>
  /// Changes made while a rebuild is under way, to be made again in the new storage.
  private let pending = Mutex<[Change]?>(nil)

  private enum Change {
    case put(SearchDocument)
    case remove(Int64)
  }

  /// An empty index.
  public init() {
    storage = Mutex(SearchStorage())
  }

  /// How many contacts are in the index.
  public var count: Int { storage.withLock { $0.people.count } }

  /// Bytes that the index takes in memory.
  public var footprint: Int { storage.withLock { $0.people.footprint + $0.lexicon.footprint } }

  /// Adds a contact, or replaces the one with its id.
  public func upsert(_ document: SearchDocument) { upsert(CollectionOfOne(document)) }

  /// Adds contacts, or replaces those with their ids.
  public func upsert(_ documents: some Collection<SearchDocument>) {
    storage.withLock { storage in
      pending.withLock { $0?.append(contentsOf: documents.map(Change.put)) }
      for document in documents { storage.put(document) }
    }
  }

  /// Removes a contact; one that is not there is no error.
  public func remove(_ id: Int64) {
    storage.withLock { storage in
      pending.withLock { $0?.append(.remove(id)) }
      storage.remove(id)
    }
  }

  /// Replaces everything by the contacts of a sequence, of whatever order; of two with one id the last counts.
  ///
  /// Searches and changes go on meanwhile: searches find what was there before, changes are in the index both before
  /// and after. Two rebuilds at a time are not allowed; the second does nothing.
  ///
  /// - Parameters:
  ///   - documents: the contacts, read once.
  ///   - progress: called after every 1024 contacts and at the end with the number read so far.
  ///   - isCancelled: asked after every 1024 contacts; once it is true the index stays as it was.
  /// - Returns: whether the index now has these contacts.
  @discardableResult
  public func rebuild(
    from documents: some Sequence<SearchDocument>, progress: (Int) -> Void = { _ in },
    isCancelled: () -> Bool = { false }
  ) -> Bool {
    let isFirst = pending.withLock { pending in
      defer { pending = pending ?? [] }
      return pending == nil
    }
    guard isFirst else { return false }
    var fresh = SearchStorage()
    var count = 0
    for document in documents {
      fresh.put(document)
      count += 1
      guard count & 1023 == 0 else { continue }
      progress(count)
      if isCancelled() {
        pending.withLock { $0 = nil }
        return false
      }
    }
    fresh.pack()
    progress(count)
    replace(by: fresh)
    return true
  }

  func replace(by built: SearchStorage) {
    storage.withLock { storage in
      let generation = storage.generation
      storage = built
      let changes = pending.withLock { pending in
        defer { pending = nil }
        return pending ?? []
      }
      for change in changes {
        switch change {
        case .put(let document): storage.put(document)
        case .remove(let id): storage.remove(id)
        }
      }
      storage.follow(generation)
    }
  }

  /// All contacts that match a query, best first; equally good ones by id.
  ///
  /// - Parameters:
  ///   - query: an empty one matches everyone.
  ///   - limit: how many to rank and return.
  ///   - isCancelled: asked every few thousand contacts; once it is true the answer is empty or cut short.
  public func search(
    _ query: SearchQuery, limit: Int = .max, isCancelled: @escaping () -> Bool = { false }
  ) -> [SearchHit] {
    find(query, ranking: limit, isCancelled: isCancelled)?.best ?? []
  }

  /// All contacts that match a query, and the best of them; nil when cancelled.
  public func find(
    _ query: SearchQuery, ranking limit: Int = 1, isCancelled: @escaping () -> Bool = { false }
  ) -> SearchResult? {
    withStorage { storage in
      let plan = QueryPlan(query)
      guard let rows = storage.rows(plan, isCancelled: isCancelled) else { return nil }
      return storage.result(rows, of: plan, limit: limit, isCancelled: isCancelled)
    }
  }

  /// Work on the storage, for a session.
  func withStorage<Result: Sendable>(_ body: (borrowing SearchStorage) -> Result) -> Result {
    storage.withLock { body($0) }
  }
}
