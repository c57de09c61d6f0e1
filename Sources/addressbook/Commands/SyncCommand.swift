import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts
import FolderSync
import Foundation

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
      let result = AccountSync.sync(syncing, self, book)
      (reports, failures) = (result.reports, result.failures)
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
  /// - Parameters:
  ///   - name: the folder's name in front of the report; nil if there is only one folder.
  ///   - adoptsFree: whether contacts that are in no folder are added to this one.
  ///   - previousCards: where replaced files are kept.
  ///   - quietly: true to print nothing if nothing was done.
  func sync(
    _ folder: String, _ book: AddressBook, name: String? = nil, adoptsFree: Bool = true,
    previousCards: PreviousCards? = nil,
    quietly: Bool = false
  ) throws(CommandFailure) -> SyncReport {
    let progress = ProgressBar()
    let sync = FolderSync(book: book, path: folder)
    sync.isDryRun = isDryRun
    sync.prefers = prefer?.side
    sync.forcesDeletion = forcesDeletion
    sync.adoptsFreeContacts = adoptsFree
    sync.previousCards = previousCards
    sync.isCancelled = { Interruption.wasRequested }
    sync.onProgress = { step in
      progress.show(strings("Import/progress", count: step.done), Double(step.done) / Double(max(step.total, 1)))
    }
    let report: SyncReport
    do {
      defer { progress.clear() }
      report = try sync.run()
    } catch {
      throw Self.failure(error)
    }
    SyncText(report).say(name: name, quietly: quietly)
    return report
  }

  static func failure(_ error: any Error) -> CommandFailure {
    switch error {
    case let error as SyncError:
      CommandFailure(error.reason == .cancelled ? .interrupted : .failed, error.message(in: .shared))
    case let error as StoreError: CommandFailure(.failed, error.message(in: .shared))
    default: CommandFailure(.failed, "\(error)")
    }
  }

  private func accounts(_ book: AddressBook) throws -> [AccountSync] {
    let folder = AccountFolder(book.location)
    let accounts = folder.accounts()
    guard !accounts.isEmpty else { throw CommandFailure(.misuse, strings("Misuse/noAccount")) }
    return accounts.enumerated().map { AccountSync(account: $1, folder: folder, isFirst: $0 == 0) }
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
