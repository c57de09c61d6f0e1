import Foundation

/// The output and exit status of a finished process.
public struct CommandResult: Sendable {
  /// The exit status; 128 plus the signal's number for a program that was ended by a signal.
  public var status: Int32
  /// Its standard output.
  public var output: String
  /// Its standard error.
  public var errors: String

  /// Runs a program to its end. Output goes to files, so that no amount of it can fill a pipe.
  ///
  /// This does not use Foundation's `Process`, which considers a program running as long as a daemon that it left
  /// behind, such as a tmux server, keeps its descriptors open.
  public static func run(
    _ program: String, _ arguments: [String], environment: [String: String], input: String = ""
  ) throws -> CommandResult {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("addressbook-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["in", "out", "err"].map { folder.appendingPathComponent($0).path }
    try Data(input.utf8).write(to: URL(fileURLWithPath: files[0]))

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, files[1], O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, files[2], O_WRONLY | O_CREAT, 0o600)
    // A remaining daemon must not keep descriptors of other tests open.
    for descriptor: Int32 in 3..<256 { posix_spawn_file_actions_addclose(&actions, descriptor) }

    // Dispatch threads block most signals. A child would inherit the mask, and a server could not be terminated.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, program, &actions, &attributes, words, variables)
    guard failure == 0 else { throw NotStarted(program: program, reason: String(cString: strerror(failure))) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
    let signal = status & 0x7f
    return CommandResult(
      status: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
      output: String(decoding: FileManager.default.contents(atPath: files[1]) ?? Data(), as: UTF8.self),
      errors: String(decoding: FileManager.default.contents(atPath: files[2]) ?? Data(), as: UTF8.self))
  }

  /// There is no such program, or the system could not start it.
  public struct NotStarted: Error {
    /// Its path.
    public var program: String
    /// The system's error message.
    public var reason: String
  }
}
