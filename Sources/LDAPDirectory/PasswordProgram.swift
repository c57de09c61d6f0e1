import Glibc

/// A program that prints a password, as in the settings of git and aerc; run without a shell.
public struct PasswordProgram: Hashable, Sendable {
  /// Why there is no password.
  public enum Failure: Error, Hashable, Sendable {
    /// It did not start: the value of `errno`.
    case notStarted(Int32)
    /// It ended with this status, or 128 plus the number of the signal that ended it.
    case ended(Int32)
    /// The first line of its output is empty.
    case noPassword
  }

  /// The program and its arguments.
  public let words: [String]
  /// Roughly how many bytes of output are kept.
  private static let outputLimit = 1 << 16

  /// Creates a program with its arguments.
  /// - Parameter words: at least one, and without NUL; otherwise the result is nil.
  public init?(words: [String]) {
    guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.contains("\0") }) else { return nil }
    self.words = words
  }

  /// Creates a program with its arguments, separated by blanks. Quotation marks and backslashes work as in a shell,
  /// except that nothing else is special, so `\$` in double quotation marks keeps its backslash.
  /// - Returns: nil if a quotation mark is not closed, nothing follows a backslash, there is no program, or a word has
  ///   a NUL.
  public init?(_ text: String) {
    guard let words = Self.words(of: text) else { return nil }
    self.init(words: words)
  }

  private static func words(of text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch (quote, character) {
      case (nil, "\\"), ("\"", "\\"):
        guard let next = rest.popFirst() else { return nil }
        // Inside quotation marks a backslash only escapes a quotation mark or a backslash.
        let isKept = quote != nil && next != "\"" && next != "\\"
        word = (word ?? "") + (isKept ? "\\" : "") + String(next)
      case (nil, "\""), (nil, "'"):
        quote = character
        word = word ?? ""
      case (let open?, _) where open == character: quote = nil
      case (nil, _) where character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if quote != nil { return nil }
    if let word { words.append(word) }
    return words
  }

  /// Returns the program with each `{}` in its arguments replaced by a text.
  public func with(_ text: String) -> PasswordProgram {
    var filled = self.words
    for index in filled.indices.dropFirst() {
      filled[index] = filled[index].split(separator: "{}", omittingEmptySubsequences: false).joined(separator: text)
    }
    return PasswordProgram(words: filled) ?? self
  }

  /// Runs the program to its end.
  /// - Parameter usesTerminal: true to let the program ask on the terminal; false while the screen uses the terminal.
  /// - Returns: the first line of its output.
  public func run(usesTerminal: Bool) throws(Failure) -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .notStarted(errno) }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var process: pid_t = 0
    let code = start(&process, output: ends[1], usesTerminal: usesTerminal)
    close(ends[1])
    guard code == 0 else { throw .notStarted(code) }
    let output = Self.output(of: ends[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else { throw .ended(status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F) }
    let line = output.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else { throw .noPassword }
    return Array(line)
  }

  private func start(_ process: inout pid_t, output: Int32, usesTerminal: Bool) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    // This program ignores some signals, and its threads may block any: the new process gets the defaults.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    if !usesTerminal {
      // A session of its own has no terminal to ask on.
      flags |= Self.newSession
      for descriptor in [STDIN_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let arguments = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    return posix_spawnp(&process, words[0], &actions, &attributes, arguments + [nil], environ)
  }

  /// `POSIX_SPAWN_SETSID`, which Swift does not import.
  private static let newSession: Int32 = 0x80

  private static func output(of descriptor: Int32) -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return output }
      if output.count < outputLimit { output += buffer[..<count] }
    }
  }
}
