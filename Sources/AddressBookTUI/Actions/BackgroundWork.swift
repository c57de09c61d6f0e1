import AddressBookModel
import BookInterchange
import Dispatch
import Synchronization
import TerminalKit

/// Runs work on another thread, one task at a time for each instance: while a task is running, others are refused with
/// a message.
@MainActor
final class BackgroundWork {
  /// The running task; nil if there is none.
  private(set) var task: RunningTask?
  private let environment: AppEnvironment
  private let status: StatusLine

  init(status: StatusLine, environment: AppEnvironment) {
    self.status = status
    self.environment = environment
  }

  /// True, with a message, while a task is running. ``run(_:stopped:_:failed:done:)`` checks this itself; actions that
  /// would open or close a screen before the work check it earlier.
  func refusesWork() -> Bool {
    guard task != nil else { return false }
    status.say(environment.strings("status.busy"))
    return true
  }

  /// Asks the running task to stop.
  /// - Returns: false if there is none, or if it was asked before.
  func stop() -> Bool {
    guard let task, !task.isCancelled.isSet else { return false }
    task.cancel()
    return true
  }

  /// How background work reports progress and checks for cancellation.
  struct Report: Sendable {
    var progress: @Sendable (String) -> Void
    var isCancelled: @Sendable () -> Bool
  }

  /// The result of a write.
  struct Outcome: Sendable {
    var message: String
    /// The number of contacts written, or 1 for a change of groups; if 0, there is nothing to undo.
    var count: Int
    /// The notices of an import.
    var notices: ImportNotices?
  }

  /// Runs a write on another thread; the write can be undone.
  /// - Parameters:
  ///   - stopped: key of the message shown when the work is stopped.
  ///   - failed: returns true if it has handled the error.
  ///   - done: called before the message is shown.
  func write(
    _ text: String, stopped: String = "status.importStopped", _ work: @escaping @Sendable (Report) throws -> Outcome,
    failed: @escaping @MainActor (any Error) -> Bool = { _ in false },
    done: @escaping @MainActor (Outcome) -> Void = { _ in }
  ) {
    let status = status
    run(text, stopped: stopped, work, failed: failed) { result in
      done(result)
      status.show(result.message, changed: result.count)
    }
  }

  /// Runs work on another thread. Does nothing, except for a message, while other work is running.
  /// - Parameters:
  ///   - stopped: key of the message shown when the work is stopped.
  ///   - failed: returns true if it has handled the error.
  func run<Value: Sendable>(
    _ text: String, stopped: String, _ work: @escaping @Sendable (Report) throws -> Value,
    failed: @escaping @MainActor (any Error) -> Bool = { _ in false }, done: @escaping @MainActor (Value) -> Void
  ) {
    guard !refusesWork() else { return }
    let task = RunningTask(text: text)
    self.task = task
    let flag = task.isCancelled
    let loop = environment.loop
    let report = Report(
      progress: { text in loop.post { task.text = text } }, isCancelled: { flag.isSet })
    DispatchQueue.global(qos: .userInitiated).async { [weak self] in
      let result = Result { try work(report) }
      loop.post {
        self?.task = nil
        switch result {
        case .success(let value): done(value)
        case .failure(let error):
          guard let self, !failed(error) else { return }
          if self.isStop(error) {
            self.status.say(self.environment.strings(stopped))
          } else {
            self.status.fail(self.reason(of: error))
          }
        }
      }
    }
  }

  func isStop(_ error: any Error) -> Bool {
    error is CancellationError || StoreError(behind: error)?.reason == .cancelled
  }

  func reason(of error: any Error) -> String { environment.strings.reason(of: error) }
}

extension Strings {
  /// Why background work failed.
  func reason(of error: any Error) -> String {
    StoreError(behind: error)?.message(in: localization) ?? (error as? ImportError)?.message(in: localization)
      ?? String(describing: error)
  }
}

@MainActor
final class RunningTask {
  /// The progress, as shown to the user.
  var text: String
  /// Checked by the work, on its own thread.
  let isCancelled: CancellationFlag = CancellationFlag()

  init(text: String) { self.text = text }

  /// Asks the work to stop; the task ends once the work notices.
  func cancel() { isCancelled.set() }
}

/// A request to stop, readable from any thread.
final class CancellationFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}
