import AddressBookModel
import Contacts
import Dispatch
import Glibc
import TerminalKit

/// The daily work in the background: completes the book's checksums, makes its backup, and then removes what has been
/// deleted for too long. It runs after the first frame and after writes, until a run on that day makes the backup or
/// fails, and waits while the user presses keys. An error does not replace another message, unless it says that the
/// book is damaged.
@MainActor
final class DailyMaintenance {
  private let book: AddressBook
  private let backup: AutomaticBackup
  /// Days that deleted contacts are kept; 0 for no limit.
  private let trashDays: Int
  private let status: StatusLine
  private let strings: Strings
  private let loop: any ProgramLoop
  private let pause: KeyPause
  private let work = DispatchGroup()
  private var isScheduled = false
  /// The day of the last run that made a backup or failed.
  private var doneDay: CalendarDay?
  /// The delay of a run, in milliseconds: the search index and the first key presses come first.
  private static let delay = 2000

  init(
    book: AddressBook, count: Int, trashDays: Int, status: StatusLine, strings: Strings, loop: any ProgramLoop,
    pause: KeyPause = KeyPause()
  ) {
    self.book = book
    self.trashDays = trashDays
    backup = AutomaticBackup(of: book, keeping: count)
    self.status = status
    self.strings = strings
    self.loop = loop
    self.pause = pause
  }

  /// Schedules a run, unless one has already made a backup or failed today. Call this after the first frame and after
  /// writes.
  func schedule() {
    guard !isScheduled, doneDay != CalendarDay(at: time(nil)) else { return }
    isScheduled = true
    loop.schedule(after: Self.delay) { [weak self] in self?.run() }
  }

  /// Call this when the user presses a key.
  func noteKey() { pause.note() }

  /// Cancels a run and waits until it ends, but at most two seconds. Most of the work checks often whether it was
  /// canceled.
  func stop() {
    pause.cancel()
    _ = work.wait(timeout: .now() + .seconds(2))
  }

  private func run() {
    let (book, backup, pause, loop, day) = (book, backup, pause, loop, CalendarDay(at: time(nil)))
    let trashDays = trashDays
    pause.begin()
    DispatchQueue.global(qos: .background).async(group: work) { [weak self] in
      let result = Result {
        if pause.waitOrStop() { throw CancellationError() }
        do {
          // Other programs write contacts without checksums.
          try book.completeChecksums(isCancelled: pause.waitOrStop)
        } catch {
          // Another program is writing for a long time, or the disk is full: the next run tries again.
        }
        let path = try backup.run(on: day, isThorough: true, isCancelled: pause.waitOrStop)
        if pause.waitOrStop() { throw CancellationError() }
        // After the backup, which still has the contacts that are removed here.
        if trashDays > 0, !book.isReadOnly { try book.emptyTrash(olderThanDays: trashDays) }
        return path
      }
      loop.post { self?.end(result, day) }
    }
  }

  private func end(_ result: Result<String?, any Error>, _ day: CalendarDay) {
    isScheduled = false
    switch result {
    case .success(let path): if path != nil { doneDay = day }
    case .failure(let error):
      doneDay = day
      guard !(error is CancellationError), (error as? StoreError)?.reason != .cancelled else { return }
      let message = strings("status.backupFailed", BackupMessage.text(of: error, in: strings.localization))
      if (error as? BackupError)?.reason == .damaged { return status.fail(message) }
      if status.message == nil { status.say(message) }
    }
  }
}
