/// Reports what the doctor is doing, and tells it when to stop.
public struct DoctorProgress {
  /// A stage of the work.
  public enum Stage: String, Sendable, CaseIterable {
    /// SQLite's check of the file.
    case structure
    /// Comparing contacts with their checksums, and checking derived values.
    case contacts
    /// The history.
    case history
    /// Reading a damaged file page by page, and copying its rows to a new book.
    case salvage
    /// Repairing damaged contacts.
    case repair
  }

  /// Called from time to time, on the working thread, with the completed fraction of the stage, 0 to 1; nil if unknown.
  public var onProgress: (Stage, Double?) -> Void
  /// Called often; true ends the work with `StoreError.cancelled`. A repair that is not complete then changes nothing,
  /// but an older book may have been migrated.
  public var isCancelled: () -> Bool

  /// Creates a value that ignores progress and never stops the work, unless functions are given.
  public init(
    onProgress: @escaping (Stage, Double?) -> Void = { _, _ in }, isCancelled: @escaping () -> Bool = { false }
  ) {
    self.onProgress = onProgress
    self.isCancelled = isCancelled
  }

  func check() throws { if isCancelled() { throw CancellationError() } }
}
