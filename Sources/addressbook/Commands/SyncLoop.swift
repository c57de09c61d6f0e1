import AddressBookModel
import FolderSync
import Foundation

/// `addressbook sync --watch`: syncs whenever the book or a folder changes, and at least every quarter of an hour,
/// until Control-C.
struct SyncLoop {
  let command: SyncCommand
  let book: AddressBook
  /// Empty if a folder is synced.
  let accounts: [AccountSync]
  /// The maximum number of milliseconds until the next sync, and until the next attempt after a failure.
  private static let serverInterval = 15 * 60 * 1000
  private static let retryInterval = 30 * 1000

  func run() throws {
    let watcher: SyncWatcher
    do {
      watcher = try SyncWatcher(book: book)
    } catch let error as SyncError {
      throw CommandFailure(.failed, error.message(in: .shared))
    }
    defer { withExtendedLifetime(watcher) {} }
    let watch: FolderWatch
    do throws(SyncError) { watch = try FolderWatch() } catch {
      throw CommandFailure(.failed, error.message(in: .shared))
    }
    StandardError.line(strings(command.folder == nil ? "Sync/watching" : "Sync/watchingFolder"))
    var lastFailure = ""
    var nextDiscovery = Date.distantPast
    while !Interruption.wasRequested {
      if let folder = book.location.folder { watch.add(folder) }
      for path in folders { watch.add(path) }
      let discovers = Date() >= nextDiscovery
      if discovers { nextDiscovery = Date().addingTimeInterval(Double(Self.serverInterval) / 1000) }
      let failure = syncOnce(discovers: discovers)
      if Interruption.wasRequested { break }
      // A repeated failure is printed once.
      if !failure.isEmpty, failure != lastFailure { StandardError.say(failure) }
      lastFailure = failure
      let timeout = !failure.isEmpty ? Self.retryInterval : Self.serverInterval
      _ = watch.wait(timeout: timeout) { Interruption.wasRequested }
    }
    StandardError.line(strings("Sync/watchEnded"))
  }

  private var folders: [String] {
    command.folder.map { [$0] } ?? accounts.flatMap { $0.folder.cardFolders(of: $0.account) }
  }

  /// - Returns: the message of a failure; empty if there is none.
  private func syncOnce(discovers: Bool) -> String {
    if let folder = command.folder {
      do throws(CommandFailure) {
        _ = try command.sync(folder, book, quietly: true)
        return ""
      } catch {
        return error.message
      }
    }
    return AccountSync.sync(accounts, command, book, discovers: discovers, quietly: true).failures.map(\.message)
      .joined(separator: "\n")
  }
}
