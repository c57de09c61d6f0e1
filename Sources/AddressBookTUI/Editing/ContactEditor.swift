import AddressBookModel
import Contacts

/// Writes the book for the screens: one context, in which every action of the person is one step of undo, saved at once.
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

  /// What an undo or a redo did.
  struct Step {
    var name: String
    /// Someone whom it brought back or changed, to be selected.
    var id: Int64?
  }

  private let book: AddressBook
  private let strings: Strings
  private let context: BookContext
  /// Which of the two histories each step belongs to, newest last.
  private var undoOrder: [Kind] = []
  private var redoOrder: [Kind] = []

  private enum Kind {
    case context
    case bulk(BulkStep)
  }

  /// An import, or anything else that was written in bulk. It is undone and redone in the background.
  final class BulkStep: Sendable {
    let name: String
    let journal: BulkJournal

    init(name: String, journal: BulkJournal) {
      self.name = name
      self.journal = journal
    }
  }

  /// Steps that can be undone; older ones are let go, as in the context.
  static let limit = 200
  /// More contacts than this are deleted or changed in bulk and in the background (``AddressBook/bulkEdit(_:_:isCancelled:onProgress:)``):
  /// the context would keep an object for each.
  static let bulkThreshold = 500

  init(book: AddressBook, strings: Strings) {
    self.book = book
    self.strings = strings
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
    let name = strings(session.person == nil ? "undo.add" : "undo.edit", contact.displayName)
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
  func delete(_ ids: [Int64], name: String) throws(Failure) {
    try write(name, policy: .objectWins) { () throws(StoreError) in
      for person in try context.persons(ids) { try context.delete(person) }
    }
  }

  /// Changes people in the same way, ``bulkThreshold`` at most, as one step of undo.
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

  /// What ``undo(policy:)`` would undo, where it was written in bulk; ``AddressBook/revert(_:policy:isCancelled:onProgress:)``
  /// undoes that, and ``didUndo(_:_:)`` takes note of it.
  var bulkStepToUndo: BulkStep? { if case .bulk(let step)? = undoOrder.last { step } else { nil } }

  /// The same for ``redo(policy:)``.
  var bulkStepToRedo: BulkStep? { if case .bulk(let step)? = redoOrder.last { step } else { nil } }

  /// Undoes the last step, whichever screen made it; nil when there is none.
  /// - Parameter policy: who wins where somebody else has written since what the step left.
  func undo(policy: MergePolicy = .byField) throws(Failure) -> Step? {
    guard case .context? = undoOrder.last else { return nil }
    guard let step = try step(policy, { () throws(SaveError) in try context.undo() }) else { return nil }
    undoOrder.removeLast()
    redoOrder.append(.context)
    return step
  }

  /// Redoes what was undone last; nil when there is nothing.
  /// - Parameter policy: who wins where somebody else has written since what the undo left.
  func redo(policy: MergePolicy = .byField) throws(Failure) -> Step? {
    guard case .context? = redoOrder.last else { return nil }
    guard let step = try step(policy, { () throws(SaveError) in try context.redo() }) else { return nil }
    redoOrder.removeLast()
    undoOrder.append(.context)
    return step
  }

  /// Takes note that a step was undone in the background.
  /// - Parameter inverse: the journal that redoes it.
  func didUndo(_ step: BulkStep, _ inverse: BulkJournal) -> Step {
    move(step, inverse, from: &undoOrder, to: &redoOrder)
    return Step(name: step.name, id: inverse.someID)
  }

  /// Takes note that a step was redone in the background.
  /// - Parameter inverse: the journal that undoes it.
  func didRedo(_ step: BulkStep, _ inverse: BulkJournal) -> Step {
    move(step, inverse, from: &redoOrder, to: &undoOrder)
    return Step(name: step.name, id: inverse.someID)
  }

  private func move(_ step: BulkStep, _ inverse: BulkJournal, from: inout [Kind], to: inout [Kind]) {
    // Something may have been written in the meantime: the step then has no place any more.
    guard case .bulk(let last)? = from.last, last === step else {
      from.removeAll { if case .bulk(let other) = $0 { other === step } else { false } }
      return
    }
    from.removeLast()
    if inverse.failure == nil { to.append(.bulk(BulkStep(name: step.name, journal: inverse))) }
  }

  /// Takes note of something that was written in bulk, as one step of undo, unless its journal could not be kept.
  func record(_ journal: BulkJournal, name: String) {
    guard !journal.isEmpty else { return }
    redoOrder = []
    if journal.failure == nil { append(.bulk(BulkStep(name: name, journal: journal))) }
  }

  private func append(_ kind: Kind) {
    undoOrder.append(kind)
    if undoOrder.count > Self.limit { undoOrder.removeFirst(undoOrder.count - Self.limit) }
  }

  // MARK: Writing

  private func write(
    _ name: String, policy: MergePolicy, _ change: () throws(StoreError) -> Void
  ) throws(Failure) {
    do {
      try context.action(name, change)
    } catch {
      throw .failed(error.message(in: strings.localization))
    }
    guard context.hasChanges else { return }
    try commit(policy)
    append(.context)
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
  private func step(
    _ policy: MergePolicy, _ move: () throws(SaveError) -> String?
  ) throws(Failure) -> Step? {
    context.mergePolicy = policy
    do {
      guard let name = try move() else { return nil }
      let persons = context.changedObjects.compactMap { $0 as? Person }
      try context.save()
      return Step(name: name, id: persons.first(where: \.isLive)?.id)
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

  init(_ conflict: BulkConflict) {
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
