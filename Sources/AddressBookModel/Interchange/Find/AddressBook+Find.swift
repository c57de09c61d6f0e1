import ContactSearch
import GRDB

extension AddressBook {
  /// What matches a query, best first; equally good ones by id.
  ///
  /// For a command that asks once and ends: an index of every contact is built for the one question. A screen that
  /// searches with every key keeps its ``BookSearch``.
  /// - Parameters:
  ///   - query: the words, in the language of `SearchQuery`.
  ///   - fuzzy: takes sounds that are often confused as one.
  ///   - t9: lets digits also stand for the letters on a phone's keys.
  ///   - withEmail: true for contacts with an email address only, which is quicker.
  ///   - explaining: true to say where each contact matches, which takes longer.
  public func find(
    _ query: String, fuzzy: Bool = false, t9: Bool = false, withEmail: Bool = false, explaining: Bool = false
  ) throws(StoreError) -> [FoundContact] {
    let options = SearchOptions(fuzzy: fuzzy, t9: t9)
    return try store.read { db in
      let index = SearchIndex()
      let documents = try SearchDocuments(db, withEmail: withEmail)
      index.rebuild(from: documents)
      if let error = documents.error { throw error }
      let hits = index.search(SearchQuery(query, options: options), limit: index.count)
      guard explaining else { return hits.map { FoundContact(id: $0.id, score: $0.score, matches: []) } }
      var found: [FoundContact] = []
      found.reserveCapacity(hits.count)
      let loader = ContactLoader(db)
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
}
