import IDSets

/// A search that is being typed: each further letter narrows the last result, and deleting a letter returns to the
/// earlier result without a search.
///
/// Narrowing is only used where it is correct: for a further letter of a positive term, or a further term. For other
/// changes (`-l` to `-li`, `8` to `+8`; `l` to `li`, because a single letter matches an email address or website only
/// at its beginning or after the `@`), and after a change to the index, the whole index is searched.
public struct SearchSession {
  private struct Level {
    var query: SearchQuery
    var rows: [UInt32]
    var generation: Int
    var result: SearchResult
    var limit: Int
    var keepsTies: Bool
  }

  private let index: SearchIndex
  private var levels: [Level] = []
  private static let maximumDepth = 64

  /// Creates a session without results.
  public init(_ index: SearchIndex) {
    self.index = index
  }

  /// Returns the result of the current query; nil if canceled.
  ///
  /// - Parameters:
  ///   - query: the current query, whether longer, shorter or new.
  ///   - limit: how many contacts to rank.
  ///   - keepsTies: see ``SearchIndex/find(_:ranking:keepingTies:isCancelled:)``.
  ///   - isCancelled: called repeatedly during the search.
  public mutating func update(
    _ query: SearchQuery, ranking limit: Int = 1, keepingTies keepsTies: Bool = false,
    isCancelled: @escaping () -> Bool = { false }
  ) -> SearchResult? {
    while let last = levels.last, !query.text.unicodeScalars.starts(with: last.query.text.unicodeScalars) {
      levels.removeLast()
    }
    let earlier = levels
    let level: Level? = index.withStorage { storage in
      let current = earlier.filter { $0.generation == storage.generation }
      // A space after a term, for example, changes nothing.
      if var last = current.last, last.query.hasSameTerms(as: query), last.limit >= limit,
        last.keepsTies == keepsTies
      {
        last.query = query
        return last
      }
      let plan = QueryPlan(query)
      let wider = current.last { query.narrows($0.query) }
      let known = current.last.flatMap { $0.query.hasSameTerms(as: query) ? $0.rows : nil }
      func search() -> [UInt32]? {
        storage.rows(plan, among: wider?.rows, known: wider?.query.terms ?? [], isCancelled: isCancelled)
      }
      guard let rows = known ?? search() else { return nil }
      let result = storage.result(rows, of: plan, limit: limit, keepsTies: keepsTies, isCancelled: isCancelled)
      // A ranking that was canceled may have left out some of the best.
      if isCancelled() { return nil }
      return Level(
        query: query, rows: rows, generation: storage.generation, result: result, limit: limit, keepsTies: keepsTies)
    }
    guard let level else { return nil }
    if levels.last?.query == query { levels.removeLast() }
    levels.append(level)
    if levels.count > SearchSession.maximumDepth { levels.removeFirst() }
    return keepsTies ? level.result : level.result.limited(to: limit)
  }
}

/// Looser ways of matching, both off by default.
public struct SearchOptions: Hashable, Sendable {
  /// Whether sounds that many speakers confuse match each other: zh/z, ch/c, sh/s, final n/ng, initial l/n.
  public var fuzzy: Bool
  /// Whether a digit matches the letters on its phone key: 5 matches j, k and l (ITU-T E.161).
  public var t9: Bool

  /// Creates options; by default, both are off.
  public init(fuzzy: Bool = false, t9: Bool = false) {
    self.fuzzy = fuzzy
    self.t9 = t9
  }
}

/// A contact found by a query.
public struct SearchHit: Hashable, Sendable {
  /// The contact's id.
  public let id: Int64
  /// How well it matches, from 0 to 1; higher is better. 0 if the query has no text to rank by.
  public let score: Double

  /// The most that the length of a match adds to the score, compared with that of the field.
  public static var lengthScore: Double { Double(PathFinder.shareBonus) / Ranking.highest }

  init(id: Int64, score: Double) {
    self.id = id
    self.score = score
  }
}

/// The contacts that a query found in an index.
public struct SearchResult: Sendable {
  /// All contacts found.
  public let matches: IDSet
  /// The best of them, best first, equally good ones by id: at most the requested number, or all that are as good as the
  /// best one.
  public let best: [SearchHit]

  /// The ids of all contacts found, in ascending order. Each access creates a new array.
  public var ids: [Int64] { matches.sorted() }

  /// The number of contacts found.
  public var count: Int { matches.count }

  /// Returns the same result with at most this many of the best.
  func limited(to limit: Int) -> SearchResult {
    best.count <= limit ? self : SearchResult(matches: matches, best: Array(best.prefix(limit)))
  }

  /// Returns whether a contact was found.
  public func contains(_ id: Int64) -> Bool { matches.contains(id) }
}
