import AddressBookModel
import ArgumentParser
import Contacts
import FolderSync
import Foundation
import Glibc
import SystemCalls

/// Syncs accounts: their folders with the servers, by vdirsyncer, and the book with the folders.
struct AccountSync {
  struct Result {
    var reports: [SyncReport] = []
    private(set) var failures: [CommandFailure] = []

    /// Adds a failure. The two runs of vdirsyncer often fail for the same reason.
    mutating func add(_ failure: CommandFailure) {
      if !failures.contains(where: { $0.message == failure.message }) { failures.append(failure) }
    }
  }

  let account: Account
  let folder: AccountFolder
  /// True for the first account. Unless `keepsLocal` is set, its first folder gets the contacts that are in no folder.
  let isFirst: Bool

  /// Fetches what is new on all servers, syncs the book with all folders, which shows cards that were moved between two
  /// of them, and uploads the result. If a server cannot be reached, its folders get the book's changes, and the next
  /// sync uploads them. A dry run uses no server.
  /// - Parameters:
  ///   - discovers: whether to look for new address books on the servers.
  ///   - quietly: true to print nothing if nothing was done.
  static func sync(
    _ accounts: [AccountSync], _ command: SyncCommand, _ book: AddressBook, discovers: Bool = true,
    quietly: Bool = false
  ) -> Result {
    var all = Result()
    let hasChanges = accounts.map(\.hasChanges)
    var isOnline: [Bool] = []
    for account in accounts {
      isOnline.append(command.isDryRun || account.fetch(command, book, discovers: discovers, &all))
    }
    for (account, (isOnline, hasChanges)) in zip(accounts, zip(isOnline, hasChanges)) {
      var result = Result()
      account.syncFolders(command, book, quietly: quietly, &result)
      if !command.isDryRun, result.reports.contains(where: { $0.toBook.total > 0 && $0.refused == nil }) {
        // What one folder changed may concern contacts of another.
        account.syncFolders(command, book, quietly: true, &result) { try $0.isPending() }
      }
      if isOnline, !command.isDryRun, hasChanges || result.reports.contains(where: { $0.toFolder.total > 0 }) {
        _ = account.run(command, book, discovers: false, &result)
      }
      all.reports += result.reports
      for failure in result.failures { all.add(failure) }
    }
    return all
  }

  private func fetch(_ command: SyncCommand, _ book: AddressBook, discovers: Bool, _ result: inout Result) -> Bool {
    // What was not uploaded, because a sync was interrupted or the server was away, is merged again with what is new.
    let uploads = !hasChanges
    var isReady = true
    for path in folder.cardFolders(of: account) {
      do {
        try folderSync(path, book).takeBack()
      } catch {
        result.add(SyncCommand.failure(error))
        isReady = false
      }
    }
    return isReady && run(command, book, discovers: discovers, uploads: uploads, &result)
  }

  /// Whether earlier syncs made changes that vdirsyncer has not uploaded. It cannot upload those of an address book that
  /// the user may not change.
  private var hasChanges: Bool {
    folder.cardFolders(of: account).contains { changes(of: Self.addressBook($0))?.isEmpty == false }
  }

  private static func addressBook(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

  private func changes(of addressBook: String) -> PreviousCards? {
    folder.isReadOnly(addressBook, of: account) ? nil : folder.previousCards(of: account, addressBook: addressBook)
  }

  private func folderSync(_ path: String, _ book: AddressBook) -> FolderSync {
    let sync = FolderSync(book: book, path: path)
    sync.previousCards = changes(of: Self.addressBook(path))
    return sync
  }

  /// Runs vdirsyncer.
  /// - Parameter uploads: false to fetch only.
  /// - Returns: false if it synced nothing.
  private func run(
    _ command: SyncCommand, _ book: AddressBook, discovers: Bool, uploads: Bool = true, _ result: inout Result
  ) -> Bool {
    guard let root = folder.folder(of: account) else { return false }
    guard account.allows(account.url) else {
      result.add(CommandFailure(.failed, strings("Failed/clearText", account.name, account.url)))
      return false
    }
    let empty: [String]
    do throws(StoreError) {
      empty = try folder.emptyFolders(of: account, in: book)
    } catch {
      result.add(CommandFailure(.failed, error.message(in: .shared)))
      return false
    }
    if uploads {
      for path in folder.cardFolders(of: account) {
        folder.previousCards(of: account, addressBook: Self.addressBook(path))?.beginUpload()
      }
    }
    do throws(Vdirsyncer.Failure) {
      let outcome = try Vdirsyncer(
        account: account, folder: root, program: Self.program, environment: ProcessInfo.processInfo.environment
      ).sync(
        discovers: discovers, uploads: uploads, forcesDeletion: command.forcesDeletion, empty: empty,
        prefers: command.prefer?.rawValue, isCancelled: { Interruption.wasRequested })
      if discovers {
        for book in outcome.refused { result.add(failure(book)) }
        if outcome.addressBooks.isEmpty, outcome.refused.isEmpty {
          result.add(CommandFailure(.nothingFound, strings("Failed/noAddressBook", account.name, account.url)))
        }
      }
      for problem in outcome.problems { result.add(failure(problem)) }
      if outcome.problems.contains(where: \.concernsAccount) { return false }
      for name in outcome.addressBooks where uploads && !outcome.problems.contains(where: { $0.addressBook == name }) {
        folder.previousCards(of: account, addressBook: name)?.clear()
      }
      if outcome.problems.isEmpty { folder.previousCards(of: account, addressBook: PreviousCards.conflicts)?.clear() }
      return true
    } catch {
      switch error {
      case .missing: result.add(CommandFailure(.failed, strings("Failed/noVdirsyncer")))
      case .failed(let problems): for problem in problems { result.add(failure(problem)) }
      case .cancelled: result.add(CommandFailure(.interrupted, strings("Failed/stopped")))
      }
      return false
    }
  }

  /// - Parameter isIncluded: chooses the folders; nil for all of them.
  private func syncFolders(
    _ command: SyncCommand, _ book: AddressBook, quietly: Bool, _ result: inout Result,
    where isIncluded: ((FolderSync) throws -> Bool)? = nil
  ) {
    let paths = folder.cardFolders(of: account)
    if paths.isEmpty, command.isDryRun { StandardError.line(strings("Sync/neverSynced", account.name)) }
    for (number, path) in paths.enumerated() {
      let addressBook = Self.addressBook(path)
      let name = account.name + ", " + addressBook
      do throws(CommandFailure) {
        if let isIncluded {
          do { guard try isIncluded(folderSync(path, book)) else { continue } } catch {
            throw SyncCommand.failure(error)
          }
        }
        result.reports.append(
          try command.sync(
            path, book, name: name, adoptsFree: isFirst && number == 0 && !account.keepsLocal,
            previousCards: folder.previousCards(of: account, addressBook: addressBook), quietly: quietly))
      } catch {
        result.add(error)
      }
    }
  }

  private func failure(_ book: RefusedAddressBook) -> CommandFailure {
    CommandFailure(
      .nothingFound, strings("Failed/refused." + book.reason.rawValue, account.name, PlainText.cell(book.name)))
  }

  /// The path of this program, even if it was started through a symbolic link.
  private static var program: String {
    RealPath.destination(ofLink: "/proc/self/exe") ?? CommandLine.arguments[0]
  }

  private func failure(_ problem: VdirsyncerProblem) -> CommandFailure {
    let place = problem.addressBook.map(PlainText.cell)
    let detail = problem.reason == .password ? account.passwordCommand : problem.detail
    return CommandFailure(
      problem.reason == .readOnly ? .nothingFound : .failed,
      strings(
        "Failed/vdirsyncer." + problem.reason.rawValue, place.map { account.name + ", " + $0 } ?? account.name,
        account.url, detail))
  }
}

/// `addressbook merge-cards`: merges two versions of a card; run by vdirsyncer, whose configuration names this command.
/// Afterwards both files contain the merged card; if there is a conflict, they are not changed and the status is 1.
struct MergeCardsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "merge-cards", shouldDisplay: false)

  @Argument var previous: String
  @Argument var mine: String
  @Argument var theirs: String

  func run() throws {
    let prefers = SyncCommand.Preferred(rawValue: ProcessEnvironment["ADDRESSBOOK_PREFER"] ?? "")
    let files = try [mine, theirs].map { try FileBytes.read($0) ?? [] }
    let base = try PreviousCards.card(like: files[0], in: previous)
    let conflicts = PreviousCards(folder: previous + "/" + PreviousCards.conflicts)
    let open = try conflicts.conflict(like: files[0])
    guard let merged = CardMerge(base: base, mine: files[0], theirs: files[1], open: open, prefers: prefers?.side)
    else {
      try conflicts.saveConflict(mine: files[0], theirs: files[1])
      throw CommandFailure(.nothingFound, strings("Sync/cardConflict"))
    }
    for path in [mine, theirs] { try FileReplacement.write(merged.bytes, to: path) }
  }
}
