import Contacts
import GRDB
import ObjectGraph

/// Contacts and groups read from the book, and the changes made to them. All changes are saved together, or none.
///
/// It wraps a context of `ObjectGraph` in the terms of the book. A context and its objects belong to one thread. A
/// context opens nothing until it is first used.
public final class BookContext {
  /// How a save treats contacts that were saved elsewhere in the meantime.
  public var mergePolicy = ContactMergePolicy.byField

  let objects: BookObjects
  private let waiting: Store.Waiting
  private let session: EditSession
  private var opened: ObjectContext?
  /// The group that ``group(named:)`` returned last.
  private weak var lastGroup: Group?
  /// The issues of contacts with strings that no store can hold, until the next rollback.
  private var refused: [ContactIssue] = []
  /// Contacts that ``save(as:changing:)`` changes, as the book has them: the history need not read them again.
  var present: [Int64: Contact] = [:]

  /// - Parameters:
  ///   - waiting: how long a save waits for other writers.
  ///   - session: the session of its saves.
  init(_ objects: BookObjects, waiting: Store.Waiting, session: EditSession) {
    self.objects = objects
    self.waiting = waiting
    self.session = session
  }

  /// The library's context, created on first use.
  var graph: ObjectContext {
    if let opened { return opened }
    do {
      let context = try objects.newContext(waiting: waiting)
      context.owner = self
      context.collectsChanges = true
      opened = context
      return context
    } catch {
      preconditionFailure("the book has no model: \(error)")
    }
  }

  // MARK: - Objects

  /// Returns the contact with this id; nil if there is none or it was deleted.
  public func person(_ id: Int64) throws(StoreError) -> Person? { try persons([id]).first }

  /// Returns the contacts with these ids, in this order, read in one query. Deleted contacts are left out.
  public func persons(_ ids: [Int64]) throws(StoreError) -> [Person] {
    try reading { graph throws(ObjectGraphError) in try graph.objects("Person", numbers: ids) }.compactMap {
      $0 as? Person
    }
  }

  /// Inserts a new contact.
  public func insertPerson() -> Person { insert("Person") }

  /// Returns a deleted contact, ready for ``restore(_:)``; nil if no contact with this id was deleted.
  public func deletedPerson(_ id: Int64) throws(StoreError) -> Person? {
    try reading { graph throws(ObjectGraphError) in try graph.deletedObject("Person", number: id) } as? Person
  }

  /// Returns the group with this name, and creates it if there is none.
  public func group(named name: String) throws(StoreError) -> Group {
    // Adding many contacts to a group asks for the group each time, and a fetch goes through all unsaved changes.
    if let last = lastGroup, !last.isDeleted, last.name.utf8.elementsEqual(name.utf8) { return last }
    let group = try existingGroup(named: name) ?? newGroup(named: name)
    lastGroup = group
    return group
  }

  private func newGroup(named name: String) -> Group {
    let group: Group = insert("Group")
    group.name = name
    return group
  }

  /// Returns the group with this name, saved or not; nil if there is none.
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

  /// Deletes an object. A contact can be restored; a group cannot.
  public func delete(_ object: ManagedObject) throws(StoreError) {
    try reading { graph throws(ObjectGraphError) in try graph.delete(object) }
  }

  /// Restores a deleted contact, whether the deletion was saved or not.
  public func restore(_ person: Person) throws(StoreError) {
    try reading { graph throws(ObjectGraphError) in try graph.restore(person) }
  }

  /// Rereads all objects that have no changes in this context, after the book was written elsewhere. Those that were
  /// deleted there are not live afterwards.
  public func refresh() throws(StoreError) {
    guard opened != nil else { return }
    try reading { graph throws(ObjectGraphError) in try graph.refresh() }
  }

  /// Calls `body` with the library's context, and converts errors to those of the book.
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

  /// True if there is something to save.
  public var hasChanges: Bool { opened?.hasChanges == true || !refused.isEmpty }

  /// Objects with something to save.
  public var changedObjects: [ManagedObject] { opened?.changedObjects ?? [] }

  /// Records that a contact was given a value that no store can hold: saves are refused until a rollback.
  func refuse(_ issues: [ContactIssue]) { refused += issues }

  /// Returns the errors and warnings of the changes, before a save.
  public func issues() throws(StoreError) -> [ContactIssue] {
    var issues = refused
    for object in changedObjects.sorted(by: Self.comesFirst) {
      issues += try reading { graph throws(ObjectGraphError) in try graph.validationIssues(of: object) }
        .map { ContactIssue($0) }
      if let group = object as? Group, group.isLive { issues += group.issues }
    }
    // A contact is also checked if only a part of it changed.
    for person in try changedPersons() { issues += ContactRules.issues(in: try person.contact) }
    return issues
  }

  private static func comesFirst(_ left: ManagedObject, _ right: ManagedObject) -> Bool {
    func key(_ object: ManagedObject) -> (Int, String, Int64) {
      (object is Person ? 0 : 1, object.entity.name, object.objectID.number ?? .max)
    }
    return key(left) < key(right)
  }

  /// Returns the live contacts that changed, or whose parts did.
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
  /// Everything is validated first; then one IMMEDIATE transaction merges the changes with what others saved, and
  /// writes the result. After an error the context still has its changes, and the book has none of them.
  /// - Parameter name: the name of the step; nil to derive it from the changes.
  public func save(as name: StepName? = nil) throws(EditError) {
    guard let graph = opened else { return }
    do {
      try validate()
      try recording(as: name) { try graph.save() }
    } catch {
      throw editError(error)
    }
  }

  /// Makes changes and saves them as one step of the history, in one transaction: what `change` reads after a refresh is
  /// what the book has, and nobody writes in between. Afterwards, or after an error, the context has no changes.
  func save<Value>(as name: StepName?, changing change: () throws -> Value) throws -> Value {
    defer {
      rollback()
      present = [:]
    }
    return try recording(as: name) {
      try graph.save(locking: ["Person"]) {
        let value = try change()
        try validate()
        return value
      }
    }
  }

  private func validate() throws {
    let errors = try issues().filter { $0.severity == .error }
    guard errors.isEmpty else { throw EditError.invalid(errors) }
  }

  /// Calls `body`, which saves, and records what it writes.
  private func recording<Value>(as name: StepName?, _ body: () throws -> Value) throws -> Value {
    graph.mergePolicy = mergePolicy.policy
    let recording = SaveRecording(graph, name: name, session: session)
    graph.saveHooks = SaveHooks(willWrite: { try recording.begin($0, known: self.present) }, didWrite: recording.end)
    defer { graph.saveHooks = nil }
    return try body()
  }

  /// Discards everything that was not saved.
  public func rollback() {
    refused = []
    opened?.rollback()
  }

  // MARK: - Errors

  func editError(_ error: any Error) -> EditError {
    switch error {
    case let error as EditError: error
    case let error as StoreError: .store(error)
    case ObjectGraphError.refused(let error): editError(error)
    case ObjectGraphError.validation(let issues): .invalid(issues.map { ContactIssue($0) })
    case ObjectGraphError.conflicts: .conflict(nil)
    case let error as ObjectGraphError: .store(objects.storeError(error))
    default: .store(objects.store.storeError(error))
    }
  }
}
