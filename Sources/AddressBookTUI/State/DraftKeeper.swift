import AddressBookModel
import Dispatch
import Synchronization
import TerminalKit

/// Keeps what is typed in the open form on the disk, at most every few seconds, until it is saved or discarded.
///
/// It is written on a thread of its own, one draft after the other: a note of megabytes takes long to encode, and a disk long to
/// answer. Of drafts that wait, only the newest is written.
@MainActor
final class DraftKeeper {
  /// At most so long is typed in vain, in milliseconds.
  static let interval = 2000

  /// A write on the other thread.
  private final class Writing: Sendable {
    let draft: Draft
    /// Why it could not be done, in the system's words.
    let failure = Mutex<String?>(nil)

    init(_ draft: Draft) { self.draft = draft }
  }

  private let store: any DraftStore
  private let loop: any ProgramLoop
  /// Writes and removals, in their order.
  private let queue = DispatchQueue(label: "addressbook.drafts", qos: .userInitiated)
  private var pending: Draft?
  /// What is being written; nil once its result was taken.
  private var writing: Writing?
  private var isScheduled = false
  /// True when the time came while another draft was being written.
  private var isDue = false
  private var hasToldFailure = false
  /// Told why nothing could be kept: once, until something is kept again.
  var onFailure: (@MainActor (String) -> Void)?

  init(store: any DraftStore, loop: any ProgramLoop) {
    self.store = store
    self.loop = loop
  }

  /// Where this program keeps its draft.
  var path: String { store.path }
  /// True when nothing is being written.
  var isIdle: Bool { writing == nil }

  /// Takes note of what the form holds now.
  func note(_ draft: Draft) {
    pending = draft
    guard !isScheduled else { return }
    isScheduled = true
    loop.schedule(after: Self.interval) { [weak self] in
      self?.isScheduled = false
      self?.begin()
    }
  }

  private func begin() {
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

  /// Takes the result of a write that has ended, once.
  private func finish(_ ended: Writing) {
    guard writing === ended else { return }
    writing = nil
    let reason = ended.failure.withLock { $0 }
    // It is tried again next time, unless something newer waits.
    if reason != nil, pending == nil { pending = ended.draft }
    tell(reason)
    if isDue { begin() }
  }

  private func tell(_ reason: String?) {
    if let reason, !hasToldFailure { onFailure?(reason) }
    hasToldFailure = reason != nil
  }

  private nonisolated static func failure(writing draft: Draft, to store: any DraftStore) -> String? {
    do {
      try store.write(draft)
      return nil
    } catch {
      return error.message
    }
  }

  /// Writes what waits to be written, as when the program is being ended, and waits until it is done.
  /// - Returns: why it could not be written, in the system's words; it is tried again next time.
  @discardableResult
  func flush() -> String? {
    queue.sync {}
    isDue = false
    if let writing { finish(writing) }
    guard let draft = pending else { return nil }
    let reason = Self.failure(writing: draft, to: store)
    if reason == nil { pending = nil }
    tell(reason)
    return reason
  }

  /// The form was saved or left: nothing is to be offered.
  func forget() {
    pending = nil
    isDue = false
    let wasWriting = writing != nil
    writing = nil
    // After a write that is under way, for which nobody waits.
    if wasWriting { queue.async { [store] in Self.remove(store) } } else { Self.remove(store) }
  }

  private nonisolated static func remove(_ store: any DraftStore) {
    do {
      try store.remove()
    } catch {
      // It is offered once more then.
    }
  }
}
