import ChangeLog
import Synchronization

/// The listeners of an engine, the list that was most recently sent to them, and the changes that each has not taken
/// yet. Used on the engine's queue. A mailbox may call its consumer at once, and the consumer may use the engine, so no
/// exclusive access to this state is held during the call.
final class EngineListeners {
  private struct Listener {
    let mailbox: Mailbox
    /// The rows written since the list that the listener knows.
    var touched: [Int64: Touch] = [:]
    /// Whether the list also changed in other ways, for example by a filter.
    var mustCompare = false
    /// Whether the listener gets the whole list before the first change.
    var wantsInitial = false
    /// Whether no row was written, so that a change of the request's ids only inserts or deletes rows; see
    /// ``ResultsUpdate/keepsRows``.
    var keepsRows = false
    var onEnd: (@Sendable () -> Void)?
  }

  private(set) var snapshot = ResultsSnapshot.unfetched
  private var listeners: [Listener] = []

  var isEmpty: Bool { listeners.isEmpty }

  /// Whether a listener also wants the written rows that the list does not show.
  var wantsWrites: Bool { listeners.contains { $0.mailbox.wantsWrites } }

  func add(_ mailbox: Mailbox, wantsInitial: Bool, onEnd: (@Sendable () -> Void)?) {
    listeners.append(Listener(mailbox: mailbox, wantsInitial: wantsInitial, onEnd: onEnd))
  }

  func remove(_ mailbox: Mailbox) { listeners.removeAll { $0.mailbox === mailbox } }

  /// Removes all listeners, and tells them that tracking has ended.
  func removeAll() {
    for listener in listeners { listener.onEnd?() }
    listeners = []
  }

  /// Makes all listeners start from a list.
  func restart(from snapshot: ResultsSnapshot) {
    self.snapshot = snapshot
    for index in listeners.indices {
      _ = listeners[index].mailbox.retract()
      listeners[index].touched = [:]
      listeners[index].mustCompare = false
      if listeners[index].wantsInitial, snapshot.isComplete {
        listeners[index].mailbox.put(ResultsUpdate(initial: snapshot))
      }
    }
  }

  /// Sends a new list to all listeners, combined with what each has not taken yet.
  /// - Parameters:
  ///   - rows: the rows that were written since the last list.
  ///   - mustCompare: whether the list also changed in other ways, for example by a filter.
  ///   - keepsRows: whether no row was written.
  func show(_ newSnapshot: ResultsSnapshot, _ rows: WrittenRows, mustCompare: Bool, keepsRows: Bool) {
    let previous = snapshot
    snapshot = newSnapshot
    for index in listeners.indices {
      var before = previous
      let waiting = listeners[index].mailbox.retract()
      if waiting?.isInitial == true || (listeners[index].wantsInitial && !previous.isComplete) {
        listeners[index].mailbox.put(ResultsUpdate(initial: snapshot))
        continue
      }
      if let waiting {
        before = waiting.before
        for (id, touch) in rows.touched {
          let base = listeners[index].touched[id].map(\.base) ?? touch.base
          listeners[index].touched[id] = Touch(base: base, latest: touch.latest)
        }
        if mustCompare { listeners[index].mustCompare = true }
        if !keepsRows { listeners[index].keepsRows = false }
      } else {
        listeners[index].touched = rows.touched
        listeners[index].mustCompare = mustCompare
        listeners[index].keepsRows = keepsRows
      }
      if let update = update(from: before, for: listeners[index]) { listeners[index].mailbox.put(update) }
    }
  }

  /// Nil if the listener would see no difference.
  private func update(from before: ResultsSnapshot, for listener: Listener) -> ResultsUpdate? {
    guard before.isComplete else {
      return ResultsUpdate(before: before, after: snapshot, changes: .empty, completesOpening: true)
    }
    let changes: ChangeSet
    if listener.mustCompare {
      let hasSameOrder =
        if let old = before.plan, let new = snapshot.plan { old.request.hasSameOrder(as: new.request) } else { false }
      // If the counts are equal, only a comparison tells whether the rows are the same.
      if listener.keepsRows, hasSameOrder, before.count != snapshot.count {
        return ResultsUpdate(filteringFrom: before, to: snapshot)
      }
      // Even if no row moved, the list now answers another request.
      if !hasSameOrder { return ResultsUpdate(reorderingFrom: before, to: snapshot, touched: listener.touched) }
      changes = ChangeSet(comparing: before, with: snapshot, hasSameOrder: hasSameOrder, touched: listener.touched)
    } else {
      changes = ChangeSet(from: before, to: snapshot, touched: listener.touched)
    }
    return changes.isEmpty ? nil : ResultsUpdate(before: before, after: snapshot, changes: changes)
  }

  func notify(_ writes: ResultsWrites) {
    guard !writes.isEmpty else { return }
    for listener in listeners where listener.mailbox.wantsWrites { listener.mailbox.put(writes) }
  }

  func report(_ error: ResultsError) { for listener in listeners { listener.mailbox.put(error) } }
}

/// Holds what a listener has not taken yet: one update, the written rows and the latest error. The engine takes the
/// update back before it makes a newer one, so that a slow listener gets a single combined update.
final class Mailbox: Sendable {
  struct Content {
    var update: ResultsUpdate?
    var writes = ResultsWrites()
    var error: ResultsError?
  }

  private struct State {
    var content = Content()
    var isNotified = false
    var wantsWrites = false
  }

  private let state = Mutex(State())
  private let notify: @Sendable (Mailbox) -> Void

  /// - Parameter notify: called when there is something to take and the listener has not been notified yet.
  init(notify: @escaping @Sendable (Mailbox) -> Void) { self.notify = notify }

  /// Whether the listener also wants written rows that its list does not show. Each of them costs two lookups.
  var wantsWrites: Bool {
    get { state.withLock { $0.wantsWrites } }
    set { state.withLock { $0.wantsWrites = newValue } }
  }

  /// For the engine: takes back the update, if the listener has not taken it.
  func retract() -> ResultsUpdate? {
    state.withLock { state in
      defer { state.content.update = nil }
      return state.content.update
    }
  }

  func put(_ update: ResultsUpdate) { put { $0.update = update } }

  func put(_ writes: ResultsWrites) { put { $0.writes.merge(writes) } }

  func put(_ error: ResultsError) { put { $0.error = error } }

  /// For the listener, on its thread: takes everything.
  func take() -> Content {
    state.withLock { state in
      defer {
        state.content = Content()
        state.isNotified = false
      }
      return state.content
    }
  }

  private func put(_ change: (inout Content) -> Void) {
    let isNew = state.withLock { state in
      change(&state.content)
      defer { state.isNotified = true }
      return !state.isNotified
    }
    if isNew { notify(self) }
  }
}

/// A flag that a newer request raises to stop the query of an older one.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() { flag.store(true, ordering: .relaxed) }
}
