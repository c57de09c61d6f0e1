import AddressBookModel
import BookInterchange
import Glibc
import Synchronization

/// A line on standard error with the progress of an import, a sync or an examination; shown only on a terminal.
final class ProgressBar {
  private var isShown = false
  private var nextUpdate = 0.0

  /// Redraws the line, at most ten times a second.
  func show(_ progress: ImportProgress) {
    show(strings("Import/progress", count: progress.cards), progress.fraction)
  }

  /// The same with any text.
  func show(_ text: @autoclosure () -> String, _ fraction: Double?) {
    guard StandardError.isTerminal else { return }
    let now = Self.seconds
    guard now >= nextUpdate else { return }
    nextUpdate = now + 0.1
    var line = text()
    if let fraction {
      let filled = Int(fraction * 24)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
      line = bar + " \(Int(fraction * 100))%  " + line
    }
    // Erase to the end of the line, because the previous text may have been longer.
    StandardError.write("\r" + line + "\u{1B}[K")
    isShown = true
  }

  /// Removes the line, to make room for a message.
  func clear() {
    guard isShown else { return }
    StandardError.write("\r\u{1B}[K")
    isShown = false
  }

  private static var seconds: Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}

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
