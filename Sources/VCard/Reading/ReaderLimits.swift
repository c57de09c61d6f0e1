/// How much a reader takes before it says no. Every limit counts bytes of UTF-8 or lines.
public struct ReaderLimits: Sendable, Hashable {
  /// Longest property, unfolded: 64 MiB by default, a photo of 48 MB.
  public var lineBytes = 64 << 20
  /// Longest card: 256 MiB by default.
  public var cardBytes = 256 << 20
  /// Most properties of a card: 100 000 by default.
  public var cardLines = 100_000
  /// Most problems of a card that are told one by one: 100 by default; the rest is counted.
  public var cardProblems = 100
  /// Most text outside cards between two of them: 4 MiB by default. `/dev/zero` ends there.
  public var strayBytes = 4 << 20

  /// The default limits.
  public init() {}
}
