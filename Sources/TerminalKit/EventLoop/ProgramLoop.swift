/// The part of a loop that screens use; tests have their own implementation.
@MainActor
public protocol ProgramLoop: AnyObject, Sendable {
  /// Runs work on the main thread soon; callable from any thread.
  nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void)
  /// Runs work once after that many milliseconds.
  @discardableResult
  func schedule(after milliseconds: Int, _ work: @escaping @MainActor () -> Void) -> TimerID
  /// Cancels a timer; ignored if it has already fired.
  func cancel(_ timer: TimerID)
  /// Stops the program until the shell continues it.
  func suspend()
  /// Ends the loop after the current event.
  func stop()
}

/// The identifier of a timer of a ``ProgramLoop``.
public struct TimerID: Hashable, Sendable {
  let number: Int

  /// Creates an identifier with that number, for loops other than ``EventLoop``.
  public init(number: Int) { self.number = number }
}

extension EventLoop: ProgramLoop {}
