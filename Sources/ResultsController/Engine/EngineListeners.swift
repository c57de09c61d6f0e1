import ChangeLog

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
