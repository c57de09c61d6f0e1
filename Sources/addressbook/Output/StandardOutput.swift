import AddressBookModel
import BookInterchange
import Glibc
import Synchronization
import SystemCalls

/// Thrown when the reader of standard output is gone.
struct BrokenPipe: Error {}

/// Buffered standard output, or the output to another device or pipe. Output is only guaranteed to be written when
/// ``flush()`` has returned.
final class StandardOutput {
  private let descriptor: Int32
  let isTerminal: Bool
  private var buffer: [UInt8] = []

  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// `COLUMNS`, or else the width of the terminal, or else 80.
  static var terminalColumns: Int {
    if let columns = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), columns > 0 { return columns }
    return windowSize?.columns ?? 80
  }

  /// The height of the terminal, or else 24.
  static var terminalRows: Int { windowSize?.rows ?? 24 }

  private static var windowSize: (rows: Int, columns: Int)? {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else { return nil }
    return (Int(window.ws_row), Int(window.ws_col))
  }

  init(descriptor: Int32 = STDOUT_FILENO) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Writes text. On a terminal, control characters become visible symbols; in a file or a pipe the text is unchanged.
  func write(_ text: String) {
    buffer += (isTerminal ? PlainText.block(text) : text).utf8
    if buffer.count >= 1 << 16 { drain() }
  }

  /// Writes bytes unchanged, even to a terminal.
  func write(_ bytes: [UInt8]) {
    buffer += bytes
    if buffer.count >= 1 << 16 { drain() }
  }

  /// Writes text, like ``write(_:)-(String)``.
  /// - Parameter text: UTF-8.
  func write(text: UnsafeRawBufferPointer) {
    if isTerminal { return write(String(decoding: text, as: UTF8.self)) }
    buffer.append(contentsOf: text)
    if buffer.count >= 1 << 16 { drain() }
  }

  func line(_ text: String) {
    write(text)
    write("\n")
  }

  /// Writes everything in the buffer.
  /// - Parameter isStored: true if the output is about a change that is already stored.
  /// - Throws: `CommandFailure` if writing fails (for example, the disk is full), which says whether a change is
  ///   stored; `BrokenPipe` if the reader is gone and no change is stored.
  func flush(isStored: Bool = false) throws {
    drain()
    guard let failureCode else { return }
    let reason = SystemError(code: failureCode).message
    if isStored { throw CommandFailure(.incomplete, strings("Failed/notPrinted", reason)) }
    if failureCode == EPIPE { throw BrokenPipe() }
    throw CommandFailure(.failed, strings("Failed/output", reason))
  }

  /// Prints the ids of contacts whose change is stored.
  /// - Throws: `CommandFailure` if they cannot be printed; it says that the change is stored.
  static func printStored(_ ids: some Sequence<Int64>) throws {
    let output = StandardOutput()
    for id in ids { output.line(String(id)) }
    try output.flush(isStored: true)
  }

  /// Why nothing more can be written, so that a long listing can stop; nil if it can.
  private(set) var failureCode: Int32?
  var hasFailed: Bool { failureCode != nil }

  private func drain() {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard failureCode == nil else { return }
    do {
      try FileDescriptor.writeAll(buffer, to: descriptor)
    } catch {
      failureCode = error.code
    }
  }
}

/// Standard error: messages and progress, never data.
enum StandardError {
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Writes a message with the program's name before it; control characters become visible symbols.
  static func say(_ message: String) {
    write("addressbook: " + PlainText.block(message) + "\n")
  }

  /// Writes a message without the name.
  static func line(_ message: String) {
    write(PlainText.block(message) + "\n")
  }

  /// Writes text unchanged, for the program's own control sequences.
  static func write(_ text: String) {
    do {
      try FileDescriptor.writeAll(Array(text.utf8), to: STDERR_FILENO)
    } catch {
      // There is nowhere left to report it.
    }
  }
}

struct SystemError: Error {
  let code: Int32
  var message: String { String(cString: strerror(code)) }
}

enum FileDescriptor {
  /// Writes all bytes, in as many pieces as the system requires.
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
        continue
      }
      switch errno {
      case EINTR: break
      case EAGAIN:
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      default: throw SystemError(code: errno)
      }
    }
  }
}

/// Where a command writes what the user asked for: standard output for `-`, a device or pipe by its name, or else a
/// file, which is replaced atomically.
struct OutputFile {
  private enum Place {
    case file(FileReplacement)
    case stream(StandardOutput)
  }

  private let path: String
  private let place: Place

  /// - Throws: `FileFailure` if the file or device cannot be opened.
  init(_ path: String) throws(FileFailure) {
    self.path = path
    if path == "-" {
      place = .stream(StandardOutput())
    } else if let descriptor = try OutputStream.open(path) {
      place = .stream(StandardOutput(descriptor: descriptor))
    } else {
      place = .file(try FileReplacement(path: path))
    }
  }

  var isTerminal: Bool {
    if case .stream(let output) = place { output.isTerminal } else { false }
  }

  /// Writes text, with symbols instead of control characters on a terminal.
  /// - Parameter text: UTF-8.
  func write(text: UnsafeRawBufferPointer) throws {
    switch place {
    case .file(let file): try file.write(text)
    case .stream(let output):
      output.write(text: text)
      if output.failureCode != nil { try commit() }
    }
  }

  /// Writes bytes unchanged.
  func write(_ bytes: [UInt8]) throws {
    switch place {
    case .file(let file): try file.write(bytes)
    case .stream(let output): output.write(bytes)
    }
  }

  /// Gives the file its name when it is complete, or writes what is left to the stream.
  func commit() throws {
    switch place {
    case .file(let file): try file.commit()
    case .stream(let output):
      do {
        try output.flush()
      } catch let error as CommandFailure where path != "-" {
        throw output.failureCode.map { FileFailure(path, $0) } ?? error
      }
    }
  }
}

/// A line on standard error with the progress of an import, a sync or an examination; shown only on a terminal.
final class ProgressBar {
  private var isShown = false
  private var nextUpdate = 0.0

  /// Redraws the line, at most ten times a second.
  func show(_ progress: ImportProgress) {
    show(strings("Import/progress", count: progress.cards), progress.fraction)
  }

  /// The same with any text.
  func show(_ text: @autoclosure () -> String, _ fraction: Double?) {
    guard StandardError.isTerminal else { return }
    let now = Self.seconds
    guard now >= nextUpdate else { return }
    nextUpdate = now + 0.1
    var line = text()
    if let fraction {
      let filled = Int(fraction * 24)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
      line = bar + " \(Int(fraction * 100))%  " + line
    }
    // Erase to the end of the line, because the previous text may have been longer.
    StandardError.write("\r" + line + "\u{1B}[K")
    isShown = true
  }

  /// Removes the line, to make room for a message.
  func clear() {
    guard isShown else { return }
    StandardError.write("\r\u{1B}[K")
    isShown = false
  }

  private static var seconds: Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}

/// Control-C as a request that long commands check, so that they can roll back. A second one ends the program
/// at once, which does not damage the book.
enum Interruption {
  private static let requested = Atomic<Bool>(false)

  /// True after the first Control-C or SIGTERM.
  static var wasRequested: Bool { requested.load(ordering: .relaxed) }

  /// Makes the first Control-C (or SIGTERM) a request from now on.
  static func watch() {
    // Initialize it now: that is not safe inside a signal handler.
    _ = wasRequested
    for signal in [SIGINT, SIGTERM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in Interruption.requested.store(true, ordering: .relaxed) }
      // Without SA_RESTART, a blocking read is interrupted.
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(signal, &action, nil)
    }
    // The program inherits blocked signals from its parent.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    sigprocmask(SIG_UNBLOCK, &signals, nil)
  }
}
