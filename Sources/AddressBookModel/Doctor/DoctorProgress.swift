/// What the doctor does at the moment, and how it learns that it should stop.
public struct DoctorProgress {
  /// A part of the work.
  public enum Stage: String, Sendable, CaseIterable {
    /// SQLite's check of the file.
    case structure
    /// Contacts against their checksums, and what is derived of them.
    case contacts
    /// The history.
    case history
    /// Reading page by page what can be read.
    case salvage
    /// Mending.
    case repair
  }

  /// Called now and then, from the thread that works, with the share of the stage that is done, 0 to 1; nil where it is unknown.
  public var onProgress: (Stage, Double?) -> Void
  /// Asked often; true ends the work with `StoreError.cancelled`, and nothing is changed.
  public var isCancelled: () -> Bool

  /// A progress.
  public init(
    onProgress: @escaping (Stage, Double?) -> Void = { _, _ in }, isCancelled: @escaping () -> Bool = { false }
  ) {
    self.onProgress = onProgress
    self.isCancelled = isCancelled
  }

  func check() throws { if isCancelled() { throw CancellationError() } }
}
