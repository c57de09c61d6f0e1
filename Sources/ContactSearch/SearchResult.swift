import IDSets

/// A contact found by a query.
public struct SearchHit: Hashable, Sendable {
  /// The contact's id.
  public let id: Int64
  /// How well it matches, from 0 to 1; higher is better. 0 if the query has no text to rank by.
  public let score: Double

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
