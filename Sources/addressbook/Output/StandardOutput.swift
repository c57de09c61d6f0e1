import Glibc

/// Thrown when the reader of standard output has gone.
struct ClosedOutput: Error {}

/// Standard output in large pieces. What was written is out only after ``flush()`` returned.
final class StandardOutput {
  private var buffer: [UInt8] = []
  private var failureCode: Int32?

  /// True when a person looks at the output.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Adds text. A terminal gets its control characters as visible marks, a file or a pipe gets the text as it is.
  func write(_ text: String) {
    buffer += (Self.isTerminal ? PlainText.block(text) : text).utf8
    if buffer.count >= 1 << 16 { drain() }
  }

  /// Adds bytes as they are, also to a terminal.
  func write(_ bytes: [UInt8]) {
    buffer += bytes
    if buffer.count >= 1 << 16 { drain() }
  }

  /// Adds a line.
  func line(_ text: String) {
    write(text)
    write("\n")
  }

  /// Sends everything that was written.
  /// - Throws: `ClosedOutput` when the reader is gone, `CommandFailure` when it cannot be written (a full disk).
  func flush() throws {
    drain()
    guard let failureCode else { return }
    if failureCode == EPIPE { throw ClosedOutput() }
    throw CommandFailure(.failed, strings("Failed/output", SystemError(code: failureCode).message))
  }

  /// Prints the ids of contacts whose change is stored.
  /// - Throws: `CommandFailure` that says that it is, when it cannot be printed.
  static func printStored(_ ids: some Sequence<Int64>) throws {
    let output = StandardOutput()
    for id in ids { output.line(String(id)) }
    output.drain()
    if let code = output.failureCode {
      throw CommandFailure(.notPrinted, strings("Failed/notPrinted", SystemError(code: code).message))
    }
  }

  /// True when nothing more can be sent, so that a long listing may end.
  var hasFailed: Bool { failureCode != nil }

  private func drain() {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard failureCode == nil else { return }
    do {
      try FileDescriptor.writeAll(buffer, to: STDOUT_FILENO)
    } catch {
      failureCode = error.code
    }
  }
}

/// Standard error: messages, progress, questions. Never data.
enum StandardError {
  /// True when a person looks at the messages.
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// A message with the program's name before it; control characters in it are made visible.
  static func say(_ message: String) {
    write("addressbook: " + PlainText.block(message) + "\n")
  }

  /// A message without the name.
  static func line(_ message: String) {
    write(PlainText.block(message) + "\n")
  }

  /// Text as it is, for the program's own control sequences.
  static func write(_ text: String) {
    do {
      try FileDescriptor.writeAll(Array(text.utf8), to: STDERR_FILENO)
    } catch {
      // Nowhere is left to say it.
    }
  }
}

/// An error of the system.
struct SystemError: Error {
  let code: Int32
  var message: String { String(cString: strerror(code)) }
}

enum FileDescriptor {
  /// Writes all bytes, whatever pieces the system takes.
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
