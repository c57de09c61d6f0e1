/// The offset of a part of a predicate in its text, in Unicode scalars from 0; nil if the predicate was built with
/// operators.
///
/// Offsets only locate errors, so all offsets are equal: predicates that differ only in offsets are equal.
public struct SourceOffset: Codable, Hashable, Sendable {
  /// The offset in Unicode scalars.
  public let scalars: Int?

  /// Creates an offset, or none.
  public init(_ scalars: Int? = nil) {
    self.scalars = scalars
  }

  /// Returns true, because all offsets are equal.
  public static func == (left: SourceOffset, right: SourceOffset) -> Bool { true }

  /// Hashes nothing, because all offsets are equal.
  public func hash(into hasher: inout Hasher) {}
}
