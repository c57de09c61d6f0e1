import ContactSearch
import GRDB

extension AddressBook {
  /// Returns the contacts that match a query, best first, equally good ones by id.
  ///
  /// This is for a command that runs one query. The index comes from the cache file, or is built for this query; call
  /// ``keepSearchIndex()`` to save it for the next one. A screen that searches as you type keeps a ``BookSearch``.
  /// - Parameters:
  ///   - query: the words, in the syntax of `SearchQuery`.
  ///   - fuzzy: treats commonly confused sounds as equal.
  ///   - t9: lets digits also match the letters on their phone keys.
  ///   - withEmail: true to find only contacts that have an email address.
  ///   - explaining: true to include where each contact matches, which takes longer.
  public func find(
    _ query: String, fuzzy: Bool = false, t9: Bool = false, withEmail: Bool = false, explaining: Bool = false
  ) throws(StoreError) -> [FoundContact] {
    let options = SearchOptions(fuzzy: fuzzy, t9: t9)
    return try store.read { db in
      let index = SearchIndex()
      var ticket = try searchCache.fill(index, db)
      let question = SearchQuery(query, options: options, withEmail: withEmail)
      var hits = index.search(question)
      if let repaired = try searchCache.repair(index, db) {
        ticket = repaired
        hits = index.search(question)
      }
      askedIndex.withLock { [ticket] in $0 = (index, ticket) }
      guard explaining else { return hits.map { FoundContact(id: $0.id, score: $0.score, matches: []) } }
      var found: [FoundContact] = []
      found.reserveCapacity(hits.count)
      let loader = ContactLoader(db, damage: store.damage)
      for start in stride(from: 0, to: hits.count, by: 500) {
        let page = hits[start..<min(start + 500, hits.count)]
        for (hit, contact) in zip(page, try loader.load(page.map(\.id))) {
          found.append(
            FoundContact(id: hit.id, score: hit.score, matches: contact.matches(for: query, options: options)))
        }
      }
      return found
    }
  }

  /// Formats the email addresses of contacts, one line each, in the order of the contacts.
  /// - Returns: the lines, each with a line end, and their number.
  public func mailLines(of ids: [Int64], form: MailLineForm) throws(StoreError) -> (text: [UInt8], count: Int) {
    try mailLineCache.lines(of: ids, form: form)
  }

  /// Writes the data that answered the last query to files, if that makes the next query much faster. Call it after the
  /// answer was printed: it takes a moment.
  public func keepSearchIndex() {
    if let asked = askedIndex.withLock({ $0.take() }) { searchCache.keep(asked.index, asked.ticket) }
    mailLineCache.keep()
  }

  /// Updates the file of the search index, after many contacts were written.
  public func refreshSearchIndex() throws(StoreError) {
    guard location.cacheFolder != nil else { return }
    let index = SearchIndex()
    searchCache.keep(index, try store.read { try searchCache.fill(index, $0) })
  }
}
