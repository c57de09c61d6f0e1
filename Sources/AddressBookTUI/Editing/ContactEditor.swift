import AddressBookModel
import Contacts

/// Writes to the book for the screens. Every action is saved at once, as one step of the book's history.
@MainActor
final class ContactEditor {
  /// Why a write failed. Nothing has changed then, neither here nor in the book.
  enum Failure: Error {
    /// Invalid values, with messages by key path.
    case invalid([String: String])
    /// The same fields were changed elsewhere in the meantime, or the contact was deleted.
    case conflict(Conflict)
    /// Another program is writing to the book, in the user's language: a retry may succeed.
    case busy(String)
    /// The book's file is no longer the one that was opened, in the user's language: nothing can be saved in it.
    case bookGone(String)
    /// Anything else, in the user's language.
    case failed(String)
  }

  /// A conflict between two sides.
  struct Conflict {
    /// The number of contacts.
    var count: Int
    /// Ids of the first of them.
    var ids: [Int64]
    /// Key paths; empty if whole contacts are affected.
    var fields: [String]
    /// True if the other side deleted one of them.
    var isDeleted: Bool
  }

  /// A contact that is open in a form, in its state when it was opened, so that a save can detect changes by others.
  struct Session {
    /// Nil for a new contact.
    fileprivate let person: Person?
    let contact: Contact
  }

  private let book: AddressBook
  private let strings: Strings
  private let context: BookContext
  /// This run of the screen, which decides which steps an undo reverses.
  let session = EditSession(program: "screen")
  /// More contacts than this are deleted or changed in bulk and in the background
  /// (``AddressBook/bulkEdit(_:_:as:in:isCancelled:onProgress:)``), because the context would keep an object for each.
  static let bulkThreshold = 500

  init(book: AddressBook, strings: Strings) {
    self.book = book
    self.strings = strings
    context = book.newContext(waitsBriefly: true, session: session)
  }

  // MARK: One contact

  /// Starts editing a contact; nil if it no longer exists.
  func begin(_ id: Int64) throws(Failure) -> Session? {
    do {
      try context.refresh()
      guard let person = try context.person(id) else { return nil }
      return Session(person: person, contact: try person.contact)
    } catch {
      throw .failed(error.message(in: strings.localization))
    }
  }

  /// Starts adding a contact.
  func beginNew(_ contact: Contact = Contact()) -> Session { Session(person: nil, contact: contact) }

  /// Saves the changes of a form.
  /// - Parameters:
  ///   - photo: the change of the photo; one step of undo together with the rest.
  ///   - policy: how to treat fields that others changed too.
  /// - Returns: the id; nil if the contact was deleted elsewhere and the policy accepts that.
  func save(
    _ contact: Contact, photo: PhotoChange = .keep, in session: Session, policy: MergePolicy = .byField
  ) throws(Failure) -> Int64? {
    let name = StepName(session.person == nil ? .add : .edit, contact.displayName)
    var saved: Person?
    try write(name, policy: policy) { () throws(StoreError) in
      let person = session.person ?? context.insertPerson()
      try person.apply(contact)
      switch photo {
      case .keep: if session.person != nil { try book.removePhotoMetadata(of: person) }
      case .remove: try person.setPhoto(nil)
      case .set(let photo): try person.setPhoto(photo)
      }
      saved = person
    }
    return saved.flatMap { $0.isLive ? $0.id : nil }
  }

  /// Deletes at most ``bulkThreshold`` contacts; they can be restored.
  func delete(_ ids: [Int64], name: StepName) throws(Failure) {
    try write(name, policy: .objectWins) { () throws(StoreError) in
      for person in try context.persons(ids) { try context.delete(person) }
    }
  }

  /// Restores at most ``bulkThreshold`` deleted contacts, as one step of undo; those that are not deleted stay as they are.
  func restore(_ ids: [Int64], name: StepName) throws(Failure) {
    try write(name, policy: .objectWins) { () throws(StoreError) in
      try context.refresh()
      for id in ids {
        if let person = try context.deletedPerson(id) { try context.restore(person) }
      }
    }
  }

  /// Changes at most ``bulkThreshold`` contacts, as one step of undo.
  func change(_ ids: [Int64], name: StepName, _ change: (inout Contact) -> Void) throws(Failure) {
    try write(name, policy: .byField) { () throws(StoreError) in
      try context.refresh()
      for person in try context.persons(ids) {
        let before = try person.contact
        var contact = before
        change(&contact)
        if contact != before { try person.apply(contact) }
      }
    }
  }

  // MARK: Undo and redo

  /// The step that an undo reverses: the last of this screen, or else the last one before it that was not undone; nil
  /// if there is none.
  func stepToUndo() throws(Failure) -> EditStep? {
    do {
      return try book.stepToUndo(in: session)
    } catch {
      throw failure(error)
    }
  }

  /// The step that a redo reverses; nil if there is none.
  func stepToRedo() throws(Failure) -> EditStep? {
    do {
      return try book.stepToRedo(in: session)
    } catch {
      throw failure(error)
    }
  }

  /// Undoes a change, or redoes an undone one. A step with more contacts than ``bulkThreshold`` belongs on another
  /// thread (``AddressBook/reverse(_:policy:in:waitsBriefly:isCancelled:onProgress:)``).
  /// - Parameter policy: who wins if others have since written what the step left.
  func reverse(_ step: EditStep, policy: MergePolicy = .byField) throws(Failure) -> Reversal {
    do {
      return try book.reverse(step, policy: policy, in: session, waitsBriefly: true)
    } catch {
      throw failure(error)
    }
  }

  // MARK: Writing

  /// Changes objects and saves them, or drops the changes.
  private func write(
    _ name: StepName, policy: MergePolicy, _ change: () throws(StoreError) -> Void
  ) throws(Failure) {
    do {
      try change()
    } catch {
      context.rollback()
      throw .failed(error.message(in: strings.localization))
    }
    guard context.hasChanges else { return }
    context.mergePolicy = policy
    do {
      try context.save(as: name)
    } catch {
      context.rollback()
      throw failure(error)
    }
  }

  private func failure(_ error: SaveError) -> Failure {
    switch error {
    case .invalid(let issues):
      .invalid(
        Dictionary(
          issues.map { ($0.property, $0.message(in: strings.localization)) }, uniquingKeysWith: { first, _ in first }))
    case .conflict(let conflict): .conflict(Conflict(conflict))
    case .store(let error): failure(error)
    }
  }

  /// Converts the reason why a step was not reversed.
  func failure(_ error: RevertError) -> Failure {
    switch error {
    case .conflict(let conflict): .conflict(Conflict(conflict))
    case .gone: .failed(strings("status.stepGone"))
    case .store(let error): failure(error)
    }
  }

  func failure(_ error: StoreError) -> Failure {
    let message = error.message(in: strings.localization)
    return switch error.reason {
    case .busy: .busy(message)
    case .replaced, .removed, .logRemoved, .newerSchema: .bookGone(message)
    default: .failed(message)
    }
  }
}

extension ContactEditor.Conflict {
  /// The localized names of the fields.
  func fieldNames(_ strings: Strings) -> String {
    Set(fields.map { strings.localization.propertyPath($0, entity: "Person") }).sorted().joined(separator: ", ")
  }

  init(_ conflict: RevertConflict) {
    count = conflict.count
    ids = conflict.ids
    fields = Array(conflict.fields)
    isDeleted = conflict.isDeleted
  }

  fileprivate init(_ conflict: SaveConflict) {
    count = conflict.entries.count
    ids = conflict.entries.compactMap(\.id)
    fields = conflict.entries.flatMap(\.fields)
    isDeleted = conflict.entries.contains { $0.theirs == nil }
  }
}
