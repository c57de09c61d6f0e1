/// A contact that a query found, how well, and where.
public struct FoundContact: Hashable, Sendable, Identifiable {
  /// A field that matches.
  public struct Field: Hashable, Sendable {
    /// Key of the field in a contact's JSON: `name`, `phones[0]`.
    public let field: String
    /// What matches: half-open ranges of code points of the field's text in normalization form C.
    public let ranges: [Range<Int>]
  }

  /// Row of the contact.
  public let id: Int64
  /// How well it matches, 0 to 1; higher is better.
  public let score: Double
  /// Where it matches, the best field of each term.
  public let matches: [Field]
}
