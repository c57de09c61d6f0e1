import Synchronization

/// An index of all contacts in memory, for search as you type. It takes about 90 bytes per contact.
///
/// It may be used from several threads; they are served one at a time. It does no input or output: its owner adds each
/// changed contact and removes each deleted one.
public final class SearchIndex: Sendable {
  let storage: Mutex<SearchStorage>
  /// Changes made during a rebuild, to be repeated in the new storage.
  private let pending = Mutex<[Change]?>(nil)

  private enum Change {
    case put(SearchDocument)
    case remove(Int64)
  }

  /// Creates an empty index.
  public init() {
    storage = Mutex(SearchStorage())
  }

  /// The number of contacts in the index.
  public var count: Int { storage.withLock { $0.contacts.count } }

  /// The memory used by the index, in bytes.
  public var footprint: Int { storage.withLock { $0.contacts.footprint + $0.lexicon.footprint } }

  /// Adds a contact, or replaces the contact with the same id.
  public func upsert(_ document: SearchDocument) { upsert(CollectionOfOne(document)) }

  /// Adds contacts, and replaces contacts with the same ids.
  public func upsert(_ documents: some Collection<SearchDocument>) {
    storage.withLock { storage in
      pending.withLock { $0?.append(contentsOf: documents.map(Change.put)) }
      for document in documents { storage.put(document) }
    }
  }

  /// Removes a contact; ignored if it is not in the index.
  public func remove(_ id: Int64) {
    storage.withLock { storage in
      pending.withLock { $0?.append(.remove(id)) }
      storage.remove(id)
    }
  }

  /// Replaces everything with the contacts of a sequence, in any order; if two have the same id, the last one wins.
  ///
  /// Searches and changes may run in the meantime: searches find the old contents; changes are applied to both the old
  /// and the new contents. Only one rebuild can run at a time; a second one does nothing.
  ///
  /// - Parameters:
  ///   - documents: the contacts, read once.
  ///   - progress: called after every 1024 contacts and at the end with the number read so far.
  ///   - isCancelled: called after every 1024 contacts; once it returns true, the index stays as it was.
  /// - Returns: whether the index now has these contacts.
  @discardableResult
  public func rebuild(
    from documents: some Sequence<SearchDocument>, progress: (Int) -> Void = { _ in },
    isCancelled: () -> Bool = { false }
  ) -> Bool {
    var iterator = documents.makeIterator()
    return rebuild(
      reading: { batch in
        guard let document = iterator.next() else { return false }
        batch.append(document)
        return true
      }, progress: progress, isCancelled: isCancelled)
  }

  /// Replaces everything as ``rebuild(from:progress:isCancelled:)`` does, with what a function reads.
  /// - Parameter read: appends the next contact to a batch; returns false after the last one.
  /// - Throws: what `read` throws; the index then stays as it was.
  @discardableResult
  package func rebuild<Failure: Error>(
    reading read: (inout SearchDocumentBatch) throws(Failure) -> Bool, progress: (Int) -> Void = { _ in },
    isCancelled: () -> Bool = { false }
  ) throws(Failure) -> Bool {
    let isFirst = pending.withLock { pending in
      defer { pending = pending ?? [] }
      return pending == nil
    }
    guard isFirst else { return false }
    var isComplete = false
    defer { if !isComplete { pending.withLock { $0 = nil } } }
    var fresh = SearchStorage()
    var batch = SearchDocumentBatch()
    var count = 0
    while try read(&batch) {
      count += 1
      guard batch.count == SearchIndex.batchSize else { continue }
      fresh.put(batch)
      batch.removeAll()
      progress(count)
      if isCancelled() { return false }
    }
    fresh.put(batch)
    fresh.pack()
    progress(count)
    replace(by: fresh, endsRebuild: true)
    isComplete = true
    return true
  }

  private static let batchSize = 1024

  /// - Parameter endsRebuild: true to repeat the changes that were made during the rebuild.
  func replace(by built: SearchStorage, endsRebuild: Bool = false) {
    storage.withLock { storage in
      let generation = storage.generation
      storage = built
      let changes = pending.withLock { pending -> [Change] in
        guard endsRebuild else { return [] }
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

  /// Returns the best of the contacts that match a query, best first; equally good ones by id.
  ///
  /// - Parameters:
  ///   - query: an empty one matches every contact.
  ///   - limit: how many contacts to rank and return.
  ///   - isCancelled: called repeatedly during the search; once it returns true, the result is empty or incomplete.
  public func search(
    _ query: SearchQuery, limit: Int = .max, isCancelled: @escaping () -> Bool = { false }
  ) -> [SearchHit] {
    find(query, ranking: limit, isCancelled: isCancelled)?.best ?? []
  }

  /// Returns all contacts that match a query, and the best of them; nil if canceled while looking for matches. If
  /// canceled while ranking them, some of the best may be missing.
  /// - Parameters:
  ///   - query: an empty one matches every contact.
  ///   - limit: how many contacts to rank.
  ///   - keepsTies: true to get all contacts that are as good as the best one, if the query has a text to rank by.
  ///   - isCancelled: called repeatedly during the search; true ends it.
  public func find(
    _ query: SearchQuery, ranking limit: Int = 1, keepingTies keepsTies: Bool = false,
    isCancelled: @escaping () -> Bool = { false }
  ) -> SearchResult? {
    withStorage { storage in
      let plan = QueryPlan(query)
      guard let rows = storage.rows(plan, isCancelled: isCancelled) else { return nil }
      return storage.result(rows, of: plan, limit: limit, keepsTies: keepsTies, isCancelled: isCancelled)
    }
  }

  func withStorage<Result: Sendable>(_ body: (borrowing SearchStorage) -> Result) -> Result {
    storage.withLock { body($0) }
  }
}
