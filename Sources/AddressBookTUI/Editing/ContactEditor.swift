import AddressBookModel

/// Writes the book for the screens: one context, in which every action of the person is one step of undo, saved at once.
@MainActor
final class ContactEditor {
  /// Why something was not written. Nothing has changed then, neither here nor in the book.
  enum Failure: Error {
    /// Values that break a rule: messages by key path.
    case invalid([String: String])
    /// Somebody else changed the same fields meanwhile; key paths.
    case conflict([String])
    /// Somebody else is writing the book, in the person's language: it may succeed a moment later.
    case busy(String)
    /// The book's file is not the one that was opened any more, in the person's language: nothing can be saved in it.
    case bookGone(String)
    /// Anything else, in the person's language.
    case failed(String)
  }

  /// A person that a form is open on: as they were when it was opened, so that a save can tell what others changed.
  struct Session {
    /// Nil for somebody new.
    fileprivate let person: Person?
    let contact: Contact
  }

  /// What an undo or a redo did.
  struct Step {
    var name: String
    /// Someone whom it brought back or changed, to be selected.
    var id: Int64?
  }

  private let book: AddressBook
  private let words: Words
  private let context: ObjectContext
  /// Which of the two histories each step belongs to, newest last.
  private var undoOrder: [Kind] = []
  private var redoOrder: [Kind] = []

  private enum Kind {
    case context
    /// An import, or anything else that was written in bulk.
    case bulk(name: String, BulkJournal)
  }

  init(book: AddressBook, words: Words) {
    self.book = book
    self.words = words
    context = book.newContext(waitsBriefly: true)
  }

  // MARK: One person

  /// Begins to change a person; nil when there is no such person any more.
  func begin(_ id: Int64) throws(Failure) -> Session? {
    do {
      try context.refresh()
      guard let person = try context.person(id) else { return nil }
      return Session(person: person, contact: try person.contact)
    } catch {
      throw .failed(error.message(in: words.localization))
    }
  }

  /// Begins to add somebody.
  func beginNew(_ contact: Contact = Contact()) -> Session { Session(person: nil, contact: contact) }

  /// Saves what a form made of the person.
  /// - Parameters:
  ///   - photo: what becomes of the picture; one step of undo together with the rest.
  ///   - policy: what to do about fields that others changed too.
  /// - Returns: the row.
  func save(
    _ contact: Contact, photo: PhotoChange = .keep, in session: Session, policy: MergePolicy = .byField
  ) throws(Failure) -> Int64 {
    let name = words(session.person == nil ? "undo.add" : "undo.edit", contact.displayName)
    var saved: Person?
    try write(name, policy: policy) { () throws(StoreError) in
      let person = session.person ?? context.insertPerson()
      try person.apply(contact)
      switch photo {
      case .keep: break
      case .remove: try person.setPhoto(nil)
      case .set(let photo): try person.setPhoto(photo)
      }
      saved = person
    }
    return saved?.id ?? 0
  }

  /// Deletes people; they can come back.
  func delete(_ ids: [Int64], name: String) throws(Failure) {
    try write(name, policy: .objectWins) { () throws(StoreError) in
      for person in try context.persons(ids) { try context.delete(person) }
    }
  }

  /// Changes people in the same way, as one step of undo.
  func change(_ ids: [Int64], name: String, _ change: (inout Contact) -> Void) throws(Failure) {
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

  /// Takes back the last step, whichever screen made it; nil when there is none.
  func undo() throws(Failure) -> Step? {
    switch undoOrder.last {
    case nil: return nil
    case .bulk(let name, let journal):
      let inverse = try revert(journal)
      undoOrder.removeLast()
      redoOrder.append(.bulk(name: name, inverse))
      return Step(name: name, id: inverse.someID)
    case .context:
      guard let step = try step({ context.undo() }, back: { context.redo() }) else { return nil }
      undoOrder.removeLast()
      redoOrder.append(.context)
      return step
    }
  }

  /// Does again what was taken back last; nil when there is nothing.
  func redo() throws(Failure) -> Step? {
    switch redoOrder.last {
    case nil: return nil
    case .bulk(let name, let journal):
      let inverse = try revert(journal)
      redoOrder.removeLast()
      undoOrder.append(.bulk(name: name, inverse))
      return Step(name: name, id: inverse.someID)
    case .context:
      guard let step = try step({ context.redo() }, back: { context.undo() }) else { return nil }
      redoOrder.removeLast()
      undoOrder.append(.context)
      return step
    }
  }

  /// Takes note of something that was written in bulk, as one step of undo.
  func record(_ journal: BulkJournal, name: String) {
    guard !journal.isEmpty else { return }
    undoOrder.append(.bulk(name: name, journal))
    redoOrder = []
  }

  // MARK: Writing

  private func write(
    _ name: String, policy: MergePolicy, _ change: () throws(StoreError) -> Void
  ) throws(Failure) {
    do {
      try context.action(name, change)
    } catch {
      throw .failed(error.message(in: words.localization))
    }
    guard context.hasChanges else { return }
    try commit(policy)
    undoOrder.append(.context)
    redoOrder = []
  }

  /// Saves, or forgets what was changed.
  private func commit(_ policy: MergePolicy) throws(Failure) {
    context.mergePolicy = policy
    do {
      try context.save()
    } catch {
      context.rollback()
      throw failure(error)
    }
  }

  /// One step back or forth, saved; when that fails, the history is as it was.
  private func step(_ move: () -> String?, back: () -> String?) throws(Failure) -> Step? {
    guard let name = move() else { return nil }
    let persons = context.changedObjects.compactMap { $0 as? Person }
    context.mergePolicy = .objectWins
    do {
      try context.save()
    } catch {
      _ = back()
      context.rollback()
      throw failure(error)
    }
    return Step(name: name, id: persons.first(where: \.isLive)?.id)
  }

  private func revert(_ journal: BulkJournal) throws(Failure) -> BulkJournal {
    do {
      return try book.revert(journal)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: SaveError) -> Failure {
    switch error {
    case .invalid(let issues):
      .invalid(
        Dictionary(
          issues.map { ($0.property, $0.message(in: words.localization)) }, uniquingKeysWith: { first, _ in first }))
    case .conflict(let conflict): .conflict(conflict.entries.flatMap(\.fields))
    case .store(let error): failure(error)
    }
  }

  private func failure(_ error: StoreError) -> Failure {
    let message = error.message(in: words.localization)
    return switch error.reason {
    case .busy: .busy(message)
    case .replaced, .removed, .logRemoved, .newerSchema: .bookGone(message)
    default: .failed(message)
    }
  }
}
