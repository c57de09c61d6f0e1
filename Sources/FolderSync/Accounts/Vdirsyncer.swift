import AddressBookModel
import Foundation
import Glibc
import SystemCalls

/// Runs vdirsyncer for an account.
public struct Vdirsyncer: Sendable {
  /// Why vdirsyncer did not sync.
  public enum Failure: Error, Hashable, Sendable {
    /// The program is not installed.
    case missing
    /// It failed before it synced anything; with one or more reasons.
    case failed([VdirsyncerProblem])
    /// The user canceled.
    case cancelled

    /// A file or a program that this program needs for it.
    fileprivate static func file(_ failure: FileFailure) -> Failure {
      .failed([VdirsyncerProblem(.unclear, detail: failure.path + ": " + failure.message)])
    }
  }

  /// What a sync did.
  public struct Outcome: Hashable, Sendable {
    /// The address books that were synced, or that were to be.
    public var addressBooks: [String] = []
    /// Those of the server that are not synced.
    public var refused: [RefusedAddressBook] = []
    /// What was not synced; not again that the user may not change an address book.
    public var problems: [VdirsyncerProblem] = []
  }

  private let account: Account
  private let folder: String
  private let program: String
  private let environment: [String: String]
  private let terminal: ChildProcess.Terminal
  private var cards: String { folder + "/cards" }

  /// - Parameters:
  ///   - account: the account.
  ///   - folder: its folder.
  ///   - program: the path of this program, which merges cards that were changed on both sides.
  ///   - environment: the environment of the process. vdirsyncer is searched for in its `PATH` and in `~/.local/bin`.
  ///   - terminal: whether the command that prints the password may ask on the terminal.
  public init(
    account: Account, folder: String, program: String, environment: [String: String],
    terminal: ChildProcess.Terminal = .shared
  ) {
    self.account = account
    self.folder = folder
    self.program = program
    self.environment = environment
    self.terminal = terminal
  }

  /// Syncs the address books of the server with the folders of their names.
  /// - Parameters:
  ///   - discovers: whether to look for new address books first.
  ///   - uploads: false to fetch only, and to leave what was changed in the folders for the next time.
  ///   - forcesDeletion: whether to continue if a side is empty.
  ///   - empty: names of folders that no longer have cards, because the user moved or deleted them.
  ///   - prefers: `book` or `folder` for `merge-cards`; nil leaves conflicts open.
  ///   - isCancelled: called often; true ends vdirsyncer.
  public func sync(
    discovers: Bool, uploads: Bool = true, forcesDeletion: Bool, empty: [String], prefers: String?,
    isCancelled: () -> Bool
  ) throws(Failure) -> Outcome {
    let isKnown = [VdirsyncerConfiguration.discovery, VdirsyncerConfiguration.pair]
      .allSatisfy { AddressBookCache(pair: $0, root: folder) != nil }
    if discovers || !isKnown { try discover(prefers, isCancelled) }
    let (names, refused) = found()
    var outcome = Outcome(addressBooks: names, refused: refused)
    guard !names.isEmpty else { return outcome }
    try prepare(names, uploads: uploads)
    guard AddressBookCache(pair: pair, root: folder)?.syncs(names, of: account, in: cards) == true else {
      throw .failed([VdirsyncerProblem(.changed)])
    }
    let readOnly = ReadOnlyAddressBooks(root: folder)
    for part in [names.filter { !readOnly.names.contains($0) }] + readOnly.names.filter(names.contains).map({ [$0] })
    where !part.isEmpty {
      outcome.problems += try sync(
        part, forcesDeletion, empty: empty.filter(names.contains), prefers, isCancelled)
    }
    guard uploads else { return outcome }
    do throws(FileFailure) { outcome.problems = try readOnly.update(outcome) } catch { throw .file(error) }
    guard discovers, !outcome.problems.contains(where: \.concernsAccount) else { return outcome }
    // Syncs the names of address books. Some servers do not support them, so a failure is ignored.
    _ = try attempt(["metasync", pair], names, prefers, isCancelled)
    return outcome
  }

  /// Syncs some address books. When vdirsyncer cannot sync one, it stops all others; they are then synced one by one.
  private func sync(
    _ names: [String], _ forcesDeletion: Bool, empty: [String], _ prefers: String?, _ isCancelled: () -> Bool
  ) throws(Failure) -> [VdirsyncerProblem] {
    func sync(_ names: [String], force: Bool) throws(Failure) -> [VdirsyncerProblem] {
      let options = force ? ["--force-delete"] : []
      return try attempt(["sync"] + options + names.map { pair + "/" + $0 }, names, prefers, isCancelled)
    }
    var problems = try sync(names, force: forcesDeletion)
    // The others that it stopped may seem to have lost the server.
    if problems.allSatisfy(\.concernsAccount) { return problems }
    if names.count > 1 {
      problems = []
      for name in names { problems += try self.sync([name], forcesDeletion, empty: empty, prefers, isCancelled) }
    } else if problems.contains(where: { $0.reason == .emptied }), names.allSatisfy(empty.contains) {
      problems = try sync(names, force: true)
    }
    return problems
  }

  private var pair: String { VdirsyncerConfiguration.pair }
  private var python: String { folder + "/python" }

  /// Looks for the address books of the server and, in the same run, for those that were found the last time. Only if
  /// others are found, vdirsyncer runs again for them, with their folders.
  private func discover(_ prefers: String?, _ isCancelled: () -> Bool) throws(Failure) {
    let known = found().names
    try prepare(known)
    let problems = try attempt(
      ["discover", "--no-list", VdirsyncerConfiguration.discovery, pair], known, prefers, isCancelled)
    let names = found().names
    guard names != known else {
      if !problems.isEmpty { throw .failed(problems) }
      return
    }
    try prepare(names)
    let others = try attempt(["discover", "--no-list", pair], names, prefers, isCancelled)
    if !others.isEmpty { throw .failed(others) }
  }

  /// What the server offered the last time.
  private func found() -> (names: [String], refused: [RefusedAddressBook]) {
    AddressBookCache(pair: VdirsyncerConfiguration.discovery, root: folder)?.checked(for: account) ?? ([], [])
  }

  /// Makes the folders of address books, and the configuration that names them.
  private func prepare(_ names: [String], uploads: Bool = true) throws(Failure) {
    do throws(FileFailure) {
      for name in names { try PrivateFolder.make(cards + "/" + name) }
      let configuration = VdirsyncerConfiguration(
        account: account, root: folder, program: program, addressBooks: names, uploads: uploads)
      try FileReplacement.write(configuration.text.utf8, to: folder + "/vdirsyncer.conf")
      try PrivateFolder.make(python)
      try FileReplacement.write(configuration.guardText.utf8, to: python + "/" + VdirsyncerConfiguration.guardFile)
    } catch {
      throw .file(error)
    }
  }

  /// Runs vdirsyncer.
  /// - Parameter names: the address books that it is to sync.
  /// - Returns: why it failed; empty if it did not.
  private func attempt(
    _ arguments: [String], _ names: [String], _ prefers: String?, _ isCancelled: () -> Bool
  ) throws(Failure) -> [VdirsyncerProblem] {
    guard let program = find(environment["PATH"] ?? "/usr/bin:/bin") else { throw .missing }
    let log = folder + "/vdirsyncer.log"
    let output = open(log, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard output >= 0 else { throw .file(FileFailure(log, errno)) }
    defer { close(output) }
    // vdirsyncer asks before it creates anything: nothing that it could create is expected, so that nobody answers.
    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw .file(FileFailure("/dev/null", errno)) }
    defer { close(input) }
    let process: ChildProcess
    do throws(FileFailure) {
      process = try ChildProcess(
        [program, "--verbosity", "WARNING", "--config", folder + "/vdirsyncer.conf"] + arguments,
        environment: environment.merging([
          "ADDRESSBOOK_PREFER": prefers ?? "", "PYTHONUTF8": "1",
          "PYTHONPATH": ([python] + [environment["PYTHONPATH"]].compactMap(\.self)).joined(separator: ":"),
        ]) { $1 },
        descriptors: [(input, STDIN_FILENO), (output, STDOUT_FILENO), (output, STDERR_FILENO)], terminal: terminal)
    } catch {
      throw .file(error)
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
    guard end != .status(0) else { return [] }
    let text = String(decoding: (try? FileBytes.read(log)) ?? [], as: UTF8.self)
    return VdirsyncerProblem.read(text, addressBooks: names)
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
