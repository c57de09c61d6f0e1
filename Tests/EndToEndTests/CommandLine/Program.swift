import Foundation
import SharedMaterial
import Testing

/// The built program, run as a process on a book of its own.
struct Program {
  /// The result of a run.
  struct Result {
    let status: Int32
    let output: String
    let errors: String
    let outputBytes: [UInt8]
    let errorBytes: [UInt8]

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// A temporary folder, removed when this object is released.
  final class Folder: Sendable {
    let path: String

    init() throws {
      var template = Array((NSTemporaryDirectory() + "addressbook-test-XXXXXX").utf8CString)
      guard let made = mkdtemp(&template) else { throw POSIXError(.EIO) }
      path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  let folder: Folder
  var book: String { folder.path + "/book.db" }
  var environment: [String: String] = [:]

  init() throws { folder = try Folder() }

  /// The program beside the tests, or the one that ADDRESSBOOK_PROGRAM names.
  static let path: String = {
    if let named = ProcessInfo.processInfo.environment["ADDRESSBOOK_PROGRAM"] { return named }
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("addressbook").path
  }()

  /// Runs the program and waits for its end. The test fails if that takes longer than `seconds`.
  @discardableResult
  func run(
    _ arguments: String..., input: [UInt8] = [], seconds: Double = 60, location: SourceLocation = #_sourceLocation
  ) throws -> Result {
    try run(arguments, input: input, seconds: seconds, location: location)
  }

  @discardableResult
  func run(
    _ arguments: [String], input: [UInt8] = [], seconds: Double = 60, location: SourceLocation = #_sourceLocation
  ) throws -> Result {
    let running = try start(arguments, input: input)
    running.wait(seconds, location)
    return try running.result()
  }

  /// Returns whether a program is writing to a book.
  static func lockIsHeld(_ book: String) throws -> Bool {
    try CommandResult.run("/usr/bin/sqlite3", [book, "BEGIN IMMEDIATE; ROLLBACK"], environment: [:]).status != 0
  }

  /// A run in progress.
  final class Running {
    let process = Process()
    fileprivate let output: String
    fileprivate let errors: String

    fileprivate init(_ stem: String) {
      output = stem + ".out"
      errors = stem + ".err"
    }

    /// Polls until the program has ended. After `seconds`, kills it and fails the test.
    func wait(_ seconds: Double, _ location: SourceLocation = #_sourceLocation) {
      let end = Date().addingTimeInterval(seconds)
      while process.isRunning, Date() < end { usleep(500) }
      if process.isRunning {
        kill(process.processIdentifier, SIGKILL)
        Issue.record("still running after \(seconds) s", sourceLocation: location)
      }
      process.waitUntilExit()
    }

    func result() throws -> Result {
      let out = try Data(contentsOf: URL(fileURLWithPath: output))
      let err = try Data(contentsOf: URL(fileURLWithPath: errors))
      let died = process.terminationReason == .uncaughtSignal
      return Result(
        status: died ? 128 + process.terminationStatus : process.terminationStatus,
        output: String(decoding: out, as: UTF8.self), errors: String(decoding: err, as: UTF8.self),
        outputBytes: Array(out), errorBytes: Array(err))
    }
  }

  /// Starts the program. Its outputs are files in the folder, and so is its input unless a handle is given.
  func start(_ arguments: [String], input: [UInt8] = [], inputHandle: FileHandle? = nil) throws -> Running {
    let running = Running(folder.path + "/" + UUID().uuidString)
    for path in [running.output, running.errors] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    let process = running.process
    process.executableURL = URL(fileURLWithPath: Self.path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.environment = [
      "ADDRESSBOOK_FILE": book, "HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
      "TERM": "xterm-256color",
    ].merging(environment) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: running.output))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: running.errors))
    if let inputHandle {
      process.standardInput = inputHandle
    } else {
      process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: try file("input", input)))
    }
    try process.run()
    return running
  }

  /// Writes a file in the folder and returns its path.
  func file(_ name: String, _ content: [UInt8]) throws -> String {
    let path = folder.path + "/" + name
    try Data(content).write(to: URL(fileURLWithPath: path))
    return path
  }

  func file(_ name: String, _ content: String) throws -> String { try file(name, Array(content.utf8)) }

  /// Runs SQL on the book in the `sqlite3` shell.
  func execute(_ sql: String) throws {
    #expect(try CommandResult.run("/usr/bin/sqlite3", [book, sql], environment: [:]).status == 0)
  }

  func contacts(_ query: String...) throws -> [[String: Any]] {
    try json(run(["list", "--format", "json"] + query).outputBytes) as? [[String: Any]] ?? []
  }

  func json(_ bytes: [UInt8]) throws -> Any { try JSONSerialization.jsonObject(with: Data(bytes)) }
}

/// Returns whether the bytes contain no control characters except tab and line end: no other C0, no DEL, no C1.
func isSafe(_ bytes: [UInt8]) -> Bool {
  String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy { scalar in
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0..<0x20, 0x7F...0x9F: false
    default: true
    }
  }
}
