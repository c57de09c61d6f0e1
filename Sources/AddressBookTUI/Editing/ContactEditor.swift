import AddressBookModel
import Contacts

/// Writes to the book for the screens. Every action is saved at once, as one step of the book's history.
@MainActor
final class ContactEditor {
  /// Why reading or writing failed. A failed write changes nothing, neither here nor in the book.
  enum Failure: Error {
    /// Invalid values, with messages by key path.
    case invalid([String: String])
    /// The user of a form and another program changed the same fields of the contact.
    case bothChanged(EditConflict)
    /// The contact of a form was deleted in the meantime.
    case deleted
    /// Another write, by any program, took too long; a retry may succeed. The value is a message in the user's
    /// language.
    case busy(String)
    /// Nothing can be saved, because the book's file or its log is no longer the one that was opened, or a newer
    /// version of this program changed the book. The value is a message in the user's language.
    case bookUnavailable(String)
    /// Anything else, with a message in the user's language.
    case failed(String)
  }

  /// A contact that is open in a form, as it was when the form was opened: a save merges the edits with what others
  /// have written since.
  struct Session {
    /// Its id is 0 for a new contact.
    var contact: Contact
    /// Its photo, so that it can be restored after another program replaced it.
    var photo: Photo?
  }

  private let book: AddressBook
  private let strings: Strings
  /// This session, which determines the steps that an undo reverses.
  let session = EditSession(program: "screen")
  /// More contacts than this are deleted, restored or changed in the background.
  static let bulkThreshold = 500

  init(book: AddressBook, strings: Strings) {
    self.book = book
    self.strings = strings
  }

  // MARK: One contact

  /// Starts editing a contact; nil if it no longer exists.
  /// - Parameter takesDeleted: true if a deleted contact that can be restored is also accepted.
  func begin(_ id: Int64, takesDeleted: Bool = false) throws(Failure) -> Session? {
    do throws(StoreError) {
      let found = try takesDeleted ? book.contactOrDeleted(id: id) : book.contact(id: id)
      guard let contact = found else { return nil }
      return Session(contact: contact, photo: contact.photo == nil ? nil : try book.photo(of: id))
    } catch {
      throw failure(error)
    }
  }

  func beginNew(_ contact: Contact = Contact()) -> Session { Session(contact: contact) }

  /// Saves the edits of a form, merged with what others have written since it was opened.
  /// - Returns: the id.
  func save(_ edit: ContactEdit) throws(Failure) -> Int64 {
    let name = StepName(edit.base.id == 0 ? .add : .edit, edit.mine.displayName)
    do {
      return try book.newContext(waitsBriefly: true, session: session).save(edit, as: name)
    } catch {
      switch error {
      case .conflict(let conflict): throw .bothChanged(conflict)
      case .deleted: throw .deleted
      case .failed(let error): throw failure(error)
      case .otherVersion: throw changedElsewhere
      }
    }
  }

  /// A change by others to a contact that is open in a form.
  enum OutsideChange: Equatable {
    case changed([ContactField])
    case deleted
  }

  /// Returns the change by others to the contact of a session since the session began; nil if there is none.
  func outsideChange(of session: Session) throws(Failure) -> OutsideChange? {
    do {
      guard let now = try book.contact(id: session.contact.id) else { return .deleted }
      let fields = now.changedFields(since: session.contact)
      return fields.isEmpty ? nil : .changed(fields)
    } catch {
      throw failure(error)
    }
  }

  /// Deletes, restores or changes at most ``bulkThreshold`` contacts, as one undo step. Contacts to which the edit does
  /// not apply stay as they are.
  /// - Returns: the number of contacts changed.
  func edit(_ ids: [Int64], _ edit: BulkEdit, name: StepName) throws(Failure) -> Int {
    do {
      return try book.bulkEdit(ids, edit, as: name, in: session, waitsBriefly: true)
    } catch {
      throw failure((error as? StoreError) ?? StoreError(.other, path: book.location.path ?? ""))
    }
  }

  // MARK: Undo and redo

  /// Returns the step that an undo reverses: the newest change or redo that has not been undone, of this session or
  /// from before it; nil if there is none.
  func stepToUndo() throws(Failure) -> EditStep? {
    do {
      return try book.stepToUndo(in: session)
    } catch {
      throw failure(error)
    }
  }

  /// Returns the step that a redo reverses; nil if there is none.
  func stepToRedo() throws(Failure) -> EditStep? {
    do {
      return try book.stepToRedo(in: session)
    } catch {
      throw failure(error)
    }
  }

  /// Undoes a change, or redoes an undone one. A step with more contacts than ``bulkThreshold`` belongs on another
  /// thread (``AddressBook/reverse(_:policy:in:waitsBriefly:isCancelled:onProgress:)``).
  /// - Parameter policy: which side wins if others have since changed what the step wrote.
  func reverse(_ step: EditStep, policy: MergePolicy) throws(RevertError) -> Reversal {
    try book.reverse(step, policy: policy, in: session, waitsBriefly: true)
  }

  // MARK: Errors

  /// Others changed the same fields, or deleted a contact, in the meantime.
  private var changedElsewhere: Failure { .failed(strings.localization.text("ErrorString/save.conflict")) }

  private func failure(_ error: SaveError) -> Failure {
    switch error {
    case .invalid(let issues):
      .invalid(
        Dictionary(
          issues.map { ($0.property, $0.message(in: strings.localization)) }, uniquingKeysWith: { first, _ in first }))
    case .conflict: changedElsewhere
    case .store(let error): failure(error)
    }
  }

  /// Converts the error of a step that could not be reversed.
  func failure(_ error: RevertError) -> Failure {
    switch error {
    case .conflict: changedElsewhere
    case .gone: .failed(strings("status.stepGone"))
    case .store(let error): failure(error)
    }
  }

  func failure(_ error: StoreError) -> Failure {
    let message = error.message(in: strings.localization)
    return switch error.reason {
    case .busy: .busy(message)
    case .replaced, .removed, .logRemoved, .newerSchema: .bookUnavailable(message)
    default: .failed(message)
    }
  }
}
