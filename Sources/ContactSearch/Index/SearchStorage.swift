/// What an index holds, used by one thread at a time.
struct SearchStorage {
  private(set) var lexicon = Lexicon()
  private(set) var people = PackedPeople()
  private var encoder = DocumentEncoder()
  /// Counts changes; rows found under one number mean nothing under another.
  private(set) var generation = 0

  mutating func put(_ document: SearchDocument) {
    encoder.encode(document, into: &lexicon)
    people.put(id: document.id, presence: document.presence, encoder)
    generation += 1
    if people.needsPacking { people = people.packed() }
  }

  mutating func remove(_ id: Int64) {
    people.remove(id)
    generation += 1
    if people.needsPacking { people = people.packed() }
  }

  /// Gives back spare room and forgets what only building needs.
  mutating func pack() {
    people = people.packed()
    lexicon.shrink()
    encoder = DocumentEncoder()
    generation += 1
  }

  /// Takes over from a storage of another generation.
  mutating func follow(_ earlier: Int) { generation += earlier + 1 }

  /// The rows that match a query, ascending. With `among`, only those of its rows are looked at. Nil when cancelled.
  func rows(_ query: SearchQuery, among: [UInt32]? = nil, isCancelled: @escaping () -> Bool) -> [UInt32]? {
    if query.isTooLong { return [] }
    var rows = among
    var found = RowSet.all(among == nil ? people.rowCount : 0)
    if among == nil { found.subtract(people.dead) }
    for term in query.terms {
      if rows == nil {
        let count = found.count
        if count == 0 { return [] }
        // One by one costs about as much as forty rows of a pass over all.
        if count < people.rowCount / 40 { rows = found.rows() }
      } else if rows?.isEmpty == true {
        return []
      }
      switch term.condition {
      case .has(let presence):
        if let some = rows {
          rows = some.filter { (people.presences[Int($0)] & presence.rawValue != 0) != term.isNegated }
        } else {
          var having = RowSet(count: people.rowCount)
          for row in people.presences.indices where people.presences[row] & presence.rawValue != 0 { having.insert(row) }
          if term.isNegated { found.subtract(having) } else { found.formIntersection(having) }
        }
      case .text(let text):
        let scan = RowScan(text, people: people, lexicon: lexicon, isCancelled: isCancelled)
        if let some = rows {
          rows = scan.filter(some, isNegated: term.isNegated)
        } else if term.isNegated {
          found.subtract(scan.all())
        } else {
          found.formIntersection(scan.all())
        }
      }
      if isCancelled() { return nil }
    }
    return rows ?? found.rows()
  }

  /// Rows as a result: ids ascending, and the best ones.
  func result(_ rows: [UInt32], of query: SearchQuery, limit: Int, isCancelled: () -> Bool) -> SearchResult {
    var ids = [Int64](unsafeUninitializedCapacity: rows.count) { buffer, initialized in
      for row in rows { buffer.initializeElement(at: initialized, to: people.ids[Int(row)]); initialized += 1 }
    }
    if !people.isSorted { ids.sort() }
    if limit == 0 || rows.isEmpty { return SearchResult(ids: ids, best: []) }
    var ranking = Ranking(query.positiveTexts, people: people, lexicon: lexicon)
    return SearchResult(ids: ids, best: ranking.best(rows, limit: limit, isCancelled: isCancelled))
  }
}
