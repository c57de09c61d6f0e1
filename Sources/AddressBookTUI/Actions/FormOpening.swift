import AddressBookModel
import Contacts
import TerminalKit

/// Opens forms: for a new contact, for the selected one, and for the drafts of interrupted sessions.
@MainActor
final class FormOpening: BrowserAction {
  let parts: BrowserParts
  /// Drafts that are still to be offered, one after the other.
  private var waitingDrafts: [(file: PrivateFile, draft: Draft)] = []

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Opens the form for a new contact, which starts in the group that the list shows.
  func add() {
    var contact = Contact()
    if let group = list.filter.group { contact.groups = [group] }
    open(editor.beginNew(contact))
  }

  /// Opens the form for the selected contact.
  func editSelected() {
    guard let id = list.selectedID else { return }
    do {
      guard let session = try editor.begin(id) else {
        status.fail(strings("status.gone"))
        return
      }
      let form = open(session)
      if environment.book.damage.has(id) { form.warn(strings("form.damaged")) }
    } catch {
      parts.show(error)
    }
  }

  /// Opens the form, with the input of a draft if there is one.
  @discardableResult
  private func open(_ session: ContactEditor.Session, draft: Draft? = nil) -> ContactFormScreen {
    let form = ContactFormScreen(session, draft: draft, parts)
    environment.screens.push(form)
    // Others may have changed the contact after the draft was written.
    if draft != nil { form.showOutsideChange(since: draft) }
    return form
  }

  // MARK: - Drafts

  /// Asks what to do with each draft, one after the other.
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
    // Of a book that cannot be read now, a draft has only what was changed.
    let original = (try? session(of: draft))?.contact ?? Contact()
    let name = draft.applied(to: original).displayName
    environment.ask(
      strings("draft.title", name.isEmpty ? strings("contact.nameless") : name),
      detail: strings("draft.detail")
        + (waitingDrafts.isEmpty ? "" : "\n" + strings.count("draft.more", waitingDrafts.count)),
      answers: [
        .init(key: "y", word: strings("draft.continue")) { [self] in resume(draft, from: file) },
        .init(key: "d", word: strings("draft.discard")) { [self] in
          remove(file)
          offerNext()
        },
        .init(key: "n", word: strings("draft.later")) { [self] in offerNext() },
      ], isRequested: false)
  }

  /// Opens the form with the input of a draft. If others have changed the same fields since, a save asks the user to
  /// decide.
  private func resume(_ draft: Draft, from file: PrivateFile) {
    do {
      let form = open(try session(of: draft), draft: draft)
      form.onClose = { [self] in offerNext() }
      // The form now writes its own draft, so the old file can be removed, unless it is the same file: the old draft
      // was written under the same process id, and could not be set aside.
      if environment.drafts?.flush() == nil, environment.drafts?.path != file.path { remove(file) }
    } catch {
      parts.show(error)
    }
  }

  /// Begins to edit the contact of a draft as it was then. If it is gone for good, a new one is added, so that the
  /// input is not lost.
  private func session(of draft: Draft) throws(StoreError) -> ContactEditor.Session {
    guard draft.id != 0, var found = try editor.begin(draft.id, takesDeleted: true), found.contact.uid == draft.uid
    else { return editor.beginNew() }
    found.contact = draft.base(of: found.contact)
    return found
  }

  private func remove(_ file: PrivateFile) {
    do {
      try file.remove()
    } catch {
      status.fail(strings("status.saveFailed", error.message))
    }
  }
}
