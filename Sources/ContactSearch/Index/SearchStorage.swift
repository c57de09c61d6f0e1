import IDSets

/// The contents of an index, used by one thread at a time.
struct SearchStorage {
  private(set) var lexicon: Lexicon
  private(set) var contacts: PackedContacts
  private var encoder = DocumentEncoder()
  /// The document that is put, kept for its memory.
  private var single = SearchDocumentBatch()
  /// A counter that every change increments; row numbers are only valid within one generation.
  private(set) var generation = 0

  init(lexicon: Lexicon = Lexicon(), contacts: PackedContacts = PackedContacts()) {
    self.lexicon = lexicon
    self.contacts = contacts
  }

  mutating func put(_ document: SearchDocument) {
    single.removeAll()
    single.append(document)
    put(single)
  }

  mutating func put(_ batch: SearchDocumentBatch) {
    for number in batch.documents.indices {
      encoder.encode(number, of: batch, into: &lexicon)
      contacts.put(id: batch.documents[number].id, presence: batch.documents[number].presence, encoder)
      generation += 1
      if contacts.needsPacking { contacts = contacts.packed() }
    }
  }

  mutating func remove(_ id: Int64) {
    contacts.remove(id)
    generation += 1
    if contacts.needsPacking { contacts = contacts.packed() }
  }

  /// Sorts the rows and drops dead ones, or shrinks their arrays if there is nothing to sort or drop; releases the
  /// lexicon's spare capacity and data that is only needed for building.
  mutating func pack() {
    if contacts.isPacked { contacts.shrink() } else { contacts = contacts.packed() }
    lexicon.shrink()
    encoder = DocumentEncoder()
    generation += 1
  }

  /// Whether there is nothing to pack.
  var isPacked: Bool { contacts.isPacked }

  /// Moves the generation past that of the storage that this one replaces, whose row numbers are no longer valid.
  mutating func follow(_ earlier: Int) { generation += earlier + 1 }

  /// Returns the rows that match a query, in ascending order; nil if canceled.
  /// - Parameters:
  ///   - among: only these rows are checked.
  ///   - known: terms that all of them match.
  func rows(
    _ plan: QueryPlan, among: [UInt32]? = nil, known: [SearchTerm] = [], isCancelled: @escaping () -> Bool
  ) -> [UInt32]? {
    if plan.query.isTooLong { return [] }
    return contacts.withView { view in
      // A long list is checked faster in passes over the flat arrays, even if they read other rows.
      var rows = among.flatMap { $0.count < view.rowCount / 16 ? $0 : nil }
      var found = among.map { RowSet($0, below: view.rowCount) } ?? .all(view.rowCount)
      if among == nil { found.subtract(contacts.dead) }
      var isFirst = true
      for number in plan.order {
        let term = plan.query.terms[number]
        if among != nil, known.contains(term) { continue }
        if rows == nil, !isFirst {
          let count = found.count
          // Checking one row alone costs as much as several dozen in a full pass.
          if count < view.rowCount / 40 { rows = found.rows() }
        }
        if rows?.isEmpty == true { return [] }
        switch term.condition {
        case .has(let presence):
          if let some = rows {
            rows = some.filter { (view.presences[Int($0)] & presence.rawValue != 0) != term.isNegated }
          } else {
            found.keep { (view.presences[$0] & presence.rawValue != 0) != term.isNegated }
          }
        case .text(let text):
          let scan = RowScan(text, plan.compiled(number, lexicon), contacts: view, isCancelled: isCancelled)
          if let some = rows {
            rows = scan.filter(some, isNegated: term.isNegated)
          } else if term.isNegated {
            found.subtract(scan.all(among: found))
          } else {
            found = scan.all(among: found) { plan.textRows[number] = $0 }
          }
        }
        isFirst = false
        if isCancelled() { return nil }
      }
      return rows ?? found.rows()
    }
  }

  /// Turns rows into a result: all ids, and the best ones.
  func result(
    _ rows: [UInt32], of plan: QueryPlan, limit: Int, keepsTies: Bool = false, isCancelled: () -> Bool
  ) -> SearchResult {
    contacts.withView { view in
      withExtendedLifetime((lexicon, plan)) {
        rows.withUnsafeBufferPointer { rows in
          let ranking = Ranking(
            plan.rankingTerms(lexicon), contacts: view, lexicon: lexicon, kinds: lexicon.kinds.view,
            isSorted: contacts.isSorted)
          let best = ranking.best(rows, limit: limit, keepsTies: keepsTies, isCancelled: isCancelled)
          return SearchResult(matches: IDSet(rows, of: view.ids, isAscending: contacts.isSorted), best: best)
        }
      }
    }
  }
}

/// A query whose terms are compared with a lexicon on first use.
final class QueryPlan {
  let query: SearchQuery
  /// The indexes of the terms, fastest and most selective first.
  let order: [Int]
  private var terms: [Int: CompiledTerm] = [:]
  /// The rows whose tokens match a term, among those that were compared with it, keyed by the index of the term.
  var textRows: [Int: RowSet] = [:]

  init(_ query: SearchQuery) {
    self.query = query
    func effort(_ term: SearchTerm) -> Int {
      guard case .text(let text) = term.condition else { return 0 }
      return term.isNegated ? 100 : 99 - min(64, text.pattern?.letters.count ?? 0)
    }
    let efforts = query.terms.map(effort)
    order = query.terms.indices.sorted { (efforts[$0], $0) < (efforts[$1], $1) }
  }

  /// Returns the compiled text term with this index; nil if it has no letters to compare.
  func compiled(_ number: Int, _ lexicon: Lexicon) -> CompiledTerm? {
    if let known = terms[number] { return known }
    guard case .text(let text) = query.terms[number].condition, let pattern = text.pattern else { return nil }
    let compiled = CompiledTerm(pattern, fields: text.fields, lexicon: lexicon)
    terms[number] = compiled
    return compiled
  }

  /// Returns the text terms that are not negated; only these rank contacts.
  func rankingTerms(_ lexicon: Lexicon) -> [Ranking.Term] {
    query.terms.indices.compactMap { number in
      guard !query.terms[number].isNegated, case .text(let text) = query.terms[number].condition else { return nil }
      return Ranking.Term(text: text, compiled: compiled(number, lexicon), textRows: textRows[number])
    }
  }
}

/// Storing an index as plain memory, for example in a file, and loading it without rebuilding.
extension SearchIndex {
  /// The version of the stored format: how texts are split, folded, packed and hashed. Increase it when any of them
  /// changes.
  public static let storedVersion = 8

  /// The number of parts of a stored index.
  public static let storedPartCount = PackedContacts.partCount + Lexicon.partCount

  /// Calls `body` with the parts to store, which are only valid inside it. Returns nil if there are changes that the
  /// parts do not include; call ``pack()`` first.
  public func withStoredParts<Result>(_ body: ([UnsafeRawBufferPointer]) throws -> Result) rethrows -> Result? {
    // A copy shares the memory; a change in the meantime moves the index to new memory.
    let storage = storage.withLock { $0 }
    guard storage.isPacked else { return nil }
    let readings = storage.lexicon.readings.stored()
    return try readings.spellings.withUnsafeBytes { spellings in
      try readings.sets.withUnsafeBytes { sets in
        try withExtendedLifetime(storage) {
          try body(storage.contacts.parts + storage.lexicon.parts + [spellings, sets])
        }
      }
    }
  }

  /// Replaces the contents with a stored index, which uses the memory of the parts.
  /// - Returns: false if the parts are not a valid index; then nothing is replaced. Every offset in them is checked, so
  ///   that a wrong one is found now and not by a later search.
  public func load(_ parts: [IndexMemory]) -> Bool {
    guard parts.count == SearchIndex.storedPartCount, let stored = SearchStorage(parts: parts) else { return false }
    replace(by: stored)
    return true
  }

  /// Sorts the rows, and frees the memory of removed ones.
  public func pack() { storage.withLock { $0.pack() } }
}

extension SearchStorage {
  fileprivate init?(parts: [IndexMemory]) {
    guard let lexicon = Lexicon(parts: parts[PackedContacts.partCount...]),
      let contacts = PackedContacts(parts: parts[..<PackedContacts.partCount], entries: lexicon.count)
    else { return nil }
    self.init(lexicon: lexicon, contacts: contacts)
  }
}
