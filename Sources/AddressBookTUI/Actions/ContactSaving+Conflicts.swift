import AddressBookModel
import Contacts
import ResultsController

/// Follows changes by others while a form is open: the form reports them at once, and a save asks about fields that
/// both sides changed.
extension ContactSaving {
  // MARK: While the form is open

  /// From now on, the form shows what others change in its contact.
  func watch(_ session: ContactEditor.Session, _ form: ContactFormScreen) {
    let id = session.contact.id
    list.onWrites = { [weak self, weak form] writes in
      guard let self, let form else { return }
      let isWritten = [writes.updated, writes.deleted, writes.inserted].contains { $0.contains(id) }
      if isWritten || writes.mayLackUpdates { showOutsideChange(session, form) }
    }
  }

  /// Shows in the form what others have changed in its contact since the form was opened or its draft was written.
  func showOutsideChange(_ session: ContactEditor.Session, _ form: ContactFormScreen) {
    do {
      switch try editor.outsideChange(of: session) {
      case nil: form.notice = ""
      case .deleted: form.notice = strings("form.deletedElsewhere")
      case .changed(let fields):
        let names = fields.map { strings.localization.propertyPath($0.name, entity: "Person") }
        form.notice = strings("form.changedElsewhere", strings.list(names))
      }
    } catch {
      // A save reads the contact again, and reports the error.
      return
    }
  }

  // MARK: The save

  /// Shows both versions and the original of the fields that both sides changed. When the user saves the decisions,
  /// saves the contact with them.
  func ask(about conflict: EditConflict, _ form: ContactFormScreen) {
    closeConflict()
    let screen = ConflictScreen(
      ConflictModel(conflict.conflicts, decided: form.decisions), name: parts.name(of: conflict.theirs),
      environment: environment
    ) { [weak self, weak form] screen in
      guard let self, let form else { return }
      form.decisions.merge(screen.decisions) { $1 }
      guard screen.isSaving else { return environment.screens.pop(screen) }
      finish(save(conflict.resolved(screen.value), form), form)
    }
    conflictScreen = screen
    environment.screens.push(screen)
  }

  private func closeConflict() { conflictScreen.map(environment.screens.pop) }

  /// Offers to restore, with the user's edits, a contact that was deleted after the form was opened or the draft was
  /// written.
  func askAboutDeleted(_ edit: ContactEdit, _ form: ContactFormScreen) {
    closeConflict()
    environment.ask(
      strings("conflict.deleted", parts.name(of: edit.base)), detail: strings("conflict.deleted.detail"),
      answers: [
        .init(key: "m", word: strings("conflict.restore")) { [self] in
          var edit = edit
          edit.restoresDeleted = true
          finish(save(edit, form), form)
        },
        .init(key: "t", word: strings("conflict.theirs.deleted")) { [self] in
          status.say(strings("status.gone"))
          form.close()
        },
        .init(key: "b", word: strings("conflict.back")) {},
      ])
  }

  /// Closes the form, or shows the failure in the form or on the conflict screen.
  private func finish(_ outcome: ContactFormScreen.Outcome, _ form: ContactFormScreen) {
    switch outcome {
    case .saved: form.close()
    case .awaitingAnswer: break
    case .failed(let reason), .busy(let reason):
      let text = strings("status.saveFailed", reason)
      if let conflictScreen { conflictScreen.show(text) } else { form.showFailure(reason) }
    case .invalid(let errors, let summary):
      if let conflictScreen {
        conflictScreen.show(errors.values.sorted().joined(separator: " "))
      } else {
        form.refuse(errors, summary: summary)
      }
    }
  }
}
