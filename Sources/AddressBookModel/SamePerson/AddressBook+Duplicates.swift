import Contacts
import GRDB

extension AddressBook {
  /// Returns groups of contacts that are probably the same, sorted by their lowest ids. Pairs that the user marked as
  /// different are left out. Call this on a background thread: a large book takes seconds.
  /// - Parameters:
  ///   - isCancelled: called often; true ends the work with `StoreError.cancelled`.
  ///   - onProgress: called from time to time with the completed fraction, 0 to 1.
  ///   - onFound: called from time to time with the pairs that were found since the last call.
  public func duplicates(
    isCancelled: () -> Bool = { false }, onProgress: (Double) -> Void = { _ in },
    onFound: ([DuplicatePair]) -> Void = { _ in }
  ) throws(StoreError) -> [DuplicateGroup] {
    do {
      return try store.withSnapshot { reader in
        try duplicates(
          in: DuplicatePages(reader: reader), isCancelled: isCancelled, onProgress: onProgress, onFound: onFound)
      }
    } catch {
      throw store.storeError(error)
    }
  }

  private func duplicates(
    in pages: DuplicatePages, isCancelled: () -> Bool, onProgress: (Double) -> Void, onFound: ([DuplicatePair]) -> Void
  ) throws -> [DuplicateGroup] {
    var index = DuplicateIndex()
    let total = max(1, try contactCount())
    var done = 0
    try pages.forEach { contacts in
      if isCancelled() { throw CancellationError() }
      for contact in contacts { index.add(contact) }
      done += contacts.count
      onProgress(min(1, Double(done) / Double(total)) * 0.7)
    }
    var finder = DuplicateFinder()
    try pages.forEach(of: index.takeCandidates()) { contacts in
      if isCancelled() { throw CancellationError() }
      for contact in contacts { finder.add(contact) }
    }
    onProgress(0.8)
    let apart = try pages.reader.read { try Self.notSamePairs($0) }
    func remaining(_ pairs: some Sequence<DuplicatePair>) -> [DuplicatePair] {
      pairs.filter { !apart.contains([$0.first, $0.second]) }
    }
    let pairs = try finder.pairs(
      isCancelled: isCancelled, onProgress: { onProgress(0.8 + $0 * 0.2) }, onFound: { onFound(remaining($0)) })
    return DuplicateGroup.groups(of: remaining(pairs))
  }

  /// The most contacts of one name: more than that many have a common name. And the most contacts in all.
  private static let (mostNamesakes, mostFound) = (6, 2000)

  /// Returns groups of contacts that have the same displayed name and nothing else in common, sorted by their lowest
  /// ids. Pairs with different birthdays, those that the user marked as different, and those in the given groups are
  /// left out. Call this on a background thread.
  /// - Parameter found: what ``duplicates(isCancelled:onProgress:onFound:)`` found.
  public func namesakes(besides found: [DuplicateGroup]) throws(StoreError) -> [DuplicateGroup] {
    var groups: [Int64: Int] = [:]
    for (number, group) in found.enumerated() { for id in group.ids { groups[id] = number } }
    return try store.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT contact.id, folded, birthday FROM contact JOIN (
            SELECT kind, lower(display_name) AS folded FROM contact
            WHERE +deleted_at IS NULL AND display_name <> '' GROUP BY kind, lower(display_name)
            HAVING count(*) BETWEEN 2 AND ?) AS shared
            ON shared.kind = contact.kind AND folded = lower(display_name)
          WHERE +deleted_at IS NULL ORDER BY folded, contact.id LIMIT ?
          """, arguments: [Self.mostNamesakes, Self.mostFound])
      let apart = try Self.notSamePairs(db)
      var pairs: [DuplicatePair] = []
      for (index, one) in rows.enumerated() {
        for other in rows[(index + 1)...].prefix(while: { $0.text(1) == one.text(1) }) {
          let (first, second) = (one.integer(0), other.integer(0))
          if let group = groups[first], group == groups[second] { continue }
          if apart.contains([first, second]) { continue }
          if let mine = PartialDate(one.text(2)), let theirs = PartialDate(other.text(2)), mine != theirs { continue }
          pairs.append(DuplicatePair(first: first, second: second, reasons: [.name]))
        }
      }
      return DuplicateGroup.groups(of: pairs)
    }
  }

  /// Returns the pairs of contacts that the user marked as different: their ids, the lower one first.
  private static func notSamePairs(_ db: Database) throws -> Set<[Int64]> {
    try Set(Row.fetchAll(db, sql: "SELECT first, second FROM not_same").map { [$0.integer(0), $0.integer(1)] })
  }

  /// Marks these contacts as not the same, whatever they share. This is not a step of the history, and the contacts can
  /// still be merged by hand.
  public func markNotSame(_ ids: [Int64]) throws(StoreError) {
    try store.write { db in
      let ids = Set(ids).sorted()
      for (index, first) in ids.enumerated() {
        for second in ids.dropFirst(index + 1) {
          try db.execute(
            sql: "INSERT INTO not_same (first, second) VALUES (?, ?) ON CONFLICT DO NOTHING",
            arguments: [first, second])
        }
      }
    }
  }

  /// Removes the marks that ``markNotSame(_:)`` set between these contacts.
  public func unmarkNotSame(_ ids: [Int64]) throws(StoreError) {
    try store.write { db in
      try db.execute(
        sql: """
          DELETE FROM not_same
          WHERE first IN (SELECT value FROM json_each(?1)) AND second IN (SELECT value FROM json_each(?1))
          """, arguments: [ContactLoader.json(ids)])
    }
  }
}

/// The contacts of a book, for comparison, a page at a time.
private struct DuplicatePages {
  let reader: any DatabaseReader
  private static let size = 2000

  /// Calls `body` with all contacts that are not deleted, in order of id.
  func forEach(_ body: ([Contact]) throws -> Void) throws {
    var pages = ContactIDPages(where: "deleted_at IS NULL", size: Self.size)
    while true {
      let contacts = try reader.read { db in
        try ContactLoader(db, parts: .compared).load(pages.next(db))
      }
      if contacts.isEmpty { return }
      try body(contacts)
    }
  }

  /// Calls `body` with the contacts that have these ids.
  func forEach(of ids: [Int64], _ body: ([Contact]) throws -> Void) throws {
    for page in ids.batches(of: Self.size) {
      try body(try reader.read { db in try ContactLoader(db, parts: .compared).load(page) })
    }
  }
}
