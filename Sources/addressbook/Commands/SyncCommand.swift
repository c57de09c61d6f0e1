import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts

/// `addressbook sync`: makes the book and a folder of vCards the same.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: strings("Help/sync"), discussion: strings("Help/sync.discussion"))

  /// The side that wins conflicts.
  enum Preferred: String, ExpressibleByArgument, CaseIterable {
    case book
    case folder
  }

  @OptionGroup var book: BookOptions

  @Flag(name: .customLong("dry-run"), help: help("syncDryRun"))
  var isDryRun = false

  @Flag(name: .long, help: help("syncJSON"))
  var json = false

  @Option(name: .long, help: help("prefer"))
  var prefer: Preferred?

  @Flag(name: .customLong("force-delete"), help: help("forceDelete"))
  var forcesDeletion = false

  @Argument(help: help("syncFolder", valueName: "folder"), completion: .directory)
  var folder: String

  func run() throws {
    Interruption.watch()
    let book = try isDryRun ? book.openForTrial() : book.openToChange()
    defer { book.closeAfterWriting() }
    let progress = ProgressBar()
    let sync = FolderSync(book: book, path: folder)
    sync.isDryRun = isDryRun
    sync.prefers = prefer.map { $0 == .book ? .mine : .theirs }
    sync.forcesDeletion = forcesDeletion
    sync.isCancelled = { Interruption.wasRequested }
    sync.onProgress = { step in
      progress.show(strings("Import/progress", count: step.done), Double(step.done) / Double(max(step.total, 1)))
    }
    let report: SyncReport
    do {
      defer { progress.clear() }
      report = try sync.run()
    } catch let error as SyncError where error.reason == .cancelled {
      throw CommandFailure(.interrupted, error.message(in: .shared))
    } catch let error as SyncError {
      throw CommandFailure(.failed, error.message(in: .shared))
    }
    try SyncText(report).print(json: json)
    if report.refused != nil { throw CommandFailure(.failed, "") }
    if report.isIncomplete { throw CommandFailure(.nothingFound, "") }
  }
}
