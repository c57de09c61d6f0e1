import AddressBookModel
import BookCare
import Contacts
import Dispatch
import Glibc
import TerminalKit

/// The daily work in the background: completes the book's checksums, makes its backup, and then removes what has been
/// deleted for too long. It runs after the first frame and after updates of the list, and waits while the user presses
/// keys. Once a run has made the backup or failed, there is no other run on that day, unless a step could not be done
/// because another write took too long; only the checksums are completed after each write of many contacts. An error does not replace another message, unless it says that the book is
/// damaged.
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
  /// The day on which there are no more runs; nil if there is none.
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

  /// Schedules a run, unless one is scheduled or no more are needed today. Call this after the first frame and after
  /// updates of the list.
  func schedule() {
    guard !isScheduled, doneDay != CalendarDay(at: time(nil)) || book.hasUncheckedWrites else { return }
    isScheduled = true
    loop.schedule(after: Self.delay) { [weak self] in self?.run() }
  }

  /// Call this for each event, such as a key: the work waits for a pause.
  func recordEvent() { pause.recordEvent() }

  /// Cancels a run and waits until it ends, but at most two seconds. Most of the work checks often whether it was
  /// canceled.
  func stop() {
    pause.cancel()
    _ = work.wait(timeout: .now() + .seconds(2))
  }

  /// Why a run ended early.
  private enum Failure: Error {
    case stopped
    case backup(any Error)
    /// The deleted contacts could not be removed.
    case trash(StoreError)
  }

  private func run() {
    let (book, backup, pause, loop, day) = (book, backup, pause, loop, CalendarDay(at: time(nil)))
    let (trashDays, isDone) = (trashDays, doneDay == day)
    pause.begin()
    DispatchQueue.global(qos: .background).async(group: work) { [weak self] in
      let result = Result { () throws(Failure) -> Bool in
        if pause.waitOrStop() { throw .stopped }
        var isComplete = true
        do throws(StoreError) {
          try book.completeChecksums(isCancelled: pause.waitOrStop)
        } catch {
          // The next run tries again.
          isComplete = error.reason != .busy
        }
        if isDone { return isComplete }
        let path: String?
        do {
          path = try backup.run(on: day, isThorough: true, isCancelled: pause.waitOrStop)
        } catch {
          throw .backup(error)
        }
        if pause.waitOrStop() { throw .stopped }
        // After the backup, which still has the contacts that are removed here.
        guard trashDays > 0, !book.isReadOnly else { return isComplete && path != nil }
        do throws(StoreError) {
          try book.emptyTrash(olderThanDays: trashDays)
        } catch {
          throw .trash(error)
        }
        return isComplete && path != nil
      }
      loop.post { self?.end(result, day) }
    }
  }

  /// - Parameter result: true if everything was done.
  private func end(_ result: Result<Bool, Failure>, _ day: CalendarDay) {
    isScheduled = false
    switch result {
    case .success(false): break
    case .success(true), .failure(.stopped): doneDay = day
    case .failure(.backup(let error)):
      // Another write took too long: the next run tries again.
      if (error as? StoreError)?.reason == .busy { return }
      doneDay = day
      guard !(error is CancellationError), (error as? StoreError)?.reason != .cancelled else { return }
      let message = strings("status.backupFailed", BackupMessage.text(of: error, in: strings.localization))
      show(message, isDamaged: (error as? BackupError)?.reason == .damaged)
    case .failure(.trash(let error)):
      // Another write took too long: the next run tries again.
      guard error.reason != .busy else { return }
      doneDay = day
      show(strings("status.trashFailed", error.message(in: strings.localization)), isDamaged: error.reason == .damaged)
    }
  }

  private func show(_ message: String, isDamaged: Bool) {
    if isDamaged {
      status.fail(message)
    } else if status.message == nil {
      status.say(message)
    }
  }
}

/// Checkpoints the write-ahead log shortly after a write, while the book stays open: a copy of the database file alone
/// is then complete, and a file that replaces it is not combined with the old log.
@MainActor
final class LogShortening {
  private let book: AddressBook
  private let loop: any ProgramLoop
  private var isScheduled = false
  /// The time from the first of several writes to the checkpoint, in milliseconds.
  private static let delay = 500

  init(book: AddressBook, loop: any ProgramLoop) {
    self.book = book
    self.loop = loop
  }

  /// Call this after each update of the list, which may follow a write.
  func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    loop.schedule(after: Self.delay) { [weak self] in
      guard let self else { return }
      isScheduled = false
      let book = book
      DispatchQueue.global(qos: .utility).async {
        book.shortenLog()
      }
    }
  }
}

/// The current date, for screens, which must not read the clock while they draw.
///
/// The clock is read with every event, and by a timer at midnight; the timer fires at least every hour, because it
/// stops while the machine sleeps. The date is computed again at midnight, every hour, and after the clock was set
/// back.
@MainActor
final class DayClock {
  private static let longestWait = 3600

  /// Seconds since 1970.
  private let now: @MainActor () -> Int
  private let loop: any ProgramLoop
  private var isTimed = false
  private var day: CalendarDay?
  /// The seconds for which `day` is valid: until midnight, but at most an hour, because the time zone may change.
  private var validity = 0..<0

  init(loop: any ProgramLoop, now: @escaping @MainActor () -> Int = { Int(time(nil)) }) {
    self.loop = loop
    self.now = now
  }

  /// The date as last determined; the first access also sets the timer.
  var today: CalendarDay {
    if let day { return day }
    let day = lookUp(at: now())
    wait()
    return day
  }

  /// Updates the date, if it has been used.
  func refresh() {
    guard day != nil else { return }
    let moment = now()
    if !validity.contains(moment) { _ = lookUp(at: moment) }
  }

  private func lookUp(at moment: Int) -> CalendarDay {
    let day = CalendarDay(at: moment)
    self.day = day
    validity = moment..<moment + min(Self.longestWait, CalendarDay.secondsToMidnight(from: moment))
    return day
  }

  private func wait() {
    guard !isTimed else { return }
    isTimed = true
    let seconds = min(Self.longestWait, CalendarDay.secondsToMidnight(from: now()))
    // The timer also makes the loop redraw, which only sends differences.
    loop.schedule(after: seconds * 1000) { [weak self] in
      self?.isTimed = false
      self?.refresh()
      self?.wait()
    }
  }
}
