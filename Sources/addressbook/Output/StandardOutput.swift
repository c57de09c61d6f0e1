import Glibc

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
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return 80 }
    return Int(window.ws_col)
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
