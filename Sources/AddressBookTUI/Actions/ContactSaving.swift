import AddressBookModel
import Contacts
import TerminalKit

/// Adds and edits contacts: opens the form and saves its result. Conflicts with others are in
/// `ContactSaving+Conflicts`, drafts from interrupted sessions in `ContactSaving+Drafts`.
@MainActor
final class ContactSaving: BrowserAction {
  let parts: BrowserParts
  /// Drafts that are still to be offered, one after the other.
  var waitingDrafts: [(file: PrivateFile, draft: Draft)] = []
  /// The screen on which the user decides about conflicts; nil if it is not open.
  weak var conflictScreen: ConflictScreen?

  init(_ parts: BrowserParts) { self.parts = parts }

  /// Opens the form for a new contact.
  func add() { openForm(editor.beginNew(newContact)) }

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
      let form = openForm(session)
      if environment.book.damage.has(id) { form.warn(strings("form.damaged")) }
    } catch {
      parts.show(error)
    }
  }

  /// Opens the form, with the input of a draft if there is one.
  @discardableResult
  func openForm(_ session: ContactEditor.Session, draft: Draft? = nil) -> ContactFormScreen {
    let form = ContactFormScreen(session.contact, draft: draft, environment: environment) { [self] contact, form in
      let edit = ContactEdit(of: session.contact, basePhoto: session.photo, to: contact, photo: form.photo)
      return save(edit, form)
    }
    environment.screens.push(form)
    guard session.contact.id != 0 else {
      if let draft, draft.id != 0 { form.notice = strings("form.gone") }
      return form
    }
    watch(session, form)
    // Others may have changed the contact after the draft was written.
    if draft != nil { showOutsideChange(session, form) }
    return form
  }

  /// Saves the result of a form, or the user's decisions about conflicts in it.
  func save(_ edit: ContactEdit, _ form: ContactFormScreen) -> ContactFormScreen.Outcome {
    let isNew = edit.base.id == 0
    do {
      let id = try editor.save(edit)
      // A save merges what others wrote in the meantime, such as another name.
      let saved = (try? environment.book.contact(id: id)) ?? edit.mine
      status.say(strings(isNew ? "status.added" : "status.saved", parts.name(of: saved)))
      if isNew {
        putIntoFolder(edit.mine, id: id)
        reveal(edit.mine, id: id)
      }
      list.select(id: id)
      parts.detailPane.rewind()
      return .saved
    } catch {
      switch error {
      case .invalid(let issues):
        let messages = issues.map { ($0.property, $0.message(in: strings.localization)) }
        let errors = Dictionary(messages, uniquingKeysWith: { first, _ in first })
        return .invalid(errors, summary: strings.count("form.errors", errors.count))
      case .conflict(let conflict?): ask(about: conflict, form)
      case .missing: askAboutDeleted(edit, form)
      case .store(let error) where error.reason == .busy: return .busy(error.message(in: strings.localization))
      case .store(let error) where error.reason.isOfLostFile:
        parts.reopening.offer(error.message(in: strings.localization))
      default: return .failed(error.message(in: strings.localization))
      }
      return .awaitingAnswer
    }
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
}
