import Foundation
import Testing

/// The program on a pseudo terminal, whose output a ``KittyReader`` reads.
final class PictureSession {
  private(set) var reader = KittyReader()
  /// Everything that the program wrote.
  private(set) var bytes: [UInt8] = []
  // Keeps the program's folder, which is removed when nothing refers to it.
  private let program: Program
  private let process = Process()
  private let master: Int32

  init(_ program: Program, environment: [String: String], columns: Int = 120, rows: Int = 36) throws {
    self.program = program
    var master: Int32 = -1
    var slave: Int32 = -1
    try #require(openpty(&master, &slave, nil, nil, nil) == 0)
    self.master = master
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    Self.resize(master, columns: columns, rows: rows)
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.environment = [
      "ADDRESSBOOK_FILE": program.book, "HOME": program.folder.path, "XDG_CONFIG_HOME": program.folder.path + "/config",
      "XDG_STATE_HOME": program.folder.path + "/state", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
      "TERM": "xterm-256color", "COLORTERM": "truecolor",
    ].merging(environment) { $1 }
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = FileHandle.nullDevice
    // Test threads block signals, and a child process would inherit the mask.
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
    try terminal.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    _ = close(master)
  }

  private static func resize(_ master: Int32, columns: Int, rows: Int) {
    var window = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: UInt16(columns * 9), ws_ypixel: UInt16(rows * 20))
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
  }

  /// Presses keys, given as the bytes that a terminal sends.
  func press(_ keys: String) { _ = write(master, keys, keys.utf8.count) }

  /// Resizes the window and sends SIGWINCH; the kernel does not, because the terminal belongs to no session.
  func resize(columns: Int, rows: Int) {
    Self.resize(master, columns: columns, rows: rows)
    signal(SIGWINCH)
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Reads until the condition holds.
  func wait(
    _ what: String, seconds: Double = 20, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: (PictureSession) -> Bool
  ) throws {
    let deadline = Date().addingTimeInterval(seconds)
    while !condition(self) {
      guard Date() < deadline else {
        Issue.record(
          "Waited \(seconds) s for \(what); faults: \(reader.faults.prefix(3)); after \(bytes.count) bytes, the last of them \(String(decoding: bytes.suffix(300), as: UTF8.self).debugDescription)",
          sourceLocation: sourceLocation)
        throw TerminalSession.TimedOut()
      }
      readSome()
    }
  }

  /// Reads to the end.
  /// - Returns: the exit status; 128 plus the signal's number if a signal ended the program.
  func end(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int32 {
    try wait("the end of the program", sourceLocation: sourceLocation) { !$0.process.isRunning }
    while readSome() {}
    return process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
  }

  /// Reads what has arrived. Returns false if nothing has.
  @discardableResult
  private func readSome() -> Bool {
    var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 20) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    bytes += buffer[..<count]
    reader.feed(buffer[..<count])
    return true
  }

  /// The number of placeholders that were written so far.
  var placeholders: Int { reader.placeholders.values.reduce(0, +) }

  /// Returns how often a text was received so far.
  ///
  /// Compares bytes, because a `Character` with combining marks is not equal to its base character.
  func count(of text: String) -> Int { bytes.ranges(of: Array(text.utf8)).count }
}
