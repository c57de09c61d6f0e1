import Glibc
import Synchronization

/// Control-C as a request that long commands check, so that they can roll back. A second one ends the program
/// at once, which does not damage the book.
enum Interruption {
  private static let requested = Atomic<Bool>(false)

  /// True after the first Control-C or SIGTERM.
  static var wasRequested: Bool { requested.load(ordering: .relaxed) }

  /// Makes the first Control-C (or SIGTERM) a request from now on.
  static func watch() {
    // Initialize it now: that is not safe inside a signal handler.
    _ = wasRequested
    for signal in [SIGINT, SIGTERM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in Interruption.requested.store(true, ordering: .relaxed) }
      // Without SA_RESTART, a blocking read is interrupted.
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(signal, &action, nil)
    }
    // The program inherits blocked signals from its parent.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigprocmask(SIG_UNBLOCK, &signals, nil)
  }
}
