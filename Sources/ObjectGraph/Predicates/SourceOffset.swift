/// Where in its text a part of a predicate began, in Unicode scalars from 0; nil for what was built by operators.
///
/// It says where an error is and is no part of the meaning, so all offsets are equal: two predicates that say the same are
/// equal, wherever their parts stood.
public struct SourceOffset: Codable, Hashable, Sendable {
  /// The offset in Unicode scalars.
  public let scalars: Int?

  /// An offset, or none.
  public init(_ scalars: Int? = nil) {
    self.scalars = scalars
  }

  /// Always true.
  public static func == (left: SourceOffset, right: SourceOffset) -> Bool { true }

  /// Adds nothing.
  public func hash(into hasher: inout Hasher) {}
}
