/// A contact found by a query, with its score and matches.
public struct FoundContact: Hashable, Sendable, Identifiable {
  /// Id of the contact.
  public let id: Int64
  /// How well it matches, 0 to 1; higher is better.
  public let score: Double
  /// Where it matches, in the best field of each term; empty unless requested.
  public let matches: [ContactMatch]
  /// True if it matches only without one typing error.
  public let isCorrected: Bool

  init(id: Int64, score: Double, matches: [ContactMatch], isCorrected: Bool = false) {
    self.id = id
    self.score = score
    self.matches = matches
    self.isCorrected = isCorrected
  }

  /// A contact found by a condition alone: all match equally well.
  public init(id: Int64) { self.init(id: id, score: 1, matches: []) }
}
