import AddressBookModel
import Contacts
import ResultsController
import TerminalKit

/// What others changed: the form reports it at once, and a save asks about fields that both sides changed.
extension ContactFormScreen {
  func changed(_ writes: ResultsWrites) {
    let id = session.contact.id
    guard id != 0 else { return }
    let isWritten = [writes.updated, writes.deleted, writes.inserted].contains { $0.contains(id) }
    if isWritten || writes.mayLackUpdates { showOutsideChange() }
  }

  /// Shows what others have changed in the contact since the form was opened.
  /// - Parameter draft: the draft that the form was opened with: shows what they have changed since it was written.
  func showOutsideChange(since draft: Draft? = nil) {
    guard session.contact.id != 0 else {
      if let draft, draft.id != 0 { notice = strings("form.gone") }
      return
    }
    do {
      switch try editor.outsideChange(of: session) {
      case nil: notice = ""
      case .deleted: notice = strings("form.deletedElsewhere")
      case .changed(let fields):
        let names = fields.map { strings.localization.propertyPath($0.name, entity: "Person") }
        notice = strings("form.changedElsewhere", strings.list(names))
      }
    } catch {
      // A save reads the contact again, and reports the error.
      return
    }
  }

  // MARK: - Questions

  /// Shows both versions and the original of the fields that both sides changed. When the user saves the decisions,
  /// saves the contact with them.
  func ask(about conflict: EditConflict) {
    closeConflict()
    let screen = ConflictScreen(
      conflict.conflicts, decided: decisions, name: parts.name(of: conflict.theirs), environment: environment
    ) { [self] screen, saves in
      decisions.merge(screen.decisions) { $1 }
      if saves { save(conflict.resolved(screen.value)) } else { environment.screens.pop(screen) }
    }
    conflictScreen = screen
    environment.screens.push(screen)
  }

  private func closeConflict() { conflictScreen.map(environment.screens.pop) }

  /// Offers to restore, with the user's edits, a contact that was deleted after the form was opened or the draft was
  /// written.
  func askAboutDeleted(_ edit: ContactEdit) {
    closeConflict()
    environment.ask(
      strings("conflict.deleted", parts.name(of: edit.base)), detail: strings("conflict.deleted.detail"),
      answers: [
        .init(key: "m", word: strings("conflict.restore")) { [self] in
          var edit = edit
          edit.restoresDeleted = true
          save(edit)
        },
        .init(key: "t", word: strings("conflict.theirs.deleted")) { [self] in
          status.say(strings("status.gone"))
          close()
        },
        .init(key: "b", word: strings("conflict.back")) {},
      ])
  }
}
