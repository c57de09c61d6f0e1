import Foundation
import Testing

/// A process that edits a store, controlled line by line; see `Tests/StoreProbe`.
final class ProbeProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var waiting: [UInt8] = []

  init(_ kind: String, _ path: String) throws {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(fileURLWithPath: program).deletingLastPathComponent().appendingPathComponent(
      "StoreProbe")
    process.arguments = [kind, path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try output.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
  }

  deinit {
    // Closing its input ends the process, unless it no longer reads; so it is killed too.
    try? input.fileHandleForWriting.close()
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Sends a command without waiting for the reply.
  func order(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

  /// Waits for the next reply.
  func answer() throws -> String {
    while !waiting.contains(0x0A) {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(output.fileHandleForReading.fileDescriptor, &bytes, bytes.count)
      try #require(count > 0, "the process ended")
      waiting += bytes[..<count]
    }
    let line = waiting.prefix { $0 != 0x0A }
    waiting.removeFirst(line.count + 1)
    return String(decoding: line, as: UTF8.self)
  }

  /// Sends a command and waits for the reply.
  func ask(_ line: String) throws -> String {
    try order(line)
    return try answer()
  }
}
