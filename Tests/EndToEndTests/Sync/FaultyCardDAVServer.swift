import Foundation
import Testing

/// The program of `Fixtures/CardDAV`, as a process of the test.
final class FaultyCardDAVServer {
  let url: String
  private let process = Process()
  private let input = Pipe()
  private let folder: Program.Folder

  /// True if the programs that the tests with this server need are installed.
  static let isInstalled = ["python3", "vdirsyncer"].allSatisfy { access("/usr/bin/" + $0, X_OK) == 0 }

  /// A request that the server got.
  struct Request: Decodable {
    let method: String
    let path: String
    let body: String
    let password: Bool
  }

  /// - Parameters:
  ///   - books: the last parts of the URLs of the address books.
  ///   - options: other options of the program.
  init(_ books: String..., options: [String] = []) throws {
    folder = try Program.Folder()
    let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/CardDAV/faulty-server.py")
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [program.path, folder.path + "/log"] + books.flatMap { ["--book", $0] } + options
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    url = "\(options.contains("--certificate") ? "https" : "http")://127.0.0.1:\(port)/"
  }

  deinit { stop() }

  func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func requests() throws -> [Request] {
    let log = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/log"))
    return try log.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Request.self, from: $0) }
  }
}
