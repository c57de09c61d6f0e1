import Synchronization

/// Long work in the background that says how far it is and can be stopped.
@MainActor
final class RunningTask {
  /// What the bottom line says while it runs.
  var text: String
  /// Asked by the work, from its own thread.
  let isCancelled: CancellationFlag = CancellationFlag()

  init(text: String) { self.text = text }

  /// Asks the work to stop; it answers when it has.
  func cancel() { isCancelled.set() }
}

/// A wish to stop, which any thread may see.
final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}
