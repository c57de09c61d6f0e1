import Synchronization

/// Holds the one update that a listener has not taken yet. The engine takes it back before it makes a newer one, so that
/// a slow listener gets one update for all that happened.
final class Mailbox: Sendable {
  private struct State {
    var update: ResultsUpdate?
    var error: ResultsError?
    var isNotified = false
  }

  private let state = Mutex(State())
  private let notify: @Sendable (Mailbox) -> Void

  /// `notify` is called when there is something to take and the listener does not know yet.
  init(notify: @escaping @Sendable (Mailbox) -> Void) { self.notify = notify }

  /// For the engine: the update that was not taken, which is then no longer in the box.
  func retract() -> ResultsUpdate? {
    state.withLock { state in
      defer { state.update = nil }
      return state.update
    }
  }

  /// For the engine.
  func put(_ update: ResultsUpdate) { put { $0.update = update } }

  /// For the engine.
  func put(_ error: ResultsError) { put { $0.error = error } }

  /// For the listener, on its thread.
  func take() -> (update: ResultsUpdate?, error: ResultsError?) {
    state.withLock { state in
      defer { state = State() }
      return (state.update, state.error)
    }
  }

  private func put(_ change: (inout State) -> Void) {
    let isNew = state.withLock { state in
      change(&state)
      defer { state.isNotified = true }
      return !state.isNotified
    }
    if isNew { notify(self) }
  }
}
