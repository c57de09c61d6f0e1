import AddressBookModel
import Glibc
import SystemCalls

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
