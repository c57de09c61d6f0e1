import AddressBookModel
import FolderSync
import TerminalKit

/// Moves contacts to one of the folders that the book is synced with, or out of all of them.
@MainActor
final class FolderActions: BrowserAction {
  let parts: BrowserParts

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Lets the user choose a folder, or no folder, and moves all marked contacts, or the selected one.
  func askForFolder() {
    let (ids, strings) = (parts.listPane.chosenIDs, strings)
    guard !ids.isEmpty, let chosenText = parts.chosenText() else { return }
    let folders: [ContactFolder]
    do {
      folders = try environment.book.folders()
    } catch {
      return status.show(reading: error)
    }
    guard !folders.isEmpty else { return status.say(strings("folders.none")) }
    environment.choose(
      title: strings("folders.move"),
      items: folders.map { ChooserState.Item($0.name, dot: $0.dot) } + [ChooserState.Item(strings("folders.onlyHere"))],
      hint: chosenText
    ) { [self] choice in
      guard case .item(let index) = choice else { return }
      move(ids, to: index < folders.count ? folders[index] : nil)
    }
  }

  private func move(_ ids: [Int64], to folder: ContactFolder?) {
    if ids.count > ContactEditor.bulkThreshold { return moveInBackground(ids, to: folder) }
    do {
      let moved = try environment.book.move(ids, to: folder, in: editor.session, waitsBriefly: true)
      list.discardDetail()
      status.show(Self.message(moved, of: ids.count, folder, strings), changed: moved)
    } catch {
      parts.show(error) { [self] in move(ids, to: folder) }
    }
  }

  /// How many contacts were moved, or that none had to be.
  private nonisolated static func message(
    _ moved: Int, of count: Int, _ folder: ContactFolder?, _ strings: Strings
  ) -> String {
    strings.changed(folder == nil ? "status.movedOut" : "status.moved", moved, of: count, folder?.name)
  }

  private func moveInBackground(_ ids: [Int64], to folder: ContactFolder?) {
    let (strings, book, session) = (strings, environment.book, editor.session)
    let name = StepName(.move, folder?.name ?? "").text(in: strings.localization, count: ids.count)
    work.write(strings("status.writing", name, ""), stopped: "status.writeStopped") { report in
      let count = try book.move(ids, to: folder, in: session, isCancelled: report.isCancelled) { share in
        report.progress(strings("status.writing", name, " " + strings.percent(share)))
      }
      return BackgroundWork.Outcome(message: Self.message(count, of: ids.count, folder, strings), count: count)
    } failed: { [self] error in
      guard !work.isStop(error), let error = error as? StoreError else { return false }
      parts.show(error, isRequested: false) { [self] in move(ids, to: folder) }
      return true
    } done: { [self] _ in
      list.discardDetail()
    }
  }
}

/// Follows syncs by other processes: says how many contacts they changed, and whether `sync --watch` is running, and
/// takes over a new name of the displayed folder.
@MainActor
final class SyncFollowing {
  private let parts: BrowserParts
  /// The id of the newest history step seen so far; nil before ``start()``.
  private var lastStep: Int64?
  /// Milliseconds between checks whether `sync --watch` is running.
  private static let interval = 10_000

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Starts following; called after the first frame.
  func start() {
    lastStep = newestStep?.id ?? 0
    check()
  }

  /// Says how many contacts a sync changed, if it made the newest step and no other message is shown; called after
  /// anyone wrote contacts.
  func follow() {
    refreshFolder()
    guard let last = lastStep, let step = newestStep, step.id > last else { return }
    lastStep = step.id
    guard step.name.action == .sync, step.kind == .change, parts.status.message == nil else { return }
    parts.status.say(parts.environment.strings.count("status.synced", step.count))
  }

  private var newestStep: EditStep? {
    do {
      return try parts.environment.book.history(limit: 1).first
    } catch {
      // The list reports a book that cannot be read.
      return nil
    }
  }

  private func refreshFolder() {
    do {
      try parts.list.refreshFolder()
    } catch {
      // The list reports a book that cannot be read.
    }
  }

  private func check() {
    let environment = parts.environment
    refreshFolder()
    environment.isSyncing = SyncWatcher.isRunning(book: environment.book)
    environment.loop.schedule(after: Self.interval) { [weak self] in self?.check() }
  }
}
