import ChildProcesses
import Foundation
import Glibc

/// Runs vdirsyncer for an account.
public struct Vdirsyncer: Sendable {
  /// Why vdirsyncer did not sync.
  public enum Failure: Error, Hashable, Sendable {
    /// The program is not installed.
    case missing
    /// It failed; with the last error lines that it printed, or why it could not be started.
    case failed(String)
    /// It refused to delete all cards on one side; with the last error lines that it printed.
    case emptied(String)
    /// The user canceled.
    case cancelled
  }

  private let folder: String
  private let environment: [String: String]

  /// - Parameters:
  ///   - folder: the folder of the account.
  ///   - environment: the environment of the process. vdirsyncer is searched for in its `PATH` and in `~/.local/bin`.
  public init(folder: String, environment: [String: String]) {
    self.folder = folder
    self.environment = environment
  }

  /// Syncs the address books of the server with the folders.
  /// - Parameters:
  ///   - discovers: whether to look for new address books first.
  ///   - forcesDeletion: whether to continue if a side is empty.
  ///   - empty: names of folders that no longer have cards, because the user moved or deleted them.
  ///   - prefers: `book` or `folder` for `merge-cards`; nil leaves conflicts open.
  ///   - isCancelled: called often; true ends vdirsyncer.
  public func sync(
    discovers: Bool, forcesDeletion: Bool, empty: [String], prefers: String?, isCancelled: () -> Bool
  ) throws(Failure) {
    if discovers { try run(["discover"], prefers, isCancelled) }
    do throws(Failure) {
      try run(["sync"] + (forcesDeletion ? ["--force-delete"] : []), prefers, isCancelled)
    } catch {
      guard case .emptied = error, !empty.isEmpty, !forcesDeletion else { throw error }
      try run(["sync", "--force-delete"] + empty.map { VdirsyncerConfiguration.pair + "/" + $0 }, prefers, isCancelled)
      // When vdirsyncer refuses one folder, it may stop before the others are synced.
      try run(["sync"], prefers, isCancelled)
    }
    guard discovers else { return }
    // Syncs the names of address books. Some servers do not support them, so a failure is ignored.
    do throws(Failure) { try run(["metasync"], prefers, isCancelled) } catch {
      if case .cancelled = error { throw error }
    }
  }

  private func run(_ arguments: [String], _ prefers: String?, _ isCancelled: () -> Bool) throws(Failure) {
    guard let program = find(environment["PATH"] ?? "/usr/bin:/bin") else { throw .missing }
    let log = folder + "/vdirsyncer.log"
    let output = open(log, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard output >= 0 else { throw .failed(log + ": " + String(cString: strerror(errno))) }
    defer { close(output) }
    let answers = try answers()
    defer { close(answers) }
    let process: ChildProcess
    do throws(ChildProcess.Failure) {
      process = try ChildProcess(
        [program, "--verbosity", "WARNING", "--config", folder + "/vdirsyncer.conf"] + arguments,
        environment: environment.merging(["ADDRESSBOOK_PREFER": prefers ?? ""]) { $1 },
        descriptors: [(answers, STDIN_FILENO), (output, STDOUT_FILENO), (output, STDERR_FILENO)], terminal: .shared)
    } catch {
      throw .failed(program + ": " + String(cString: strerror(error.code)))
    }
    var wasCancelled = false
    var end = process.poll()
    while end == nil {
      if !wasCancelled, isCancelled() {
        wasCancelled = true
        process.terminate()
      }
      usleep(20_000)
      end = process.poll()
    }
    // Control-C also ends vdirsyncer itself.
    if wasCancelled || end != .status(0) && isCancelled() { throw .cancelled }
    guard end != .status(0) else { return }
    let lines = (FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? "")
      .split(separator: "\n").filter { $0.hasPrefix("error:") || $0.hasPrefix("critical:") }
    let text = lines.suffix(6).joined(separator: "\n")
    throw text.contains("was completely emptied") ? .emptied(text) : .failed(text)
  }

  /// Returns a descriptor with what vdirsyncer reads: yes, each time that it asks whether to create the folder of a new
  /// address book.
  private func answers() throws(Failure) -> Int32 {
    let ends: (read: Int32, write: Int32)
    do throws(ChildProcess.Failure) {
      ends = try ChildProcess.pipe()
    } catch {
      throw .failed(String(cString: strerror(error.code)))
    }
    // The buffer of a pipe has room for them.
    let text = [UInt8](String(repeating: "y\n", count: 500).utf8)
    let count = write(ends.write, text, text.count)
    close(ends.write)
    guard count == text.count else {
      close(ends.read)
      throw .failed(String(cString: strerror(errno)))
    }
    return ends.read
  }

  /// Returns the path of the first vdirsyncer in the folders of a search path or in `~/.local/bin`; nil if there is
  /// none.
  private func find(_ path: String) -> String? {
    // pipx installs programs in `~/.local/bin`.
    let own = HomeFolder.path(in: environment).map { $0 + "/.local/bin" }
    let folders = path.split(separator: ":").map(String.init) + [own].compactMap(\.self)
    return folders.map { $0 + "/vdirsyncer" }.first { access($0, X_OK) == 0 }
  }
}
