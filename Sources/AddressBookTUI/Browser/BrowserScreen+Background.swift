import AddressBookModel
import Dispatch
import TerminalKit

/// Work on other threads, one piece at a time: its progress is in the bottom line, and Esc stops it.
extension BrowserScreen {
  /// True, with a message, while something runs in the background that must end first.
  var isBusy: Bool {
    guard task != nil else { return false }
    message = (environment.strings("status.busy"), false)
    return true
  }

  /// What work in the background can say and ask.
  struct Report: Sendable {
    var progress: @Sendable (String) -> Void
    var isCancelled: @Sendable () -> Bool
  }

  /// What was written in the background.
  struct Finished: Sendable {
    var message: String
    /// Name of the step of undo.
    var step: String
    var journal: BulkJournal
    var notices: ImportNotices?
  }

  /// Writes on a thread of its own; the result is one step of undo.
  /// - Parameters:
  ///   - stopped: the key of what is said when it was stopped.
  ///   - failed: true when it has dealt with an error.
  ///   - done: called before the message is shown.
  func writeInBackground(
    _ text: String, stopped: String = "status.importStopped", _ work: @escaping @Sendable (Report) throws -> Finished,
    failed: @escaping @MainActor (any Error) -> Bool = { _ in false }, done: @escaping @MainActor () -> Void = {}
  ) {
    let strings = environment.strings
    runInBackground(text, stopped: stopped, work, failed: failed) { [weak self] result in
      done()
      self?.editor.record(result.journal, name: result.step)
      if let notices = result.notices { self?.importNotices = notices }
      let reason = result.journal.failure.map { $0.message(in: strings.localization) }
      self?.message = (reason.map { strings("status.noUndo", result.message, $0) } ?? result.message, reason != nil)
    }
  }

  /// Deletes or changes so many people that it is done in the background.
  /// - Parameters:
  ///   - message: what is said when it is done.
  ///   - done: called before that.
  func editInBulk(
    _ ids: [Int64], _ edit: BulkEdit, step: String, message: String, done: @escaping @MainActor () -> Void = {}
  ) {
    guard !isBusy else { return }
    let (strings, book) = (environment.strings, environment.book)
    writeInBackground(strings("status.writing", step, ""), stopped: "status.writeStopped") { report in
      let journal = try book.bulkEdit(ids, edit, isCancelled: report.isCancelled) { share in
        report.progress(strings("status.writing", step, " (\(Int(share * 100)) %)"))
      }
      return Finished(message: message, step: step, journal: journal)
    } failed: { [weak self] error in
      guard let self, !isStop(error), let error = error as? StoreError else { return false }
      show(editor.failure(error), isAskedFor: false) { [weak self] in
        self?.editInBulk(ids, edit, step: step, message: message, done: done)
      }
      return true
    } done: {
      done()
    }
  }

  /// Runs work on a thread of its own, with its progress in the bottom line; Esc stops it.
  /// - Parameters:
  ///   - stopped: the key of what is said when it was stopped.
  ///   - failed: true when it has dealt with an error.
  func runInBackground<Value: Sendable>(
    _ text: String, stopped: String, _ work: @escaping @Sendable (Report) throws -> Value,
    failed: @escaping @MainActor (any Error) -> Bool = { _ in false }, done: @escaping @MainActor (Value) -> Void
  ) {
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
          self.message = self.message(of: error, stopped: stopped)
        }
      }
    }
  }

  private func message(of error: any Error, stopped: String) -> (text: String, isError: Bool) {
    isStop(error) ? (environment.strings(stopped), false) : (reason(of: error), true)
  }

  func isStop(_ error: any Error) -> Bool {
    error is CancellationError || storeError(error)?.reason == .cancelled
  }

  private func storeError(_ error: any Error) -> StoreError? {
    if case .store(let reason)? = error as? RevertError { return reason }
    return error as? StoreError
  }

  func reason(of error: any Error) -> String {
    let localization = environment.strings.localization
    return storeError(error)?.message(in: localization) ?? (error as? ImportError)?.message(in: localization)
      ?? String(describing: error)
  }
}
