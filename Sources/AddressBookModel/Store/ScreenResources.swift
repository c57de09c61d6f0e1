import ContactSearch

/// The threads and descriptors that a screen and its searches need: the system can provide them.
public final class ScreenResources: Sendable {
  /// - Parameter work: run by one of the threads.
  /// - Returns: nil if the system cannot provide them.
  public init?(running work: @escaping @Sendable () -> Void) {
    guard StoreFile.canOpen(24), SystemThread.startReserve(4, running: work) else { return nil }
  }

  deinit { release() }

  /// Lets go of the threads. Call it before anything runs in the background; it waits for their end. May be called
  /// again.
  public func release() { SystemThread.releaseReserve() }
}
