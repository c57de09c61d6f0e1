/// A contact that a query found, how well, and where.
public struct FoundContact: Hashable, Sendable, Identifiable {
  /// Row of the contact.
  public let id: Int64
  /// How well it matches, 0 to 1; higher is better.
  public let score: Double
  /// Where it matches, the best field of each term; empty unless that was asked for.
  public let matches: [ContactMatch]

  init(id: Int64, score: Double, matches: [ContactMatch]) {
    self.id = id
    self.score = score
    self.matches = matches
  }

  /// One that no words were asked for, only a condition: it matches as well as any other.
  public init(id: Int64) { self.init(id: id, score: 1, matches: []) }
}
