@preconcurrency import Dispatch
import Glibc
import SystemCalls

/// Wakes when any process writes the database's files, with an inotify watch on their folder.
///
/// A wake only means that something may have been committed. A writer's frames reach the WAL before its commit becomes
/// visible, which happens in shared memory, where inotify sees nothing; so after a wake the engine checks again at
/// growing intervals for about eight seconds.
///
/// If no watch can be created, a timer wakes instead: the system limits inotify instances per user
/// (`fs.inotify.max_user_instances`).
final class ExternalChanges: Sendable {
  // Created once and canceled once; Dispatch sources may be used from any thread.
  private nonisolated(unsafe) let source: any DispatchSourceProtocol
  /// The polling interval without a watch, so that writes of others are seen within half a second.
  private static let pollingInterval = DispatchTimeInterval.milliseconds(400)

  /// Watches the files of a database. Nil if it has no file; then only commits of its own connection are seen.
  init?(path: String, queue: DispatchQueue, onWake: @escaping @Sendable () -> Void) {
    guard let (folder, name) = RealPath.of(path).map(Folder.split) else { return nil }
    let names: Set<String> = [name, name + "-wal", name + "-journal"]

    guard let watch = FileWatch(),
      watch.add(folder, IN_MODIFY, IN_CREATE, IN_DELETE, IN_MOVED_TO, IN_CLOSE_WRITE)
    else {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + Self.pollingInterval, repeating: Self.pollingInterval)
      timer.setEventHandler(handler: onWake)
      timer.resume()
      source = timer
      return
    }
    let reader = DispatchSource.makeReadSource(fileDescriptor: watch.descriptor, queue: queue)
    reader.setEventHandler {
      let isOurs = watch.next().contains { $0.mask & UInt32(IN_Q_OVERFLOW) != 0 || names.contains($0.name) }
      if isOurs { onWake() }
    }
    // The descriptor must stay open until then.
    reader.setCancelHandler { withExtendedLifetime(watch) {} }
    reader.resume()
    source = reader
  }

  deinit { source.cancel() }
}
