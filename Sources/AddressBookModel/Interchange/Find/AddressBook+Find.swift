import ContactSearch
import GRDB

extension AddressBook {
  /// What matches a query, best first; equally good ones by id.
  ///
  /// For a command that asks once and ends: the index comes from the file that keeps it, or is built for the one
  /// question; ``keepSearchIndex()`` spares the next one that. A screen that searches with every key keeps its
  /// ``BookSearch``.
  /// - Parameters:
  ///   - query: the words, in the language of `SearchQuery`.
  ///   - fuzzy: takes sounds that are often confused as one.
  ///   - t9: lets digits also stand for the letters on a phone's keys.
  ///   - withEmail: true for contacts with an email address only.
  ///   - explaining: true to say where each contact matches, which takes longer.
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

  /// The email addresses of contacts in the order of the contacts, a line for each.
  /// - Returns: the lines, each with a line end, and how many they are.
  public func mailLines(of ids: [Int64], form: MailLineForm) throws(StoreError) -> (text: [UInt8], count: Int) {
    try mailLineCache.lines(of: ids, form: form)
  }

  /// Keeps in files what the last question was answered from, where that spares the next one much. For when the answer is
  /// out: it takes a moment.
  public func keepSearchIndex() {
    if let asked = askedIndex.withLock({ $0.take() }) { searchCache.keep(asked.index, asked.ticket) }
    mailLineCache.keep()
  }

  /// Brings the file with the search index up to date, after many contacts were written.
  public func refreshSearchIndex() throws(StoreError) {
    guard location.cacheFolder != nil else { return }
    let index = SearchIndex()
    searchCache.keep(index, try store.read { try searchCache.fill(index, $0) })
  }
}
