import TerminalKit

/// Saves the form, and handles the result.
extension ContactFormScreen {
  /// The result of a save.
  enum Outcome {
    /// Stored; the form closes.
    case saved
    /// Rejected; with messages by key path.
    case invalid([String: String], summary: String)
    /// Failed for another reason, which is given in the user's language. The form stays open.
    case failed(String)
    /// Failed because other writers took too long; with a message in the user's language. ``saveNow()`` retries.
    case busy(String)
    /// A question must be answered first; the form stays open until then.
    case awaitingAnswer
  }

  /// Saves the form, or shows its errors.
  func saveNow() {
    if model.hasUnreadableBirthday {
      refuse(
        ["birthday": environment.strings("form.birthday.unreadable")],
        summary: environment.strings.count("form.errors", 1))
      return
    }
    if let name = nameOfSmartGroup {
      refuse(
        ["groups": environment.strings("form.groups.smart", name)], summary: environment.strings.count("form.errors", 1)
      )
      // Another program may have made the smart group while the save waited.
      retry.stop()
      return
    }
    switch save(model.contact, self) {
    case .saved: close()
    case .invalid(let errors, let summary): refuse(errors, summary: summary)
    case .failed(let reason): showFailure(reason)
    case .busy(let reason):
      tryAgain(reason)
      return
    case .awaitingAnswer: break
    }
    retry.stop()
  }

  /// A typed group that has the name of a smart group; nil if there is none, or if the smart groups cannot be read.
  private var nameOfSmartGroup: String? {
    let names = model.contact.groups.filter { !model.original.groups.contains($0) }
    return (try? environment.book.smartGroup(namedOneOf: names))?.name
  }

  /// Retries the save in a moment; after too many tries, asks the user.
  private func tryAgain(_ reason: String) {
    let strings = environment.strings
    guard retry.schedule({ [self] in saveNow() }) else {
      stopWaiting()
      environment.ask(
        strings("busy.title"), detail: reason,
        answers: [
          .init(key: "r", word: strings("busy.retry")) { [self] in saveNow() },
          .init(key: "b", word: strings("busy.back")) {},
        ], isRequested: false)
      return
    }
    message = (strings("busy.waiting", environment.keys.label(of: .formCancel, in: .form)), false)
  }

  /// Stops retrying a save that waits for another writer.
  func stopWaiting() {
    retry.stop()
    message = nil
  }

  /// Shows that the form could not be saved; the input is kept.
  func showFailure(_ reason: String) { message = (environment.strings("status.saveFailed", reason), true) }

  func warn(_ text: String) { message = (text, true) }

  /// Shows the errors at their fields.
  func refuse(_ errors: [String: String], summary: String) {
    model.show(errors: errors)
    message = (summary, true)
  }
}
