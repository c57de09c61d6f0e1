import Glibc
import Synchronization

/// Control-C as a request that a long command looks at, so that it can undo what it began. A second one ends the program
/// at once, which the store survives.
enum Interruption {
  private static let requested = Atomic<Bool>(false)

  /// True once Control-C was pressed.
  static var wasRequested: Bool { requested.load(ordering: .relaxed) }

  /// From now on the first Control-C (or SIGTERM) is a request.
  static func watch() {
    // Touch it now: making it is not safe inside a signal handler.
    _ = wasRequested
    for signal in [SIGINT, SIGTERM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in Interruption.requested.store(true, ordering: .relaxed) }
      // Without SA_RESTART a read that waits is woken.
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(signal, &action, nil)
    }
    // A program started from a thread that blocks signals inherits that.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigprocmask(SIG_UNBLOCK, &signals, nil)
  }
}
