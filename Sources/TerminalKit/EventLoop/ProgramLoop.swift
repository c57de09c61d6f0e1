/// What screens ask of the loop that runs them; tests have one of their own.
@MainActor
public protocol ProgramLoop: AnyObject, Sendable {
  /// Has work done on the main thread soon, from any thread.
  nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void)
  /// Has work done once after so many milliseconds.
  @discardableResult
  func schedule(after milliseconds: Int, _ work: @escaping @MainActor () -> Void) -> TimerID
  /// Drops a timer; nothing happens if it is gone already.
  func cancel(_ timer: TimerID)
  /// Stops the program until the shell continues it.
  func suspend()
  /// Ends the program after this event.
  func stop()
}

/// Names a timer of a ``ProgramLoop``.
public struct TimerID: Hashable, Sendable {
  let number: Int

  /// The timer of that number, for loops that are not an ``EventLoop``.
  public init(number: Int) { self.number = number }
}

extension EventLoop: ProgramLoop {}
