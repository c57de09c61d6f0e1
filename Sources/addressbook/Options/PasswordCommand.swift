import Glibc

/// A program that prints a password, as git's and aerc's settings name one; run without a shell.
struct PasswordCommand {
  private let words: [String]
  /// No password is longer.
  private static let limit = 1 << 16

  /// - Parameter text: the program and its arguments, separated by blanks. Quotation marks of either kind keep blanks, and a
  ///   backslash any character, as in a shell; nothing else has a meaning.
  /// - Throws: `CommandFailure` if a quotation mark has no end, or there is no program.
  init(_ text: String) throws {
    guard let words = Self.words(of: text), let program = words.first, !program.isEmpty else {
      throw CommandFailure(.misuse, strings("Misuse/passwordCommand", text))
    }
    self.words = words
  }

  /// The words; nil if a quotation mark or a backslash is left open.
  static func words(of text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch (quote, character) {
      case (nil, "\\"), ("\"", "\\"):
        guard let next = rest.popFirst() else { return nil }
        // Inside quotation marks a backslash only keeps these.
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

  /// Runs the program, which may ask on the terminal, to its end.
  /// - Returns: the first line of its output.
  /// - Throws: `CommandFailure` if it cannot be run, fails, or prints no password.
  func run() throws -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    // This program ignores signals that others expect to end them.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let arguments = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, words[0], &actions, &attributes, arguments + [nil], environ)
    close(ends[1])
    guard code == 0 else { throw failure(String(cString: strerror(code))) }
    let output = Self.output(of: ends[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else {
      throw failure(strings("Failed/passwordStatus", status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F))
    }
    let line = output.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else { throw failure(strings("Failed/noPassword")) }
    return Array(line)
  }

  private static func output(of descriptor: Int32) -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return output }
      if output.count < limit { output += buffer[..<count] }
    }
  }

  private func failure(_ reason: String) -> CommandFailure {
    CommandFailure(.failed, strings("Failed/password", words[0], reason))
  }
}
