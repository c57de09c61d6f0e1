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
    /// The server offered other address books a moment ago.
    case changed
    /// It refused to delete all cards on one side; with the last error lines that it printed.
    case emptied(String)
    /// The user canceled.
    case cancelled
  }

  private let account: Account
  private let folder: String
  private let program: String
  private let environment: [String: String]
  private var cards: String { folder + "/cards" }

  /// - Parameters:
  ///   - account: the account.
  ///   - folder: its folder.
  ///   - program: the path of this program, which merges cards that were changed on both sides.
  ///   - environment: the environment of the process. vdirsyncer is searched for in its `PATH` and in `~/.local/bin`.
  public init(account: Account, folder: String, program: String, environment: [String: String]) {
    self.account = account
    self.folder = folder
    self.program = program
    self.environment = environment
  }

  /// Syncs the address books of the server with the folders of their names.
  /// - Parameters:
  ///   - discovers: whether to look for new address books first.
  ///   - forcesDeletion: whether to continue if a side is empty.
  ///   - empty: names of folders that no longer have cards, because the user moved or deleted them.
  ///   - prefers: `book` or `folder` for `merge-cards`; nil leaves conflicts open.
  ///   - isCancelled: called often; true ends vdirsyncer.
  /// - Returns: the address books of the server that are not synced.
  public func sync(
    discovers: Bool, forcesDeletion: Bool, empty: [String], prefers: String?, isCancelled: () -> Bool
  ) throws(Failure) -> [RefusedAddressBook] {
    let isKnown = [VdirsyncerConfiguration.discovery, VdirsyncerConfiguration.pair]
      .allSatisfy { AddressBookCache(pair: $0, root: folder) != nil }
    if discovers || !isKnown { try discover(prefers, isCancelled) }
    let (names, refused) = found()
    guard !names.isEmpty else { return refused }
    try prepare(names)
    guard AddressBookCache(pair: pair, root: folder)?.syncs(names, of: account, in: cards) == true else {
      throw .changed
    }
    do throws(Failure) {
      try run(["sync"] + (forcesDeletion ? ["--force-delete"] : []) + [pair], prefers, isCancelled)
    } catch {
      let empty = empty.filter(names.contains)
      guard case .emptied = error, !empty.isEmpty, !forcesDeletion else { throw error }
      try run(["sync", "--force-delete"] + empty.map { pair + "/" + $0 }, prefers, isCancelled)
      // When vdirsyncer refuses one folder, it may stop before the others are synced.
      try run(["sync", pair], prefers, isCancelled)
    }
    guard discovers else { return refused }
    // Syncs the names of address books. Some servers do not support them, so a failure is ignored.
    do throws(Failure) { try run(["metasync", pair], prefers, isCancelled) } catch {
      if case .cancelled = error { throw error }
    }
    return refused
  }

  private var pair: String { VdirsyncerConfiguration.pair }

  /// Looks for the address books of the server and, in the same run, for those that were found the last time. Only if
  /// others are found, vdirsyncer runs again for them, with their folders.
  private func discover(_ prefers: String?, _ isCancelled: () -> Bool) throws(Failure) {
    let known = found().names
    try prepare(known)
    var failure: Failure?
    do throws(Failure) {
      try run(["discover", "--no-list", VdirsyncerConfiguration.discovery, pair], prefers, isCancelled)
    } catch {
      failure = error
    }
    let names = found().names
    if names == known || failure == .cancelled {
      if let failure { throw failure }
      return
    }
    try prepare(names)
    try run(["discover", "--no-list", pair], prefers, isCancelled)
  }

  /// What the server offered the last time.
  private func found() -> (names: [String], refused: [RefusedAddressBook]) {
    AddressBookCache(pair: VdirsyncerConfiguration.discovery, root: folder)?.checked(for: account) ?? ([], [])
  }

  /// Makes the folders of address books, and the configuration that names them.
  private func prepare(_ names: [String]) throws(Failure) {
    do throws(FileFailure) {
      for name in names { try PrivateFolder.make(cards + "/" + name) }
      let configuration = VdirsyncerConfiguration(
        account: account, root: folder, program: program, addressBooks: names)
      try AccountFolder.write(configuration.text, to: folder + "/vdirsyncer.conf")
    } catch {
      throw .failed(error.path + ": " + error.message)
    }
  }

  private func run(_ arguments: [String], _ prefers: String?, _ isCancelled: () -> Bool) throws(Failure) {
    guard let program = find(environment["PATH"] ?? "/usr/bin:/bin") else { throw .missing }
    let log = folder + "/vdirsyncer.log"
    let output = open(log, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard output >= 0 else { throw .failed(log + ": " + String(cString: strerror(errno))) }
    defer { close(output) }
    // vdirsyncer asks before it creates anything: nothing that it could create is expected, so that nobody answers.
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw .failed("/dev/null: " + String(cString: strerror(errno))) }
    defer { close(input) }
    let process: ChildProcess
    do throws(ChildProcess.Failure) {
      process = try ChildProcess(
        [program, "--verbosity", "WARNING", "--config", folder + "/vdirsyncer.conf"] + arguments,
        environment: environment.merging(["ADDRESSBOOK_PREFER": prefers ?? "", "PYTHONUTF8": "1"]) { $1 },
        descriptors: [(input, STDIN_FILENO), (output, STDOUT_FILENO), (output, STDERR_FILENO)], terminal: .shared)
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

  /// Returns the path of the first vdirsyncer in the folders of a search path or in `~/.local/bin`; nil if there is
  /// none.
  private func find(_ path: String) -> String? {
    // pipx installs programs in `~/.local/bin`.
    let own = HomeFolder.path(in: environment).map { $0 + "/.local/bin" }
    let folders = path.split(separator: ":").map(String.init) + [own].compactMap(\.self)
    return folders.map { $0 + "/vdirsyncer" }.first { access($0, X_OK) == 0 }
  }
}
