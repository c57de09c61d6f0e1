import AddressBookModel
import Contacts
import ResultsController
import TerminalKit

/// The save: its result, and what is asked if there is none.
extension ContactFormScreen {
  /// Saves the form, or shows its errors.
  func saveNow() {
    if model.hasUnreadableBirthday { return refuse(["birthday": strings("form.birthday.unreadable")]) }
    save(ContactEdit(of: session.contact, basePhoto: session.photo, to: model.contact, photo: photo))
  }

  /// Saves the input, or the user's decisions about conflicts in it, and closes the form; or says why not.
  func save(_ edit: ContactEdit) {
    // Another program may have made the smart group while the save waited.
    if let name = nameOfSmartGroup {
      retry.stop()
      return refuse(["groups": strings("form.groups.smart", name)])
    }
    do {
      show(saved: edit, id: try editor.save(edit))
      close()
    } catch {
      switch error {
      case .store(let error) where error.reason == .busy && conflictScreen == nil:
        return tryAgain(edit, error.message(in: strings.localization))
      case .invalid(let issues):
        let messages = issues.map { ($0.property, $0.message(in: strings.localization)) }
        refuse(Dictionary(messages, uniquingKeysWith: { first, _ in first }))
      case .conflict(let conflict?): ask(about: conflict)
      case .missing: askAboutDeleted(edit)
      case .store(let error) where error.reason.isOfLostFile:
        parts.reopening.offer(error.message(in: strings.localization))
      default:
        let text = strings("status.saveFailed", error.message(in: strings.localization))
        if let conflictScreen { conflictScreen.show(text) } else { warn(text) }
      }
    }
    retry.stop()
  }

  /// Shows the saved contact in the list.
  private func show(saved edit: ContactEdit, id: Int64) {
    let isNew = edit.base.id == 0
    // A save merges what others wrote in the meantime, such as another name.
    let saved = (try? environment.book.contact(id: id)) ?? edit.mine
    status.say(strings(isNew ? "status.added" : "status.saved", parts.name(of: saved)))
    if isNew {
      putIntoFolder(edit.mine, id: id)
      reveal(edit.mine, id: id)
    }
    list.select(id: id)
    parts.detailPane.detail.rewind()
  }

  /// Puts a new contact into the folder that the list shows, if it shows one.
  private func putIntoFolder(_ contact: Contact, id: Int64) {
    guard let folder = list.filter.folder else { return }
    do {
      try environment.book.place(id, in: folder)
      list.setFilter(list.filter, selecting: id)
    } catch {
      // The contact is stored, but not in that folder.
      list.setFilter(ContactFilter(), selecting: id)
      status.fail(
        strings("status.addedOutside", parts.name(of: contact), folder.name, error.message(in: strings.localization)))
    }
  }

  /// Shows all contacts if the list is limited to some among which the new one may be missing; otherwise ends a search,
  /// which may hide it.
  private func reveal(_ contact: Contact, id: Int64) {
    if list.filter.mayLack(new: contact) {
      parts.search.showAll(selecting: id)
    } else if parts.search.isNarrowing {
      parts.search.end(selecting: id)
    }
  }

  /// A typed group that has the name of a smart group; nil if there is none, or if the smart groups cannot be read.
  private var nameOfSmartGroup: String? {
    let names = model.contact.groups.filter { !model.original.groups.contains($0) }
    return (try? environment.book.smartGroup(namedOneOf: names))?.name
  }

  /// Retries the save in a moment; after too many tries, asks the user.
  private func tryAgain(_ edit: ContactEdit, _ reason: String) {
    guard retry.schedule({ [self] in save(edit) }) else {
      stopWaiting()
      environment.ask(
        strings("busy.title"), detail: reason,
        answers: [
          .init(key: "r", word: strings("busy.retry")) { [self] in save(edit) },
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

  /// Shows a text as an error; the input is kept.
  func warn(_ text: String) { message = (text, true) }

  /// Shows errors, by key path: at their fields, or on the conflict screen if it is open.
  private func refuse(_ errors: [String: String]) {
    if let conflictScreen { return conflictScreen.show(errors.values.sorted().joined(separator: " ")) }
    model.show(errors: errors)
    warn(strings.count("form.errors", errors.count))
  }
}

/// Repeats a save while another program or thread is writing to the book, for as long as the command line would wait
/// for another program.
@MainActor
final class BusyRetry {
  private let loop: any ProgramLoop
  /// The number of repeated tries so far, including the one that waits; 0 if none waits.
  private var tries = 0
  /// About eight seconds, including the time of each try.
  private static let maximumTries = 16
  /// Milliseconds between two tries.
  private static let interval = 300

  init(loop: any ProgramLoop) {
    self.loop = loop
  }

  /// True between the first failed try and the end of the last.
  var isWaiting: Bool { tries > 0 }

  /// Calls the action after a moment, unless ``stop()`` is called first.
  /// - Returns: false if there were already too many tries; then the action is not called.
  func schedule(_ action: @escaping @MainActor () -> Void) -> Bool {
    guard tries < Self.maximumTries else { return false }
    tries += 1
    loop.schedule(after: Self.interval) { [weak self] in
      if let self, isWaiting { action() }
    }
    return true
  }

  func stop() { tries = 0 }
}

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
