import Glibc

/// Another program that runs beside this one and has nothing of its terminal, such as a browser.
///
/// It is found on `PATH` and started without a shell, in a session of its own, so that it neither gets the terminal's keys
/// and signals nor ends with it. Only `/dev/null` is open in it, and no signal is blocked or ignored.
public enum DetachedProgram {
  /// Why it did not start: the number of the system's error, such as `ENOENT`.
  public struct Failure: Error, Equatable {
    /// As in `errno`.
    public let code: Int32

    /// From a number of `errno`.
    public init(code: Int32) { self.code = code }
  }

  /// Starts a program and does not wait for it.
  /// - Parameters:
  ///   - arguments: its name or path, and what it gets; none holds a NUL.
  ///   - failed: called on another thread with the exit status, when it ends by itself and the status is not 0.
  public static func start(
    _ arguments: [String], failed: @escaping @Sendable (_ status: Int32) -> Void
  ) throws(Failure) {
    // The statuses from 128 on are those of signals, as when the person ended the program.
    try start(arguments, input: nil) { status in if (1..<128).contains(status) { failed(status) } }
  }

  /// Starts a program that reads a text, and does not wait for it.
  /// - Parameters:
  ///   - arguments: its name or path, and what it gets; none holds a NUL.
  ///   - input: its standard input; nil for none.
  ///   - ended: called on another thread with the exit status, 128 and the number of the signal that ended it.
  public static func start(
    _ arguments: [String], input: String?, ended: @escaping @Sendable (_ status: Int32) -> Void
  ) throws(Failure) {
    guard let first = arguments.first, !first.isEmpty else { throw Failure(code: ENOENT) }
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    guard !pointers.contains(nil) else { throw Failure(code: ENOMEM) }
    pointers.append(nil)
    var process: pid_t = 0
    let code = TerminalGuard.spawnDetached(&pointers, input: input, &process)
    guard code == 0 else { throw Failure(code: code) }
    reap(process, ended)
  }

  /// Waits for the end on a thread of its own, which may be in hours. Where there is no thread to be had, the process is
  /// taken off the system's table when this program ends.
  private static func reap(_ process: pid_t, _ ended: @escaping @Sendable (Int32) -> Void) {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let child = Unmanaged.passRetained(Child(process, ended))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { pointer in
        guard let pointer else { return nil }
        TerminalGuard.coverThread()
        Unmanaged<Child>.fromOpaque(pointer).takeRetainedValue().wait()
        return nil
      }, child.toOpaque())
    if code != 0 { child.release() }
  }

  private final class Child: Sendable {
    private let process: pid_t
    private let ended: @Sendable (Int32) -> Void

    init(_ process: pid_t, _ ended: @escaping @Sendable (Int32) -> Void) {
      self.process = process
      self.ended = ended
    }

    func wait() {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 {
        // `ECHILD` where the parent of this program had the ends of children ignored: then nothing is to be told.
        guard errno == EINTR else { return }
      }
      let signal = status & 0x7F
      ended(signal == 0 ? status >> 8 & 0xFF : 128 + signal)
    }
  }
}
