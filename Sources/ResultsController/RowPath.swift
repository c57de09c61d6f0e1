/// A row's place in a sectioned list: the ordinal of its section and its place inside it, both from 0.
public struct RowPath: Hashable, Sendable, Comparable {
  /// The section's ordinal, from 0.
  public var section: Int
  /// The row's place inside the section, from 0.
  public var row: Int

  /// Makes a path; it is checked only when it is used.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// The order of the list: by section, then by row.
  public static func < (left: RowPath, right: RowPath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension RowPath: CustomStringConvertible {
  /// `[section, row]`.
  public var description: String { "[\(section), \(row)]" }
}
