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

/// The source of keys and signals: the terminal, or a test.
@MainActor
public protocol InputSource: AnyObject {
  /// The descriptor that is readable when keyboard input is available.
  var keyboardDescriptor: Int32 { get }
  /// The descriptor that is readable when signals have arrived, one byte each with the signal's number; -1 for none.
  var signalDescriptor: Int32 { get }
  /// Stops this process as Ctrl-Z does, and returns when it is continued.
  ///
  /// - Parameter wholeGroup: also stop the other programs of the pipeline, as the terminal's own Ctrl-Z does.
  func stopProcess(wholeGroup: Bool)
  /// False while the program is in the background: it must then leave the terminal alone.
  var isInForeground: Bool { get }
}
