import AddressBookModel
import Contacts

/// Writes the book for the screens. Every action is saved at once, as one step of the book's history.
@MainActor
final class ContactEditor {
  /// Why something was not written. Nothing has changed then, neither here nor in the book.
  enum Failure: Error {
    /// Values that break a rule: messages by key path.
    case invalid([String: String])
    /// Somebody else changed the same fields, or deleted the contact, meanwhile.
    case conflict(Conflict)
    /// Somebody else is writing the book, in the person's language: it may succeed a moment later.
    case busy(String)
    /// The book's file is not the one that was opened any more, in the person's language: nothing can be saved in it.
    case bookGone(String)
    /// Anything else, in the person's language.
    case failed(String)
  }

  /// What two sides wrote.
  struct Conflict {
    /// How many contacts.
    var count: Int
    /// Rows of the first of them.
    var ids: [Int64]
    /// Key paths; empty where a whole contact is at stake.
    var fields: [String]
    /// True when the other side deleted one of them.
    var isDeleted: Bool
  }

  /// A person that a form is open on: as they were when it was opened, so that a save can tell what others changed.
  struct Session {
    /// Nil for somebody new.
    fileprivate let person: Person?
    let contact: Contact
  }

  private let book: AddressBook
  private let strings: Strings
  private let context: BookContext
  /// This run of the screen, whose steps an undo takes back.
  let session = EditSession(program: "screen")
  /// More contacts than this are deleted or changed in bulk and in the background (``AddressBook/bulkEdit(_:_:as:in:isCancelled:onProgress:)``):
  /// the context would keep an object for each.
  static let bulkThreshold = 500

  init(book: AddressBook, strings: Strings) {
    self.book = book
    self.strings = strings
    context = book.newContext(waitsBriefly: true, session: session)
  }

  // MARK: One person

  /// Begins to change a person; nil when there is no such person any more.
  func begin(_ id: Int64) throws(Failure) -> Session? {
    do {
      try context.refresh()
      guard let person = try context.person(id) else { return nil }
      return Session(person: person, contact: try person.contact)
    } catch {
      throw .failed(error.message(in: strings.localization))
    }
  }

  /// Begins to add somebody.
  func beginNew(_ contact: Contact = Contact()) -> Session { Session(person: nil, contact: contact) }

  /// Saves what a form made of the person.
  /// - Parameters:
  ///   - photo: what becomes of the picture; one step of undo together with the rest.
  ///   - policy: what to do about fields that others changed too.
  /// - Returns: the row; nil when somebody deleted the contact and the policy lets them.
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

  /// Deletes people, ``bulkThreshold`` at most; they can come back.
  func delete(_ ids: [Int64], name: StepName) throws(Failure) {
    try write(name, policy: .objectWins) { () throws(StoreError) in
      for person in try context.persons(ids) { try context.delete(person) }
    }
  }

  /// Changes people in the same way, ``bulkThreshold`` at most, as one step of undo.
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

  /// The step that an undo takes back: the last of this screen, else the last that stood in the book before; nil when there is none.
  func stepToUndo() throws(Failure) -> EditStep? {
    do {
      return try book.stepToUndo(in: session)
    } catch {
      throw failure(error)
    }
  }

  /// The step that a redo takes back; nil when there is none.
  func stepToRedo() throws(Failure) -> EditStep? {
    do {
      return try book.stepToRedo(in: session)
    } catch {
      throw failure(error)
    }
  }

  /// Undoes a change, or redoes what an undo took back. One with more contacts than ``bulkThreshold`` belongs on another thread
  /// (``AddressBook/reverse(_:policy:in:waitsBriefly:isCancelled:onProgress:)``).
  /// - Parameter policy: who wins where somebody else has written since what the step left.
  func reverse(_ step: EditStep, policy: MergePolicy = .byField) throws(Failure) -> Reversal {
    do {
      return try book.reverse(step, policy: policy, in: session, waitsBriefly: true)
    } catch {
      throw failure(error)
    }
  }

  // MARK: Writing

  /// Changes objects and saves them, or forgets what was changed.
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

  /// Why a step was not reversed.
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
  /// The names of the fields, in the language of the strings.
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
