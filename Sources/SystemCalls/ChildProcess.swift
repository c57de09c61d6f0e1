import Glibc

/// A program that this one started, and waits for.
public final class ChildProcess {
  /// Whether a program can use the terminal of this one.
  public enum Terminal: Sendable {
    /// It is in the process group of this program: it may ask on the terminal, and Control-C ends it too.
    /// (Foundation's `Process` starts a group of its own, and a program in the background that reads from the terminal
    /// is stopped.)
    case shared
    /// It has a session of its own, in which there is no terminal to ask on.
    case none
  }

  private let id: pid_t
  /// Nil while the program runs.
  private var end: End?

  /// How a program ended.
  public enum End: Equatable, Sendable {
    /// With this exit status, or 128 plus the number of the signal that ended it.
    case status(Int32)
    /// Nobody knows, because this program ignores `SIGCHLD`.
    case unknown
  }

  /// Starts a program, without a shell, with no signal blocked, and with the defaults for SIGPIPE and SIGXFSZ.
  /// - Parameters:
  ///   - words: its path or a name on `PATH`, and its arguments; at least one, and none with NUL.
  ///   - environment: its environment; nil for that of this program.
  ///   - descriptors: open descriptors for its standard ones; a standard one that is not named is inherited.
  ///   - terminal: whether it can use the terminal; without one, its other standard descriptors are `/dev/null`.
  /// - Throws: `FileFailure` if it does not start.
  public init(
    _ words: [String], environment: [String: String]? = nil, descriptors: [(source: Int32, target: Int32)],
    terminal: Terminal
  ) throws(FileFailure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (source, target) in descriptors { posix_spawn_file_actions_adddup2(&actions, source, target) }
    // A program may ignore these signals, and its threads may block any.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    if terminal == .none {
      flags |= Self.newSession
      for descriptor in STDIN_FILENO...STDERR_FILENO where !descriptors.contains(where: { $0.target == descriptor }) {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let arguments = words.map { strdup($0) }
    let variables = environment?.map { strdup($0.key + "=" + $0.value) }
    defer { for text in arguments + (variables ?? []) { free(text) } }
    var process: pid_t = 0
    let code =
      if let variables {
        posix_spawnp(&process, words[0], &actions, &attributes, arguments + [nil], variables + [nil])
      } else {
        posix_spawnp(&process, words[0], &actions, &attributes, arguments + [nil], environ)
      }
    guard code == 0 else { throw FileFailure(words[0], code) }
    id = process
  }

  /// Starts a program that uses the terminal of this one, even if a standard descriptor is a pipe.
  public convenience init(onTerminal words: [String]) throws(FileFailure) {
    let device = open("/dev/tty", O_RDWR | O_CLOEXEC)
    defer { if device >= 0 { close(device) } }
    let descriptors = device < 0 ? [] : (STDIN_FILENO...STDERR_FILENO).map { (source: device, target: $0) }
    try self.init(words, descriptors: descriptors, terminal: .shared)
  }

  /// `POSIX_SPAWN_SETSID`, which Swift does not import.
  private static let newSession: Int32 = 0x80

  /// Waits for the program to end.
  public func wait() -> End { ended(0) ?? .unknown }

  /// Waits for the program to end.
  /// - Parameter whenStopped: called each time the program is stopped, as by Control-Z.
  public func wait(whenStopped: () -> Void) -> End {
    while true {
      if let end = ended(WUNTRACED) { return end }
      whenStopped()
    }
  }

  /// How the program ended; nil while it runs.
  public func poll() -> End? { ended(WNOHANG) }

  private func ended(_ options: Int32) -> End? {
    if let end { return end }
    var status: Int32 = 0
    var found = waitpid(id, &status, options)
    while found < 0, errno == EINTR { found = waitpid(id, &status, options) }
    // It still runs, or is stopped.
    if found == 0 || found > 0 && status & 0xFF == 0x7F { return nil }
    end = found < 0 ? .unknown : .status(status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
    return end
  }

  /// Asks the program to end, even if it is stopped.
  public func terminate() {
    guard end == nil else { return }
    kill(id, SIGTERM)
    kill(id, SIGCONT)
  }

  /// Runs a program to its end.
  /// - Parameter limit: once the output is so long, the rest is read and dropped.
  /// - Returns: what it wrote to standard output, and how it ended.
  /// - Throws: `FileFailure` if it does not start.
  public static func run(
    _ words: [String], terminal: Terminal, limit: Int = .max
  ) throws(FileFailure) -> (output: [UInt8], end: End) {
    let pipe = try pipe()
    defer { close(pipe.read) }
    let started = Result { () throws(FileFailure) in
      try ChildProcess(words, descriptors: [(pipe.write, STDOUT_FILENO)], terminal: terminal)
    }
    // Only the program has the other end now.
    close(pipe.write)
    let process = try started.get()
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    while case let count = read(pipe.read, &chunk, chunk.count), count > 0 || count < 0 && errno == EINTR {
      if output.count < limit { output += chunk[..<max(0, count)] }
    }
    return (output, process.wait())
  }

  /// Returns a pipe whose ends no other program inherits.
  public static func pipe() throws(FileFailure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw FileFailure("pipe", errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
