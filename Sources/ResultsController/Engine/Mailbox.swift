import Synchronization

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
