import AddressBookModel
import Contacts

/// What was typed in a form when the program ended without being asked to.
extension BrowserScreen {
  /// Asks what is to become of each draft, one after the other.
  func offer(_ drafts: [(file: PrivateFile, draft: Draft)]) {
    waitingDrafts = drafts
    offerNext()
  }

  private func offerNext() {
    guard !waitingDrafts.isEmpty else { return }
    let (file, draft) = waitingDrafts.removeFirst()
    offer(draft, from: file)
  }

  private func offer(_ draft: Draft, from file: PrivateFile) {
    let strings = environment.strings
    let name = draft.applied(to: Contact()).displayName
    environment.ask(
      strings("draft.title", name.isEmpty ? strings("contact.nameless") : name),
      detail: strings("draft.detail")
        + (waitingDrafts.isEmpty ? "" : " " + strings.count("draft.more", waitingDrafts.count)),
      answers: [
        .init(key: "y", word: strings("draft.continue")) { [weak self] in self?.resume(draft, from: file) },
        .init(key: "d", word: strings("draft.discard")) { [weak self] in
          self?.remove(file)
          self?.offerNext()
        },
        .init(key: "n", word: strings("draft.later")) { [weak self] in self?.offerNext() },
      ], isAskedFor: false)
  }

  /// Opens the form with what was typed.
  private func resume(_ draft: Draft, from file: PrivateFile) {
    do {
      var session = editor.beginNew()
      if draft.id != 0 {
        // A contact that was deleted meanwhile is added as a new one, so that the draft is not lost.
        if let found = try editor.begin(draft.id), found.contact.uid == draft.uid { session = found }
      }
      let form = openForm(session, isNew: session.contact.id == 0, draft: draft)
      form.onClose = { [weak self] in self?.offerNext() }
      // The form's own draft takes its place, once it is written; a new process may have the number, and the file, of
      // the old.
      if environment.drafts?.flush() == nil, environment.drafts?.path != file.path { remove(file) }
    } catch {
      show(error)
    }
  }

  private func remove(_ file: PrivateFile) {
    do {
      try file.remove()
    } catch {
      message = (environment.strings("status.saveFailed", error.message), true)
    }
  }
}
