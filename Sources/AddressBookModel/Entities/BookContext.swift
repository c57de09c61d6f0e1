import Contacts
import GRDB
import ObjectGraph

/// A scratch pad on the book: contacts and groups are read into it, changed in it, and saved together or not at all.
///
/// It is a context of `ObjectGraph` in the words of the book. Every change can be undone, also after a save; changes outside of
/// an action are one step together. A context and its objects belong to one thread. It opens nothing before it is first used.
public final class BookContext {
  /// The context that this one saves to; nil when it saves to the book.
  public let parent: BookContext?
  /// What a save does about contacts that somebody else saved meanwhile.
  public var mergePolicy = MergePolicy.byField

  private let objects: BookObjects
  private let waiting: Store.Waiting
  private let session: EditSession
  private var opened: ObjectContext?
  /// What is wrong with contacts that were given texts which no store can keep, until the next save or rollback.
  private var refused: [Contacts.ValidationIssue] = []

  /// - Parameters:
  ///   - waiting: how long a save waits for other writers.
  ///   - session: who saves.
  init(_ objects: BookObjects, waiting: Store.Waiting, session: EditSession) {
    parent = nil
    self.objects = objects
    self.waiting = waiting
    self.session = session
  }

  private init(_ graph: ObjectContext, parent: BookContext) {
    self.parent = parent
    objects = parent.objects
    waiting = parent.waiting
    session = parent.session
    opened = prepared(graph)
  }

  /// A context that reads from this one and saves to it, as one step of undo: what a form edits.
  public func makeChild() -> BookContext { BookContext(graph.newChild(), parent: self) }

  /// The context of the library.
  var graph: ObjectContext {
    if let opened { return opened }
    do {
      let context = prepared(try objects.newContext(waiting: waiting))
      opened = context
      return context
    } catch {
      preconditionFailure("the book has no model: \(error)")
    }
  }

  private func prepared(_ context: ObjectContext) -> ObjectContext {
    context.owner = self
    context.collectsChanges = true
    return context
  }

  // MARK: - Objects

  /// The contact of a row, or nil when there is none or it was deleted.
  public func person(_ id: Int64) throws(StoreError) -> Person? { try persons([id]).first }

  /// The contacts of these rows in this order, read in one query.
  public func persons(_ ids: [Int64]) throws(StoreError) -> [Person] {
    try reading { graph throws(ObjectGraphError) in try graph.objects("Person", numbers: ids) }.compactMap {
      $0 as? Person
    }
  }

  /// A new contact.
  public func insertPerson() -> Person { insert("Person") }

  /// A deleted contact, ready for ``restore(_:)``; nil when no contact of this id was deleted.
  public func deletedPerson(_ id: Int64) throws(StoreError) -> Person? {
    try reading { graph throws(ObjectGraphError) in try graph.deletedObject("Person", number: id) } as? Person
  }

  /// The group of a row, or nil when there is none.
  public func group(_ id: Int64) throws(StoreError) -> Group? {
    try reading { graph throws(ObjectGraphError) in try graph.object("Group", number: id) } as? Group
  }

  /// The group of a name; made when there is none.
  public func group(named name: String) throws(StoreError) -> Group {
    if let known = try existingGroup(named: name) { return known }
    let group: Group = insert("Group")
    group.name = name
    return group
  }

  /// The group of a name, saved or not; nil when there is none.
  public func existingGroup(named name: String) throws(StoreError) -> Group? {
    try reading { graph throws(ObjectGraphError) in try graph.fetch(BookRequests.group(named: name)) }.first as? Group
  }

  private func insert<Object: ManagedObject>(_ entity: String) -> Object {
    do {
      guard let object = try graph.insert(entity) as? Object else { preconditionFailure("\(entity) has another class") }
      return object
    } catch {
      preconditionFailure("the book has no \(entity): \(error)")
    }
  }

  /// Deletes an object: a contact so that it can come back, a group for good.
  public func delete(_ object: ManagedObject) throws(StoreError) {
    try reading { graph throws(ObjectGraphError) in try graph.delete(object) }
  }

  /// Brings back a contact that was deleted, saved or not.
  public func restore(_ person: Person) throws(StoreError) {
    try reading { graph throws(ObjectGraphError) in try graph.restore(person) }
  }

  /// Reads again what has no changes here, after somebody else wrote the book. Contacts that are gone are not live any more.
  public func refresh() throws(StoreError) {
    guard opened != nil else { return }
    try reading { graph throws(ObjectGraphError) in try graph.refresh() }
  }

  /// Runs what reads, with errors in the terms of the book.
  func reading<Result>(
    _ body: (ObjectContext) throws(ObjectGraphError) -> Result
  ) throws(StoreError) -> Result {
    do {
      return try body(graph)
    } catch {
      throw objects.storeError(error)
    }
  }

  // MARK: - Changes

  /// True when a save would do something.
  public var hasChanges: Bool { opened?.hasChanges == true || !refused.isEmpty }

  /// Objects with something to save.
  public var changedObjects: [ManagedObject] { opened?.changedObjects ?? [] }

  /// A contact was given what no store can keep: the next save is refused.
  func refuse(_ issues: [Contacts.ValidationIssue]) { refused += issues }

  /// What is wrong with the changes, errors and warnings, before anybody saves.
  public func issues() throws(StoreError) -> [Contacts.ValidationIssue] {
    var issues = refused
    for object in changedObjects.sorted(by: Self.comesFirst) {
      issues += try reading { graph throws(ObjectGraphError) in try graph.validationIssues(of: object) }
        .map { Contacts.ValidationIssue($0) }
      if let group = object as? Group, group.isLive { issues += group.issues }
    }
    // A contact is checked when only a part of it changed.
    for person in try changedPersons() { issues += ContactRules.issues(in: try person.contact) }
    return issues
  }

  private static func comesFirst(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
    func key(_ object: ManagedObject) -> (Int, String, Int64) {
      (object is Person ? 0 : 1, object.entity.name, object.objectID.number ?? .max)
    }
    return key(left) < key(right)
  }

  /// The live contacts that changed, or whose parts did.
  private func changedPersons() throws(StoreError) -> [Person] {
    var persons: [Person] = []
    for object in changedObjects.sorted(by: Self.comesFirst) {
      let person: Person?
      if object.entity.owner == nil || object.isDeleted {
        person = object as? Person
      } else {
        person = try reading { _ throws(ObjectGraphError) in try object.object("person") } as? Person
      }
      if let person, person.isLive, !persons.contains(where: { $0 === person }) { persons.append(person) }
    }
    return persons
  }

  /// Saves all changes, or none of them, as one step of the history.
  ///
  /// Everything is validated first; then one IMMEDIATE transaction merges with what others saved and writes. After an error the
  /// context has its changes still, and the book has none of them.
  /// - Parameter name: what the step is called; by what was saved when it is nil.
  public func save(as name: StepName? = nil) throws(SaveError) {
    guard let graph = opened else { return }
    let errors: [Contacts.ValidationIssue]
    do {
      errors = try issues().filter { $0.severity == .error }
    } catch {
      throw .store(error)
    }
    guard errors.isEmpty else { throw .invalid(errors) }
    graph.mergePolicy = mergePolicy.policy
    if parent == nil {
      let recording = SaveRecording(graph, name: name, session: session)
      graph.saveHooks = SaveHooks(willWrite: recording.begin, didWrite: recording.end)
    }
    defer { graph.saveHooks = nil }
    do {
      try graph.save()
    } catch {
      throw saveError(error)
    }
  }

  /// Forgets all that was not saved, and with it the steps since the last save.
  public func rollback() {
    refused = []
    opened?.rollback()
  }

  // MARK: - Undo

  /// Does one action of a person: everything that it changes is one step of undo.
  ///
  /// When the action throws, what it had changed is taken back. Actions inside an action belong to the outer one.
  /// - Parameter name: what to call the step, in the person's language.
  public func action<Value, Failure: Error>(
    _ name: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try graph.undoGroup(name, body)
  }

  /// True when there is a step to undo.
  public var canUndo: Bool { opened?.canUndo == true }

  /// True when there is a step to redo.
  public var canRedo: Bool { opened?.canRedo == true }

  /// Name of the step that ``undo()`` would take back; nil when there is none.
  public var undoName: String? { opened?.undoName }

  /// Name of the step that ``redo()`` would do again; nil when there is none.
  public var redoName: String? { opened?.redoName }

  /// Reverses the last step, where the book still has what the step left. The objects change at once; the book changes with the
  /// next save. ``mergePolicy`` says what becomes of fields that others wrote since: of `storeWins` they stay as they are, of
  /// `objectWins` the step is reversed all the same.
  /// - Returns: the name of the step, or nil when there was none.
  /// - Throws: `SaveError.conflict` when others wrote the same fields and the policy does not decide, `SaveError.store` when the
  ///   book cannot be read. Nothing is changed then.
  @discardableResult public func undo() throws(SaveError) -> String? {
    try step(undoName) { graph, policy throws(ObjectGraphError) in try graph.undo(policy) }
  }

  /// Redoes the step that was undone last, where the book still has what the undo left; otherwise as ``undo()``.
  /// - Returns: the name of the step, or nil when there was none.
  /// - Throws: as ``undo()``.
  @discardableResult public func redo() throws(SaveError) -> String? {
    try step(redoName) { graph, policy throws(ObjectGraphError) in try graph.redo(policy) }
  }

  private func step(
    _ name: String?, _ move: (ObjectContext, ObjectGraph.MergePolicy) throws(ObjectGraphError) -> Bool
  ) throws(SaveError) -> String? {
    guard let name, let opened else { return nil }
    do {
      return try move(opened, mergePolicy.policy) ? name : nil
    } catch {
      throw saveError(error)
    }
  }

  // MARK: - Errors

  private func saveError(_ error: ObjectGraphError) -> SaveError {
    switch error {
    case .validation(let issues): return .invalid(issues.map { Contacts.ValidationIssue($0) })
    case .refused(let error as SaveError): return error
    case .refused(let error as StoreError): return .store(error)
    case .conflicts(let conflicts):
      do {
        return .conflict(
          SaveConflict(try reading { graph throws(ObjectGraphError) in try graph.wholeConflicts(conflicts) }))
      } catch {
        return .store(error)
      }
    default: return .store(objects.storeError(error))
    }
  }
}
