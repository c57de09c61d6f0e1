import SystemThreads

/// The threads and descriptors that a screen and its searches need: a check that the system can provide them, and a
/// reserve of the threads.
public final class ScreenResources: Sendable {
  /// - Parameter work: run by one of the threads.
  /// - Returns: nil if the system cannot provide the threads or the descriptors.
  public init?(running work: @escaping @Sendable () -> Void) {
    guard StoreFile.canOpen(24), SystemThread.startReserve(4, running: work) else { return nil }
  }

  deinit { release() }

  /// Releases the threads, and waits until they have ended. Call it before anything else runs in the background. It may
  /// be called more than once.
  public func release() { SystemThread.releaseReserve() }
}
