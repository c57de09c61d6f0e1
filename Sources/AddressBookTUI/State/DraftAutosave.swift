import AddressBookModel
import Dispatch
import Synchronization
import TerminalKit

/// Saves the input of the open form to disk at each pause and about every second, until the form is saved or discarded.
///
/// Drafts are written on another thread, one after the other, because a large note takes time to encode, and a disk may
/// be slow; only ``flush()`` writes on the calling thread. If several drafts are waiting, only the newest is written.
@MainActor
final class DraftAutosave {
  /// The pause in the input after which it is saved, in milliseconds.
  static let pause = 300
  /// The longest time from the first unsaved change to its save while the input goes on, in milliseconds.
  static let longest = 1000

  /// A write on the other thread.
  private final class Writing: Sendable {
    let draft: Draft
    /// The system's error message, if it failed.
    let failure = Mutex<String?>(nil)

    init(_ draft: Draft) { self.draft = draft }
  }

  private let store: any DraftStore
  private let loop: any ProgramLoop
  /// Runs writes, and removals that have to wait for one, in order.
  private let queue = DispatchQueue(label: "addressbook.drafts", qos: .userInitiated)
  private var pending: Draft?
  /// The current write; nil once its result has been handled, or once its draft has been discarded.
  private var writing: Writing?
  /// The timers for ``pause`` and ``longest``; nil while nothing is waiting.
  private var timers: (pause: TimerID, longest: TimerID)?
  /// True if a write became due while another draft was being written.
  private var isDue = false
  private var hasReportedFailure = false
  /// Called with the reason when a save fails; not called again until a save has succeeded.
  var onFailure: (@MainActor (String) -> Void)?

  init(store: any DraftStore, loop: any ProgramLoop) {
    self.store = store
    self.loop = loop
  }

  /// The path of this program's draft.
  var path: String { store.path }
  /// True when no draft is being written, other than a discarded one.
  var isIdle: Bool { writing == nil }

  /// Records the current input of the form.
  func update(_ draft: Draft) {
    pending = draft
    if let timers { loop.cancel(timers.pause) }
    timers = (schedule(Self.pause), timers?.longest ?? schedule(Self.longest))
  }

  private func schedule(_ delay: Int) -> TimerID { loop.schedule(after: delay) { [weak self] in self?.begin() } }

  private func stopTimers() {
    guard let timers else { return }
    loop.cancel(timers.pause)
    loop.cancel(timers.longest)
    self.timers = nil
  }

  private func begin() {
    stopTimers()
    guard writing == nil else {
      isDue = true
      return
    }
    isDue = false
    guard let draft = pending else { return }
    pending = nil
    let (store, loop, writing) = (store, loop, Writing(draft))
    self.writing = writing
    queue.async { [weak self] in
      let reason = Self.failure(writing: draft, to: store)
      writing.failure.withLock { $0 = reason }
      loop.post { self?.finish(writing) }
    }
  }

  /// Handles the result of a finished write, once.
  private func finish(_ ended: Writing) {
    guard writing === ended else { return }
    writing = nil
    let reason = ended.failure.withLock { $0 }
    // Retry after the next change, unless a newer draft is waiting.
    if reason != nil, pending == nil { pending = ended.draft }
    report(reason)
    if isDue { begin() }
  }

  private func report(_ reason: String?) {
    if let reason, !hasReportedFailure { onFailure?(reason) }
    hasReportedFailure = reason != nil
  }

  private nonisolated static func failure(writing draft: Draft, to store: any DraftStore) -> String? {
    do {
      try store.write(draft)
      return nil
    } catch {
      return error.message
    }
  }

  /// Writes the waiting draft and waits until it is done, for example when the program is being terminated.
  /// - Returns: the system's error message if the write failed; it is retried next time.
  @discardableResult
  func flush() -> String? {
    queue.sync {}
    isDue = false
    if let writing { finish(writing) }
    guard let draft = pending else { return nil }
    let reason = Self.failure(writing: draft, to: store)
    if reason == nil { pending = nil }
    report(reason)
    return reason
  }

  /// Removes the draft: the form was saved or canceled, or its input is unchanged again.
  func discard() {
    stopTimers()
    pending = nil
    isDue = false
    let wasWriting = writing != nil
    writing = nil
    // If a write is in progress, remove its file afterwards, without waiting.
    if wasWriting { queue.async { [store] in Self.remove(store) } } else { Self.remove(store) }
  }

  private nonisolated static func remove(_ store: any DraftStore) {
    do {
      try store.remove()
    } catch {
      // The draft is then offered at the next start.
    }
  }
}
