/// Looser ways of matching, both off unless a person asks for them.
public struct SearchOptions: Hashable, Sendable {
  /// Sounds that many speakers do not tell apart are one: zh/z, ch/c, sh/s, final n/ng, initial l/n.
  public var fuzzy: Bool
  /// A digit also stands for the letters on its key of a phone: 5 is j, k or l (ITU-T E.161).
  public var t9: Bool

  /// The options; by default strict.
  public init(fuzzy: Bool = false, t9: Bool = false) {
    self.fuzzy = fuzzy
    self.t9 = t9
  }
}
