import SystemThreads

/// Shows that the system can provide the threads and descriptors that a screen and its searches need, and reserves the
/// threads.
public final class ScreenResources: Sendable {
  /// - Parameter work: run by one of the threads.
  /// - Returns: nil if the system cannot provide them.
  public init?(running work: @escaping @Sendable () -> Void) {
    guard StoreFile.canOpen(24), SystemThread.startReserve(4, running: work) else { return nil }
  }

  deinit { release() }

  /// Releases the threads, and waits until they have ended. Call it before anything runs in the background. May be
  /// called more than once.
  public func release() { SystemThread.releaseReserve() }
}
