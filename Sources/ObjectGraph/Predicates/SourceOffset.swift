/// The offset of a part of a predicate in its text, in Unicode scalars from 0; nil if it was built with operators.
///
/// Offsets only locate errors and are not part of the meaning, so all offsets are equal: equal predicates stay equal,
/// wherever their parts are in the text.
public struct SourceOffset: Codable, Hashable, Sendable {
  /// The offset in Unicode scalars.
  public let scalars: Int?

  /// An offset, or none.
  public init(_ scalars: Int? = nil) {
    self.scalars = scalars
  }

  /// Always true.
  public static func == (left: SourceOffset, right: SourceOffset) -> Bool { true }

  /// Hashes nothing, because all offsets are equal.
  public func hash(into hasher: inout Hasher) {}
}
