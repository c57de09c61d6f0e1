import Glibc

/// Another program, such as a browser, that is started without access to this terminal.
///
/// The program is found on `PATH` and started without a shell, in its own session: it neither gets the terminal's keys
/// and signals nor ends with the terminal. Its only open files are its input and `/dev/null`, and no signal is blocked
/// or ignored.
public enum DetachedProgram {
  /// Why the program did not start: an error number such as `ENOENT`.
  public struct Failure: Error, Equatable {
    /// The value of `errno`.
    public let code: Int32

    /// Creates a failure with this `errno`.
    public init(code: Int32) { self.code = code }
  }

  /// Starts a program without waiting for it.
  /// - Parameters:
  ///   - arguments: its name or path, followed by its arguments; none contains NUL.
  ///   - failed: called on another thread with the exit status, if it is from 1 to 127.
  public static func start(
    _ arguments: [String], failed: @escaping @Sendable (_ status: Int32) -> Void
  ) throws(Failure) {
    // Statuses from 128 usually mean a signal, for example when the user killed the program.
    try start(arguments, input: nil) { status in if (1..<128).contains(status) { failed(status) } }
  }

  /// Starts a program that reads text, without waiting for it.
  /// - Parameters:
  ///   - arguments: its name or path, followed by its arguments; none contains NUL.
  ///   - input: its standard input; nil for none.
  ///   - ended: called on another thread with the exit status, or 128 plus the number of the signal that ended it; not
  ///     called if the status is unavailable.
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

  /// Waits for the program to end, which may take hours, on a new thread. If no thread is available, the process
  /// remains a zombie until this program ends.
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
        // `ECHILD` if the parent of this program ignored SIGCHLD: then there is no status to report.
        guard errno == EINTR else { return }
      }
      let signal = status & 0x7F
      ended(signal == 0 ? status >> 8 & 0xFF : 128 + signal)
    }
  }
}
