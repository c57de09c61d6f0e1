/// The result of an import: ``imported`` + ``updated`` + ``skipped`` is the number of cards that were read.
public struct ImportReport: Hashable, Sendable {
  /// Cards that became new contacts or groups, or restored deleted ones.
  public internal(set) var imported = 0
  /// Cards that changed a contact or a group of the book.
  public internal(set) var updated = 0
  /// Cards that are already in the book, unchanged.
  public internal(set) var unchanged = 0
  /// Cards that could not be imported, such as empty ones.
  public internal(set) var unreadable = 0

  /// Cards that changed nothing: ``unchanged`` and ``unreadable`` ones.
  public var skipped: Int { unchanged + unreadable }
  /// Cards that were read.
  public var cards: Int { imported + updated + skipped }
}

/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
  /// Cards read so far.
  public let cards: Int
  /// The fraction of the input that was read, 0 to 1; nil if its size is unknown.
  public let fraction: Double?
}
