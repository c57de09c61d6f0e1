import CTerminalGuard
import Glibc

/// The handlers that restore the terminal however the program ends: by a crash, `exit`, or any signal except SIGKILL.
///
/// Creating an ``NcursesTerminal`` installs them; signals that the program handles itself are named in
/// ``NcursesTerminal/Options/hostSignals`` and left alone. The handlers are written in C, only use async-signal-safe
/// calls, and run on a stack of their own (``coverThread()``). A process has one terminal, so this is a namespace and
/// not an object.
public enum TerminalGuard {
  // Written by the handlers; lives as long as the process.
  private static let signals = Pipe()

  /// Installs the handlers, except for signals that the program handles itself, and returns the descriptor that signals
  /// are read from, one byte each. May be called again.
  static func install(leaving hostSignals: Set<Int32>) -> Int32 {
    var hosts = sigset_t()
    sigemptyset(&hosts)
    for signal in hostSignals { sigaddset(&hosts, signal) }
    _ = terminal_guard_install(signals.writeDescriptor, &hosts)
    return signals.readEnd
  }

  /// Runs a body that may replace signal handlers, then restores the handlers of these signals.
  static func keepingHandlers<Result, Failure: Error>(
    of signals: Set<Int32>, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = signals.map { signal in
      var action = sigaction()
      return (signal, sigaction(signal, nil, &action) == 0 ? action : nil)
    }
    defer {
      for case (let signal, var action?) in before { sigaction(signal, &action, nil) }
    }
    return try body()
  }

  /// Gives the calling thread a stack for the handlers: a crash then restores the terminal even if it is an overflow of
  /// the thread's own stack. Call it where work on another thread begins; repeated calls cost almost nothing.
  ///
  /// Every thread that calls ``EventLoop/post(_:)`` is covered from then on. Other threads, such as those of libraries,
  /// restore the terminal after any crash except a stack overflow. A thread without memory for a second stack continues
  /// without one.
  public static func coverThread() { _ = terminal_guard_cover_thread() }

  /// Makes a crash or `exit` write these bytes, at most 512, and set these modes. Must be called on the thread that
  /// draws.
  static func arm(descriptor: Int32, modes: termios, reset: [UInt8]) {
    var modes = modes
    reset.withUnsafeBytes { bytes in
      terminal_guard_arm(descriptor, &modes, bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count)
    }
  }

  /// Makes a crash or `exit` first write these bytes, which delete images; none if there are more than 512.
  static func armImages(_ deletion: [UInt8]) {
    deletion.withUnsafeBytes { bytes in
      terminal_guard_images(bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count)
    }
  }

  /// Disarms the handlers after the terminal was restored normally.
  static func disarm() { terminal_guard_disarm() }

  /// Restores the terminal now, if necessary: for exits that skip ``NcursesTerminal/restore()``.
  public static func restore() { terminal_guard_restore() }

  /// Restores the terminal and ends the process with a signal's default action: its parent gets the status that it
  /// expects after SIGTERM, SIGHUP, SIGINT or SIGQUIT. Save first: nothing else is cleaned up.
  public static func die(bySignal signal: Int32) -> Never { terminal_guard_die(signal) }

  /// Stops the process, or its whole group, as Ctrl-Z does, and returns when it is continued; at once if SIGTSTP is
  /// ignored.
  static func stop(wholeGroup: Bool) { terminal_guard_stop(wholeGroup ? 1 : 0) }

  /// Starts a program without access to the terminal, with text or nothing on its standard input. The arguments end
  /// with nil.
  /// - Returns: 0, or an error number.
  static func spawnDetached(
    _ arguments: inout [UnsafeMutablePointer<CChar>?], input: String?, _ process: inout pid_t
  ) -> Int32 {
    guard let input else { return terminal_guard_spawn_detached(&arguments, -1, &process) }
    let bytes = Array(input.utf8)
    let file = terminal_guard_memory_file(bytes, bytes.count)
    guard file >= 0 else { return errno }
    defer { _ = close(file) }
    return terminal_guard_spawn_detached(&arguments, file, &process)
  }

  /// Returns a pipe with non-blocking ends that are closed on exec; nil if no descriptors are left.
  static func makePipe() -> (readEnd: Int32, writeEnd: Int32)? {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) { bytes in
      terminal_guard_pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
    }
    return result == 0 ? ends : nil
  }
}
