import AddressBookModel
import Contacts
import Dispatch
import FolderSync
import SystemCalls
import TerminalKit

/// Syncs in the background, when asked and by the settings, and adds and removes accounts.
///
/// A sync is like one by another process: it has its own steps in the history, and contacts may be edited meanwhile.
@MainActor
final class SyncActions: BrowserAction {
  let parts: BrowserParts
  /// Called when a sync made progress or ended, and when accounts changed.
  var onChange: (@MainActor () -> Void)?
  /// What the running sync does; nil if none is running.
  private(set) var progress: String?
  private var isCancelled = CancellationFlag()
  private let work = DispatchGroup()

  init(_ parts: BrowserParts) { self.parts = parts }

  func open() { environment.screens.push(SyncScreen(environment: environment, actions: self)) }

  func entries() throws(StoreError) -> [SyncEntry] { try SyncEntry.all(of: environment.book, records) }

  private var records: SyncRecords? { environment.syncRecords }

  // MARK: Syncing

  /// Syncs at the start, and then at intervals, if it is so set; called after the first frame.
  func start() {
    if environment.configuration.syncsAtStart { runAll() }
    schedule()
  }

  private func schedule() {
    let minutes = environment.configuration.syncMinutes
    guard minutes > 0 else { return }
    environment.loop.schedule(after: minutes * 60_000) { [weak self] in
      self?.runAll()
      self?.schedule()
    }
  }

  /// Syncs everything, unless `sync --watch` does.
  private func runAll() {
    guard environment.refusal == nil, !SyncWatcher.isRunning(book: environment.book) else { return }
    do {
      run(try entries().request)
    } catch {
      // The list reports a book that cannot be read.
    }
  }

  func run(_ request: SyncRequest) {
    guard !request.isEmpty, progress == nil else { return }
    let (strings, book, loop, records) = (strings, environment.book, environment.loop, records)
    let flag = CancellationFlag()
    isCancelled = flag
    progress = strings("sync.running")
    onChange?()
    let report = { @Sendable (name: String, step: SyncProgress) in
      let share = strings.percent(Double(step.done) / Double(max(step.total, 1)))
      loop.post { [weak self] in self?.show(progress: strings("sync.progress", name, share)) }
    }
    DispatchQueue.global(qos: .utility).async(group: work) { [weak self] in
      let problems = Self.sync(request, book, records, strings, isCancelled: { flag.isSet }, report)
      loop.post { self?.end(problems) }
    }
  }

  /// - Returns: how many accounts and folders were not synced, or have something to decide.
  private nonisolated static func sync(
    _ request: SyncRequest, _ book: AddressBook, _ records: SyncRecords?, _ strings: Strings,
    isCancelled: @escaping () -> Bool, _ report: @escaping (String, SyncProgress) -> Void
  ) -> Int {
    var count = 0
    if !request.accounts.isEmpty {
      let sync = AccountSync(book: book, accounts: request.accounts)
      (sync.prefers, sync.forcesDeletion) = (request.prefers, request.forcesDeletion)
      (sync.records, sync.localization) = (records, strings.localization)
      // A password command that asks would draw on this screen.
      sync.terminal = .none
      (sync.isCancelled, sync.onProgress) = (isCancelled, report)
      let outcome = sync.run()
      count += outcome.problems.count + outcome.reports.filter { $0.isIncomplete || $0.refused != nil }.count
    }
    let hasAccounts = !AccountFolder(book.location).accounts().isEmpty
    for path in request.folders where !isCancelled() {
      let sync = FolderSync(book: book, path: path)
      (sync.prefers, sync.forcesDeletion) = (request.prefers, request.forcesDeletion)
      // Contacts that are in no folder belong to the first account, or to the only folder.
      sync.adoptsFreeContacts = !hasAccounts && request.folders.count == 1
      sync.isCancelled = isCancelled
      sync.onProgress = { report(Folder.split(path).name, $0) }
      do {
        let done = try sync.run()
        records?.keep(SyncRecord(done, in: strings.localization), of: path)
        if done.isIncomplete || done.refused != nil { count += 1 }
      } catch {
        records?.keep(SyncRecord([SyncProblem(error)], in: strings.localization), of: path)
        count += 1
      }
    }
    return count
  }

  private func show(progress text: String) {
    guard progress != nil else { return }
    progress = text
  }

  private func end(_ problems: Int) {
    progress = nil
    onChange?()
    // The screen of syncs shows them itself.
    guard problems > 0, !isCancelled.isSet, status.message == nil, !(environment.screens.top is SyncScreen) else {
      return
    }
    let key = environment.keys.label(of: .sync, in: .list)
    status.say(strings.count("status.syncProblems", problems, key))
  }

  func stop() { isCancelled.set() }

  /// Stops a sync and waits until it ends, but at most two seconds: it checks often whether it was canceled.
  func stopAndWait() {
    stop()
    _ = work.wait(timeout: .now() + .seconds(2))
  }

  // MARK: Deciding

  /// Asks which side wins the conflicts, or whether what is missing on one side is deleted on the other.
  func decide(_ entry: SyncEntry) {
    guard entry.isUndecided else { return status.say(strings("sync.decide.nothing")) }
    let choices = ["sync.decide.book", "sync.decide.folder", "sync.decide.delete"]
    environment.choose(
      title: strings("sync.decide.title", entry.folder?.name ?? entry.account?.name ?? ""),
      items: choices.map { strings($0) }
    ) { [self] choice in
      guard case .item(let index) = choice else { return }
      var request = entry.request
      request.prefers = [.mine, .theirs, nil][index]
      request.forcesDeletion = index == 2
      run(request)
    }
  }

  // MARK: Accounts

  func askForAccount() {
    environment.screens.push(
      AccountForm(environment: environment) { [self] account throws(AccountFormFailure) in
        do {
          try AccountFolder(environment.book.location).addNew(account)
        } catch let problem as AccountProblem {
          throw .problem(problem)
        } catch {
          throw .file(BackupMessage.text(of: error, in: strings.localization))
        }
        onChange?()
        status.say(strings("sync.added", account.name, environment.keys.label(of: .syncRun, in: .sync)))
      })
  }

  func askToRemove(_ entry: SyncEntry) {
    guard progress == nil else { return status.say(strings("sync.running")) }
    // A folder of an account would come back with the next sync.
    let account = entry.account
    let name = account?.name ?? entry.folder?.name ?? ""
    environment.ask(
      strings("sync.remove", name), detail: strings("sync.remove.detail"),
      answers: [
        .init(key: "y", word: strings("sync.remove.yes")) { [self] in remove(account, entry.folder, name) },
        .init(key: "n", word: strings("sync.remove.no")) {},
      ])
  }

  private func remove(_ account: Account?, _ folder: ContactFolder?, _ name: String) {
    do {
      if let account {
        _ = try AccountFolder(environment.book.location).remove(account, from: environment.book)
      } else if let folder {
        try environment.book.removeFolder(folder.id)
      }
      status.say(strings("sync.removed", name))
    } catch {
      status.fail(BackupMessage.text(of: error, in: strings.localization))
    }
    onChange?()
  }

  /// How to reach the servers that people ask about.
  func showGuide() {
    let topics = ["first", "nextcloud", "icloud", "fastmail", "google", "password", "folder"]
    environment.screens.push(
      TextPage(
        title: strings("sync.guide.title"), detail: "",
        paragraphs: topics.flatMap { [strings("sync.guide." + $0), " "] },
        environment: environment))
  }
}
