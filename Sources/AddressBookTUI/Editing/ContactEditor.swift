import AddressBookModel
import Contacts

/// Writes to the book for the screens: one context, in which every user action is one step of undo, saved at once.
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

  /// The result of an undo or a redo.
  struct Step {
    var name: String
    /// A contact that it restored or changed, to be selected.
    var id: Int64?
  }

  private let book: AddressBook
  private let strings: Strings
  private let context: BookContext
  /// The history that each step belongs to, newest last.
  private var undoOrder: [Kind] = []
  private var redoOrder: [Kind] = []

  private enum Kind {
    case context
    case bulk(BulkStep)
  }

  /// An import or another bulk write. It is undone and redone in the background.
  final class BulkStep: Sendable {
    let name: String
    let journal: BulkJournal

    init(name: String, journal: BulkJournal) {
      self.name = name
      self.journal = journal
    }
  }

  /// The maximum number of steps that can be undone; older ones are dropped, as in the context.
  static let limit = 200
  /// More contacts than this are deleted or changed in bulk and in the background
  /// (``AddressBook/bulkEdit(_:_:isCancelled:onProgress:)``), because the context would keep an object for each.
  static let bulkThreshold = 500

  init(book: AddressBook, strings: Strings) {
    self.book = book
    self.strings = strings
    context = book.newContext(waitsBriefly: true)
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

  /// Deletes at most ``bulkThreshold`` contacts; they can be restored.
  func delete(_ ids: [Int64], name: String) throws(Failure) {
    try write(name, policy: .objectWins) { () throws(StoreError) in
      for person in try context.persons(ids) { try context.delete(person) }
    }
  }

  /// Changes at most ``bulkThreshold`` contacts, as one step of undo.
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

  /// The next step that ``undo(policy:)`` would undo, if it is a bulk write;
  /// ``AddressBook/revert(_:policy:isCancelled:onProgress:)`` undoes that, and ``didUndo(_:_:)`` records it.
  var bulkStepToUndo: BulkStep? { if case .bulk(let step)? = undoOrder.last { step } else { nil } }

  /// The same for ``redo(policy:)``.
  var bulkStepToRedo: BulkStep? { if case .bulk(let step)? = redoOrder.last { step } else { nil } }

  /// Undoes the last step, whichever screen made it; nil if there is none.
  /// - Parameter policy: who wins if others have since written what the step left.
  func undo(policy: MergePolicy = .byField) throws(Failure) -> Step? {
    guard case .context? = undoOrder.last else { return nil }
    guard let step = try step(policy, { () throws(SaveError) in try context.undo() }) else { return nil }
    undoOrder.removeLast()
    redoOrder.append(.context)
    return step
  }

  /// Redoes the step that was undone last; nil if there is none.
  /// - Parameter policy: who wins if others have since written what the undo left.
  func redo(policy: MergePolicy = .byField) throws(Failure) -> Step? {
    guard case .context? = redoOrder.last else { return nil }
    guard let step = try step(policy, { () throws(SaveError) in try context.redo() }) else { return nil }
    redoOrder.removeLast()
    undoOrder.append(.context)
    return step
  }

  /// Records that a step was undone in the background.
  /// - Parameter inverse: the journal that redoes it.
  func didUndo(_ step: BulkStep, _ inverse: BulkJournal) -> Step {
    move(step, inverse, from: &undoOrder, to: &redoOrder)
    return Step(name: step.name, id: inverse.someID)
  }

  /// Records that a step was redone in the background.
  /// - Parameter inverse: the journal that undoes it.
  func didRedo(_ step: BulkStep, _ inverse: BulkJournal) -> Step {
    move(step, inverse, from: &redoOrder, to: &undoOrder)
    return Step(name: step.name, id: inverse.someID)
  }

  private func move(_ step: BulkStep, _ inverse: BulkJournal, from: inout [Kind], to: inout [Kind]) {
    // Something may have been written in the meantime: the step then no longer belongs in the history.
    guard case .bulk(let last)? = from.last, last === step else {
      from.removeAll { if case .bulk(let other) = $0 { other === step } else { false } }
      return
    }
    from.removeLast()
    if inverse.failure == nil { to.append(.bulk(BulkStep(name: step.name, journal: inverse))) }
  }

  /// Records a bulk write as one step of undo, unless its journal could not be kept.
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

  /// Saves, or drops the changes.
  private func commit(_ policy: MergePolicy) throws(Failure) {
    context.mergePolicy = policy
    do {
      try context.save()
    } catch {
      context.rollback()
      throw failure(error)
    }
  }

  /// Undoes or redoes one step and saves; if that fails, the history stays as it was.
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
  /// The localized names of the fields.
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
