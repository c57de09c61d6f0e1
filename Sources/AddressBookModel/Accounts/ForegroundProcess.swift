import Glibc

/// Another program in the process group of this one: it may ask on the terminal, and Control-C ends it too.
///
/// Foundation's `Process` starts a group of its own, and a program in the background that reads from the terminal is
/// stopped.
final class ForegroundProcess {
  private let id: pid_t
  private var status: Int32?

  /// Starts a program.
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - arguments: without its name.
  ///   - output: a descriptor for its standard output and standard error.
  /// - Throws: the value of `errno`.
  init(
    path: String, arguments: [String], environment: [String: String], input: Int32, output: Int32
  ) throws(Errno) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (source, target) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (output, STDERR_FILENO)] {
      posix_spawn_file_actions_adddup2(&actions, source, target)
    }
    // This program ignores some signals, and its threads may block any: the new process gets the defaults.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let words = ([path] + arguments).map { strdup($0) }
    let variables = environment.map { strdup($0.key + "=" + $0.value) }
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, words + [nil], variables + [nil])
    guard code == 0 else { throw Errno(code: code) }
    id = process
  }

  /// The value of `errno`.
  struct Errno: Error { let code: Int32 }

  /// Returns the status with which the program ended, or 128 plus the number of the signal that ended it, or 255 if this
  /// is unknown because `SIGCHLD` is ignored; nil while it runs.
  func exitStatus() -> Int32? {
    if let status { return status }
    var ended: Int32 = 0
    let found = waitpid(id, &ended, WNOHANG)
    if found == 0 || found < 0 && errno == EINTR { return nil }
    status = found < 0 ? 255 : ended & 0x7F == 0 ? ended >> 8 & 0xFF : 128 + ended & 0x7F
    return status
  }

  /// Asks the program to end, even if it is stopped.
  func terminate() {
    guard status == nil else { return }
    kill(id, SIGTERM)
    kill(id, SIGCONT)
  }
}
