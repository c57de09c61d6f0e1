import AddressBookModel
import BookInterchange
import Contacts
import SystemCalls
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

  /// Opens the selected contact, or all marked ones, as text in the user's editor. What was changed there is saved as
  /// forms do; one that cannot be saved stays open.
  func editAsText() {
    let ids = parts.listPane.chosenIDs
    guard ids.count <= LinkActions.mostContacts else {
      return status.say(strings("links.tooMany", strings.number(LinkActions.mostContacts)))
    }
    if ids.contains(where: environment.book.damage.has) { return status.fail(strings("form.damaged")) }
    do {
      let sessions = try ids.compactMap { try editor.begin($0) }
      guard !sessions.isEmpty else { return }
      var edit = ContactTextEdit(sessions.map(\.contact), in: strings.localization)
      let loop = environment.loop
      let edits = try edit.run { (file) throws(EditedFile.Failure) in
        let words = EditedFile.editor
        do throws(DetachedProgram.Failure) {
          try loop.runOnTerminal(words + [file.path])
        } catch {
          throw .editor(words[0], FileFailure(words[0], error.code))
        }
        return try file.text()
      } save: { edits throws(EditError) in
        edits
      }
      for edit in edits ?? [] {
        let session = sessions.first { $0.contact.id == edit.base.id } ?? editor.beginNew()
        open(session, draft: Draft(original: edit.base, changed: edit.mine)).saveNow()
      }
    } catch let failure as ContactTextFailure {
      status.fail(failure.message(in: strings.localization))
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

/// Writes to the book for the screens. Every action is saved at once, as one step of the book's history.
@MainActor
final class ContactEditor {
  /// A contact that is open in a form, as it was when the form was opened: a save merges the edits with what others
  /// have written since.
  struct Session {
    /// Its id is 0 for a new contact.
    var contact: Contact
    /// Its photo, so that it can be restored after another program replaced it.
    var photo: Photo?
  }

  private let book: AddressBook
  /// This session, which determines the steps that an undo reverses.
  let session = EditSession(program: "screen")
  /// More contacts than this are deleted, restored or changed in the background.
  static let bulkThreshold = 500

  init(book: AddressBook) { self.book = book }

  // MARK: One contact

  /// Starts editing a contact; nil if it no longer exists.
  /// - Parameter takesDeleted: true if a deleted contact that can be restored is also accepted.
  func begin(_ id: Int64, takesDeleted: Bool = false) throws(StoreError) -> Session? {
    let found = try takesDeleted ? book.contactOrDeleted(id: id) : book.contact(id: id)
    guard let contact = found else { return nil }
    return Session(contact: contact, photo: contact.photo == nil ? nil : try book.photo(of: id))
  }

  func beginNew(_ contact: Contact = Contact()) -> Session { Session(contact: contact) }

  /// Saves the edits of a form, merged with what others have written since it was opened.
  /// - Returns: the id.
  func save(_ edit: ContactEdit) throws(EditError) -> Int64 {
    let name = StepName(edit.base.id == 0 ? .add : .edit, edit.mine.displayName)
    return try book.newContext(waitsBriefly: true, session: session).save(edit, as: name)
  }

  /// A change by others to a contact that is open in a form.
  enum OutsideChange: Equatable {
    case changed([ContactField])
    case deleted
  }

  /// Returns the change by others to the contact of a session since the session began; nil if there is none.
  func outsideChange(of session: Session) throws(StoreError) -> OutsideChange? {
    guard let now = try book.contact(id: session.contact.id) else { return .deleted }
    let fields = now.changedFields(since: session.contact)
    return fields.isEmpty ? nil : .changed(fields)
  }

  /// Deletes, restores or changes at most ``bulkThreshold`` contacts, as one undo step. Contacts to which the edit does
  /// not apply stay as they are.
  /// - Returns: the number of contacts changed.
  func edit(_ ids: [Int64], _ edit: BulkEdit, name: StepName) throws -> Int {
    try book.bulkEdit(ids, edit, as: name, in: session, waitsBriefly: true)
  }

  // MARK: Undo and redo

  /// Returns the step that an undo reverses: the newest change or redo that has not been undone, of this session or
  /// from before it; nil if there is none.
  func stepToUndo() throws(StoreError) -> EditStep? { try book.stepToUndo(in: session) }

  /// Returns the step that a redo reverses; nil if there is none.
  func stepToRedo() throws(StoreError) -> EditStep? { try book.stepToRedo(in: session) }

  /// Undoes a change, or redoes an undone one. A step with more contacts than ``bulkThreshold`` belongs on another
  /// thread (``AddressBook/reverse(_:policy:in:waitsBriefly:isCancelled:onProgress:)``).
  /// - Parameter policy: which side wins if others have since changed what the step wrote.
  func reverse(_ step: EditStep, policy: ContactMergePolicy) throws(EditError) -> Reversal {
    try book.reverse(step, policy: policy, in: session, waitsBriefly: true)
  }
}
