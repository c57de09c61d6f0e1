import AddressBookModel
import Contacts

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
