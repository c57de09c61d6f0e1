import AddressBookModel
import Contacts
import TerminalKit

/// Adds and edits contacts: the form, saving, conflicts with other programs, and drafts from interrupted sessions.
@MainActor
final class ContactSaving: BrowserAction {
  let parts: BrowserParts
  /// Drafts to be offered when no other question is open.
  private var waitingDrafts: [(file: PrivateFile, draft: Draft)] = []

  init(_ parts: BrowserParts) { self.parts = parts }

  // MARK: The form

  /// Opens the form for a new contact.
  func add() {
    let session = editor.beginNew(newContact)
    openForm(session, isNew: true)
  }

  /// A new contact starts in the group that the list shows.
  private var newContact: Contact {
    var contact = Contact()
    if let group = list.filter.group { contact.groups = [group] }
    return contact
  }

  /// Opens the form for the selected contact.
  func editSelected() {
    guard let id = list.selectedID else { return }
    do {
      guard let session = try editor.begin(id) else {
        status.fail(strings("status.gone"))
        return
      }
      warn(of: id, in: openForm(session, isNew: false))
    } catch {
      parts.show(error)
    }
  }

  /// Says that a contact does not fit its checksum. The form reads it in another way, which compares nothing.
  private func warn(of id: Int64, in form: ContactFormScreen) {
    do {
      _ = try environment.book.contact(id: id)
      if environment.book.damage.has(id) { form.warn(strings("form.damaged")) }
    } catch {
      status.show(reading: error)
    }
  }

  /// Opens the form; with a draft, its input is restored.
  @discardableResult
  private func openForm(_ session: ContactEditor.Session, isNew: Bool, draft: Draft? = nil) -> ContactFormScreen {
    let form = ContactFormScreen(session.contact, draft: draft, environment: environment) { [weak self] contact, form in
      self?.save(contact, session, isNew: isNew, form: form) ?? .saved
    }
    environment.screens.push(form)
    return form
  }

  // MARK: The save

  private func save(
    _ contact: Contact, _ session: ContactEditor.Session, isNew: Bool, form: ContactFormScreen,
    policy: MergePolicy = .byField
  ) -> ContactFormScreen.Outcome {
    // Somebody looked at it.
    if !isNew { environment.book.damage.accept(session.contact.id) }
    do {
      guard let id = try editor.save(contact, photo: form.photo, in: session, policy: policy) else {
        status.fail(strings("status.gone"))
        return .saved
      }
      if isNew { stopHiding(contact, id: id) }
      list.select(id: id)
      parts.detailPane.rewind()
      status.say(strings(isNew ? "status.added" : "status.saved", parts.name(of: contact)))
      return .saved
    } catch {
      switch error {
      case .invalid(let errors): return .invalid(errors, summary: strings.count("form.errors", errors.count))
      case .conflict(let conflict):
        ask(about: conflict, contact, session, form)
        return .asked
      case .busy(let reason): return .busy(reason)
      case .bookGone(let reason):
        parts.reopening.offer(reason)
        return .asked
      case .failed(let reason): return .failed(reason)
      }
    }
  }

  /// Ends a search or leaves a group that would hide the new contact.
  private func stopHiding(_ contact: Contact, id: Int64) {
    if let group = list.filter.group, !contact.groups.contains(group) {
      parts.search.showEverybody()
    } else if parts.search.isNarrowing {
      parts.search.end(selecting: id)
    }
  }

  /// Both sides changed the same fields: lets the user decide.
  private func ask(
    about conflict: ContactEditor.Conflict, _ contact: Contact, _ session: ContactEditor.Session,
    _ form: ContactFormScreen
  ) {
    func answer(_ policy: MergePolicy) {
      switch save(contact, session, isNew: false, form: form, policy: policy) {
      case .saved: form.close()
      case .failed(let reason), .busy(let reason): form.showFailure(reason)
      case .invalid, .asked: break
      }
    }
    environment.ask(
      strings(conflict.isDeleted ? "conflict.deleted" : "conflict.title", parts.name(of: contact)),
      detail: conflict.isDeleted ? "" : strings("conflict.detail", conflict.fieldNames(strings)),
      answers: [
        .init(key: "m", word: strings("conflict.mine")) { answer(.objectWins) },
        .init(key: "t", word: strings(conflict.isDeleted ? "conflict.theirs.deleted" : "conflict.theirs")) {
          answer(.storeWins)
        },
        .init(key: "b", word: strings("conflict.back")) {},
      ])
  }

  // MARK: Drafts

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

  /// Opens the form with the input of a draft.
  private func resume(_ draft: Draft, from file: PrivateFile) {
    do {
      var session = editor.beginNew()
      if draft.id != 0 {
        // A contact that was deleted in the meantime is added as a new one, so that the draft is not lost.
        if let found = try editor.begin(draft.id), found.contact.uid == draft.uid { session = found }
      }
      let form = openForm(session, isNew: session.contact.id == 0, draft: draft)
      form.onClose = { [weak self] in self?.offerNext() }
      // The form now writes its own draft, so the old file can go, unless a new process reused the number and thus the
      // file.
      if environment.drafts?.flush() == nil, environment.drafts?.path != file.path { remove(file) }
    } catch {
      parts.show(error)
    }
  }

  private func remove(_ file: PrivateFile) {
    do {
      try file.remove()
    } catch {
      status.fail(strings("status.saveFailed", error.message))
    }
  }
}
