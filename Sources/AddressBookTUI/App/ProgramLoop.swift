import TerminalKit

/// What screens ask of the loop that runs them; tests have one of their own.
@MainActor
protocol ProgramLoop: AnyObject, Sendable {
  /// Has work done on the main thread soon, from any thread.
  nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void)
  /// Has work done once after so many milliseconds.
  func schedule(after milliseconds: Int, _ work: @escaping @MainActor () -> Void)
  /// Stops the program until the shell continues it.
  func suspend()
  /// Ends the program after this event.
  func stop()
}

extension EventLoop: ProgramLoop {
  func schedule(after milliseconds: Int, _ work: @escaping @MainActor () -> Void) {
    let _: TimerID = schedule(after: milliseconds, work)
  }
}
