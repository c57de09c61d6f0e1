import AddressBookModel
import FolderSync
import TerminalKit

/// Follows syncs by other processes: says how many contacts they changed, and whether `sync --watch` is running, and
/// takes over a new name of the displayed folder.
@MainActor
final class SyncFollowing {
  private let parts: BrowserParts
  /// The id of the newest history step seen so far; nil before ``start()``.
  private var lastStep: Int64?
  /// Milliseconds between checks whether `sync --watch` is running.
  private static let interval = 10_000

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Starts following; called after the first frame.
  func start() {
    lastStep = newestStep?.id ?? 0
    check()
  }

  /// Says how many contacts a sync changed, if it made the newest step and no other message is shown; called after
  /// anyone wrote contacts.
  func follow() {
    refreshFolder()
    guard let last = lastStep, let step = newestStep, step.id > last else { return }
    lastStep = step.id
    guard step.name.action == .sync, step.kind == .change, parts.status.message == nil else { return }
    parts.status.say(parts.environment.strings.count("status.synced", step.count))
  }

  private var newestStep: EditStep? {
    do {
      return try parts.environment.book.history(limit: 1).first
    } catch {
      // The list reports a book that cannot be read.
      return nil
    }
  }

  private func refreshFolder() {
    do {
      try parts.list.refreshFolder()
    } catch {
      // The list reports a book that cannot be read.
    }
  }

  private func check() {
    let environment = parts.environment
    refreshFolder()
    environment.isSyncing = SyncWatcher.isRunning(book: environment.book)
    environment.loop.schedule(after: Self.interval) { [weak self] in self?.check() }
  }
}
