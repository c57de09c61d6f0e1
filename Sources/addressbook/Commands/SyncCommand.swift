import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts
import FolderSync
import Foundation
import Messages

/// `addressbook sync`: syncs the book with a folder of vCards; without one, with the folders of all accounts.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: strings("Help/sync"), discussion: strings("Help/sync.discussion"))

  /// The side that wins conflicts.
  enum Preferred: String, ExpressibleByArgument, CaseIterable {
    case book
    case folder

    var side: ThreeWayMerge.Side { self == .book ? .mine : .theirs }
  }

  /// The formats of a report, which standard error has in words.
  enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case json, jsonl
  }

  @OptionGroup var book: BookOptions

  @Flag(name: .customLong("dry-run"), help: help("syncDryRun"))
  var isDryRun = false

  @Option(name: .long, help: help("syncFormat"))
  var format: ReportFormat?

  /// The old spelling of `--format json`.
  @Flag(name: .long, help: .hidden)
  var json = false

  @Option(name: .long, help: help("prefer"))
  var prefer: Preferred?

  @Flag(name: .customLong("force-delete"), help: help("forceDelete"))
  var forcesDeletion = false

  @Flag(name: .long, help: help("watch"))
  var watch = false

  @Argument(help: help("syncFolder", valueName: "folder"), completion: .directory)
  var folder: String?

  func validate() throws {
    if watch, isDryRun || forcesDeletion || json || format != nil { throw ValidationError(strings("Misuse/watch")) }
  }

  func run() throws {
    Interruption.watch()
    let book = try isDryRun ? book.openForTrial() : book.openToChange()
    defer { book.close(isDryRun: isDryRun) }
    let syncing = try folder == nil ? accounts(book) : []
    if watch { return try SyncLoop(command: self, book: book, accounts: syncing).run() }
    var reports: [SyncReport] = []
    var failures: [CommandFailure] = []
    if let folder {
      reports = [try sync(folder, book)]
    } else {
      let outcome = sync(syncing, book)
      reports = outcome.reports
      failures = outcome.problems.map(Self.failure)
      for failure in failures { StandardError.say(failure.message) }
    }
    if json || format != nil { try printJSON(reports) }
    let statuses =
      failures.map(\.status) + reports.filter { $0.refused != nil }.map { _ in .failed }
      + reports.filter(\.isIncomplete).map { _ in .nothingFound }
    if let status = statuses.first(where: { $0 != .nothingFound }) ?? statuses.first {
      throw CommandFailure(status, "")
    }
  }

  /// Syncs one folder, and reports what was done.
  /// - Parameter quietly: true to print nothing if nothing was done.
  func sync(_ folder: String, _ book: AddressBook, quietly: Bool = false) throws(CommandFailure) -> SyncReport {
    let progress = ProgressBar()
    let records = isDryRun ? nil : SyncRecords(book: book)
    let sync = FolderSync(book: book, path: folder)
    sync.isDryRun = isDryRun
    sync.prefers = prefer?.side
    sync.forcesDeletion = forcesDeletion
    sync.isCancelled = { Interruption.wasRequested }
    sync.onProgress = { Self.show($0, progress) }
    let report: SyncReport
    do {
      defer { progress.clear() }
      report = try sync.run()
    } catch {
      let problem = SyncProblem(error)
      // A folder that was never synced is in no list of folders.
      if records?.record(of: folder) != nil { records?.keep(SyncRecord([problem], in: .shared), of: folder) }
      throw Self.failure(problem)
    }
    records?.keep(SyncRecord(report, in: .shared), of: report.folder)
    SyncText(report).say(name: nil, quietly: quietly)
    return report
  }

  /// Syncs accounts, and reports what was done in each folder.
  func sync(
    _ accounts: [Account], _ book: AddressBook, discovers: Bool = true, quietly: Bool = false
  ) -> AccountSync.Outcome {
    let folder = AccountFolder(book.location)
    for account in accounts where isDryRun && folder.cardFolders(of: account).isEmpty {
      StandardError.line(strings("Sync/neverSynced", account.name))
    }
    let progress = ProgressBar()
    defer { progress.clear() }
    let sync = AccountSync(book: book, accounts: accounts)
    sync.isDryRun = isDryRun
    sync.prefers = prefer?.side
    sync.forcesDeletion = forcesDeletion
    sync.discovers = discovers
    sync.records = SyncRecords(book: book)
    sync.isCancelled = { Interruption.wasRequested }
    sync.onProgress = { Self.show($1, progress) }
    sync.onReport = { name, report, isRepeated in
      progress.clear()
      SyncText(report).say(name: name, quietly: quietly || isRepeated)
    }
    return sync.run()
  }

  private static func show(_ step: SyncProgress, _ progress: ProgressBar) {
    progress.show(strings("Import/progress", count: step.done), Double(step.done) / Double(max(step.total, 1)))
  }

  static func failure(_ problem: SyncProblem) -> CommandFailure {
    CommandFailure(
      problem.isStop ? .interrupted : problem.isPartial ? .nothingFound : .failed, problem.message(in: .shared))
  }

  private func accounts(_ book: AddressBook) throws -> [Account] {
    let accounts = AccountFolder(book.location).accounts()
    guard !accounts.isEmpty else { throw CommandFailure(.misuse, strings("Misuse/noAccount")) }
    return accounts
  }

  /// Prints the report of one folder as an object, and the reports of accounts as an array in an object, or in lines.
  private func printJSON(_ reports: [SyncReport]) throws {
    let items = reports.map { SyncText($0).json }
    let output = StandardOutput()
    for item in folder != nil || format == .jsonl ? items : [.object([("folders", .list(items))])] {
      output.line(item.line)
    }
    try output.flush(isStored: !isDryRun && reports.contains { $0.toBook.total + $0.toFolder.total > 0 })
  }
}

/// `addressbook sync --watch`: syncs whenever the book or a folder changes, and at least every quarter of an hour,
/// until Control-C.
struct SyncLoop {
  let command: SyncCommand
  let book: AddressBook
  /// Empty if a folder is synced.
  let accounts: [Account]
  /// The maximum number of milliseconds until the next sync, and until the next attempt after a failure.
  private static let serverInterval = 15 * 60 * 1000
  private static let retryInterval = 30 * 1000

  func run() throws {
    let watcher: SyncWatcher
    do {
      watcher = try SyncWatcher(book: book)
    } catch let error as SyncError {
      throw CommandFailure(.failed, error.message(in: .shared))
    }
    defer { withExtendedLifetime(watcher) {} }
    let watch: FolderWatch
    do throws(SyncError) { watch = try FolderWatch() } catch {
      throw CommandFailure(.failed, error.message(in: .shared))
    }
    StandardError.line(strings(command.folder == nil ? "Sync/watching" : "Sync/watchingFolder"))
    var lastFailure = ""
    var nextDiscovery = Date.distantPast
    while !Interruption.wasRequested {
      if let folder = book.location.folder { watch.add(folder) }
      for path in folders { watch.add(path) }
      let discovers = Date() >= nextDiscovery
      if discovers { nextDiscovery = Date().addingTimeInterval(Double(Self.serverInterval) / 1000) }
      let failure = syncOnce(discovers: discovers)
      if Interruption.wasRequested { break }
      // A repeated failure is printed once.
      if !failure.isEmpty, failure != lastFailure { StandardError.say(failure) }
      lastFailure = failure
      let timeout = !failure.isEmpty ? Self.retryInterval : Self.serverInterval
      _ = watch.wait(timeout: timeout) { Interruption.wasRequested }
    }
    StandardError.line(strings("Sync/watchEnded"))
  }

  private var folders: [String] {
    command.folder.map { [$0] } ?? accounts.flatMap(AccountFolder(book.location).cardFolders)
  }

  /// - Returns: the message of a failure; empty if there is none.
  private func syncOnce(discovers: Bool) -> String {
    if let folder = command.folder {
      do throws(CommandFailure) {
        _ = try command.sync(folder, book, quietly: true)
        return ""
      } catch {
        return error.message
      }
    }
    return command.sync(accounts, book, discovers: discovers, quietly: true).problems.map { $0.message(in: .shared) }
      .joined(separator: "\n")
  }
}

/// The report of a sync: for people on standard error, and as JSON.
struct SyncText {
  private let report: SyncReport

  init(_ report: SyncReport) { self.report = report }

  /// Prints the report on standard error.
  /// - Parameters:
  ///   - name: the name of the folder, at the beginning of each line; nil if there is only one folder.
  ///   - quietly: true to print nothing if nothing was done.
  func say(name: String?, quietly: Bool) {
    if quietly, report.refused == nil, report.toBook.total + report.toFolder.total == 0 { return }
    for line in lines { StandardError.line(name.map { Localization.shared.titled($0, line) } ?? line) }
  }

  private var lines: [String] {
    var lines = report.lines(in: .shared)
    if report.refused != nil { return lines.map { strings("Sync/ifDeleted", $0) } }
    if report.isDryRun { lines.insert(strings("Sync/dryRun"), at: 0) }
    return report.conflicts.contains(where: \.isOpen) ? lines + [strings("Sync/howToDecide")] : lines
  }

  // MARK: - JSON

  var json: JSON {
    func counts(_ counts: SyncReport.Counts) -> JSON {
      .object([
        ("added", .number(counts.added)), ("changed", .number(counts.changed)), ("deleted", .number(counts.deleted)),
      ])
    }
    let conflicts = report.conflicts.map { conflict in
      let place = JSON.object([("uid", .text(conflict.uid)), ("file", .text(conflict.file))])
      return JSON.encoded(place.line.dropLast() + ", " + ContactJSON.encode(conflict.conflict).dropFirst())
    }
    let skipped = report.skipped.map { JSON.object([("file", .text($0.file)), ("reason", .text($0.reason.rawValue))]) }
    let refused = report.refused.map {
      JSON.object([
        ("side", .text($0.side.rawValue)), ("missing", .number($0.missing)), ("known", .number($0.known)),
      ])
    }
    return .object([
      ("folder", .text(report.folder)), ("dryRun", .boolean(report.isDryRun)), ("toBook", counts(report.toBook)),
      ("toFolder", counts(report.toFolder)), ("conflicts", .list(conflicts)), ("skipped", .list(skipped)),
      ("refused", refused ?? .null),
    ])
  }
}
