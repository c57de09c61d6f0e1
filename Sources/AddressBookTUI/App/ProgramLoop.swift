import TerminalKit

/// What screens ask of the loop that runs them; tests have one of their own.
@MainActor
protocol ProgramLoop: AnyObject, Sendable {
  /// Has work done on the main thread soon, from any thread.
  nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void)
  /// Stops the program until the shell continues it.
  func suspend()
  /// Ends the program after this event.
  func stop()
}

extension EventLoop: ProgramLoop {}
