import AddressBookModel
import Contacts
import Foundation
import Messages
import SystemCalls

/// Syncs the folders of accounts with the servers, by vdirsyncer, and a book with the folders.
///
/// First it fetches what is new on all servers. Then it syncs the book with all folders, which shows cards that were moved
/// between two of them, and uploads the result. If a server cannot be reached, its folders get the book's changes, and
/// the next sync uploads them. A dry run uses no server.
public final class AccountSync {
  /// What a sync did, and what it could not do.
  public struct Outcome: Sendable {
    /// The reports of the folders, in the order in which they were synced; some folders are synced twice.
    public internal(set) var reports: [SyncReport] = []
    /// Each problem once: the two runs of vdirsyncer often fail for the same reason.
    public private(set) var problems: [SyncProblem] = []

    mutating func add(_ problem: SyncProblem) {
      if !problems.contains(problem) { problems.append(problem) }
    }
  }

  /// True to change nothing, and to report what would be done.
  public var isDryRun = false
  /// The side that wins conflicts: mine is the book, theirs the folder; nil leaves them open.
  public var prefers: ThreeWayMerge.Side?
  /// True to delete even if most or all cards are missing on one side.
  public var forcesDeletion = false
  /// Whether to look for new address books on the servers.
  public var discovers = true
  /// Whether the command that prints the password may ask on the terminal.
  public var terminal = ChildProcess.Terminal.shared
  /// Where the end of each sync is recorded; nil for nowhere.
  public var records: SyncRecords?
  /// The language of the records.
  public var localization = Localization.shared
  /// Called often; true stops the sync. What was done so far stays.
  public var isCancelled: () -> Bool = { false }
  /// Called with the name of a folder and the progress of its sync.
  public var onProgress: (String, SyncProgress) -> Void = { _, _ in }
  /// Called with the name of a folder and the report of its sync, as soon as it is done; `isRepeated` is true for what
  /// another folder's sync made necessary.
  public var onReport: (_ name: String, _ report: SyncReport, _ isRepeated: Bool) -> Void = { _, _, _ in }

  private let book: AddressBook
  private let accounts: [Account]
  private let folder: AccountFolder
  private var outcome = Outcome()

  /// Creates a sync.
  /// - Parameters:
  ///   - book: a book that is open for writing, or for reading if it is a dry run.
  ///   - accounts: some or all of the book's accounts.
  public init(book: AddressBook, accounts: [Account]) {
    self.book = book
    self.accounts = accounts
    folder = AccountFolder(book.location)
  }

  /// Runs the sync.
  public func run() -> Outcome {
    outcome = Outcome()
    let hasChanges = accounts.map(hasChanges)
    // The contacts that are in no folder are added to the first one, unless its account keeps them in the book.
    let first = folder.accounts().first
    let isOnline = accounts.map { isDryRun || fetch($0) }
    for (account, (isOnline, hasChanges)) in zip(accounts, zip(isOnline, hasChanges)) {
      let adopts = account.name == first?.name && !account.keepsLocal
      var reports = syncFolders(of: account, adopts: adopts, isRepeated: false)
      if !isDryRun, reports.contains(where: { $0.toBook.total > 0 && $0.refused == nil }) {
        // What one folder changed may concern contacts of another.
        reports += syncFolders(of: account, adopts: adopts, isRepeated: true)
      }
      if isOnline, !isDryRun, hasChanges || reports.contains(where: { $0.toFolder.total > 0 }) {
        _ = run(account, discovers: false, uploads: true)
      }
      outcome.reports += reports
    }
    record()
    return outcome
  }

  private func record() {
    guard let records, !isDryRun else { return }
    var reports: [String: SyncReport] = [:]
    for report in outcome.reports { reports[report.folder] = reports[report.folder]?.followed(by: report) ?? report }
    for (path, report) in reports { records.keep(SyncRecord(report, in: localization), of: path) }
    for account in accounts {
      guard let path = folder.folder(of: account) else { continue }
      let problems = outcome.problems.filter { $0.account.map { $0 == account } ?? true }
      records.keep(SyncRecord(problems, in: localization), of: path)
    }
  }

  private func fetch(_ account: Account) -> Bool {
    // What was not uploaded, because a sync was interrupted or the server was away, is merged again with what is new.
    let uploads = !hasChanges(account)
    var isReady = true
    for path in folder.cardFolders(of: account) {
      do {
        try folderSync(path, of: account).takeBack()
      } catch {
        outcome.add(SyncProblem(error))
        isReady = false
      }
    }
    return isReady && run(account, discovers: discovers, uploads: uploads)
  }

  /// Whether earlier syncs made changes that vdirsyncer has not uploaded. It cannot upload those of an address book that
  /// the user may not change.
  private func hasChanges(_ account: Account) -> Bool {
    folder.cardFolders(of: account).contains { changes(of: $0, account)?.isEmpty == false }
  }

  private func changes(of path: String, _ account: Account) -> PreviousCards? {
    let addressBook = Folder.split(path).name
    return folder.isReadOnly(addressBook, of: account)
      ? nil : folder.previousCards(of: account, addressBook: addressBook)
  }

  private func folderSync(_ path: String, of account: Account) -> FolderSync {
    let sync = FolderSync(book: book, path: path)
    sync.previousCards = changes(of: path, account)
    return sync
  }

  /// Runs vdirsyncer.
  /// - Parameter uploads: false to fetch only.
  /// - Returns: false if it synced nothing.
  private func run(_ account: Account, discovers: Bool, uploads: Bool) -> Bool {
    guard let root = folder.folder(of: account) else { return false }
    guard account.allows(account.url) else {
      outcome.add(.clearText(account))
      return false
    }
    let empty: [String]
    do throws(StoreError) {
      empty = try folder.emptyFolders(of: account, in: book)
    } catch {
      outcome.add(.book(error))
      return false
    }
    if uploads {
      for path in folder.cardFolders(of: account) {
        folder.previousCards(of: account, addressBook: Folder.split(path).name)?.beginUpload()
      }
    }
    do throws(Vdirsyncer.Failure) {
      let done = try Vdirsyncer(
        account: account, folder: root, program: Self.program, environment: ProcessInfo.processInfo.environment,
        terminal: terminal
      ).sync(
        discovers: discovers, uploads: uploads, forcesDeletion: forcesDeletion, empty: empty,
        prefers: prefers.map { $0 == .mine ? "book" : "folder" }, isCancelled: isCancelled)
      if discovers {
        for refused in done.refused { outcome.add(.refused(refused, account)) }
        if done.addressBooks.isEmpty, done.refused.isEmpty { outcome.add(.noAddressBook(account)) }
      }
      for problem in done.problems { outcome.add(.vdirsyncer(problem, account)) }
      if done.problems.contains(where: \.concernsAccount) { return false }
      for name in done.addressBooks where uploads && !done.problems.contains(where: { $0.addressBook == name }) {
        folder.previousCards(of: account, addressBook: name)?.clear()
      }
      if done.problems.isEmpty { folder.previousCards(of: account, addressBook: PreviousCards.conflicts)?.clear() }
      return true
    } catch {
      switch error {
      case .missing: outcome.add(.noVdirsyncer)
      case .failed(let problems): for problem in problems { outcome.add(.vdirsyncer(problem, account)) }
      case .cancelled: outcome.add(.stopped)
      }
      return false
    }
  }

  /// - Parameter isRepeated: true for only those folders that another one's sync concerns.
  private func syncFolders(of account: Account, adopts: Bool, isRepeated: Bool) -> [SyncReport] {
    var reports: [SyncReport] = []
    for (number, path) in folder.cardFolders(of: account).enumerated() {
      let addressBook = Folder.split(path).name
      let name = account.name + ", " + addressBook
      do {
        if isRepeated, try !folderSync(path, of: account).isPending() { continue }
        let sync = FolderSync(book: book, path: path)
        sync.isDryRun = isDryRun
        sync.prefers = prefers
        sync.forcesDeletion = forcesDeletion
        sync.adoptsFreeContacts = adopts && number == 0
        sync.previousCards = folder.previousCards(of: account, addressBook: addressBook)
        sync.isCancelled = isCancelled
        sync.onProgress = { [self] in onProgress(name, $0) }
        reports.append(try sync.run())
        onReport(name, reports[reports.count - 1], isRepeated)
      } catch {
        outcome.add(SyncProblem(error))
      }
    }
    return reports
  }

  /// The path of this program, even if it was started through a symbolic link.
  private static var program: String {
    RealPath.destination(ofLink: "/proc/self/exe") ?? CommandLine.arguments[0]
  }
}
