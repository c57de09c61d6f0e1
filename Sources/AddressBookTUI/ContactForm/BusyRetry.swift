import TerminalKit

/// Repeats a save while another program or thread is writing to the book, for as long as the command line would wait
/// for another program.
@MainActor
final class BusyRetry {
  private let loop: any ProgramLoop
  /// The number of repeated tries so far, including the one that waits; 0 if none waits.
  private var tries = 0
  /// About eight seconds, including the time of each try.
  private static let maximumTries = 16
  /// Milliseconds between two tries.
  private static let interval = 300

  init(loop: any ProgramLoop) {
    self.loop = loop
  }

  /// True between the first failed try and the end of the last.
  var isWaiting: Bool { tries > 0 }

  /// Calls the action after a moment, unless ``stop()`` is called first.
  /// - Returns: false if there were already too many tries; then the action is not called.
  func schedule(_ action: @escaping @MainActor () -> Void) -> Bool {
    guard tries < Self.maximumTries else { return false }
    tries += 1
    loop.schedule(after: Self.interval) { [weak self] in
      if let self, isWaiting { action() }
    }
    return true
  }

  func stop() { tries = 0 }
}
