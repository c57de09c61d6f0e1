import GRDB

/// The errors of models, stacks, contexts and migrations. Parsing a predicate, or checking it on its own,
/// throws ``InvalidPredicate``.
public enum ObjectGraphError: Error, Sendable {
  /// The descriptions of a model are inconsistent or do not fit the stores of a stack; `entity` and `property` name the
  /// first mistake. The property is nil if the entity itself is wrong, and empty for a rule of the entity.
  case badModel(entity: String, property: String?)
  /// The model has no entity with this name or class, or a requested object is of another class.
  case unknownEntity(String)
  /// The entity is abstract and has no objects of its own.
  case abstractEntity(String)
  /// The entity has no property with this name.
  case unknownKey(String, entity: String)
  /// The property is of another kind, or does not accept the value: one of another type, a string with a NUL character,
  /// or an object of another entity or class.
  case typeMismatch(entity: String, property: String)
  /// The relationship is not a to-many.
  case notToMany(entity: String, property: String)
  /// An index was given for an unordered relationship.
  case notOrdered(entity: String, property: String)
  /// The object is deleted, or its context is gone.
  case deletedObject(ObjectID)
  /// The object belongs to another context.
  case foreignObject(ObjectID)
  /// The string is not the URI of an id in one of this stack's stores.
  case badURI(String)
  /// The model has no template with this name.
  case unknownTemplate(String)
  /// A predicate, or a key path of a request, is wrong.
  case predicate(InvalidPredicate)
  /// This field of the request is invalid, contradicts the other fields, or is not supported here: `limit`, `offset`,
  /// `result`, `properties`, `having`, `sort`, `predicate` or `onlyDeleted`.
  case badRequest(field: String)
  /// The values of this key path cannot be sorted, folded or prefetched, or the function does not accept them.
  case wrongKind(key: String)
  /// The store was made with another model. Migrate it.
  case modelMismatch
  /// A migration cannot compute this; `entity` and `property` are names of the new model.
  case migrationImpossible(entity: String, property: String?)
  /// A store keeps no history: `enableHistoryTracking()` was not called, or a migration ended it.
  case noHistory
  /// The save was refused for all these reasons.
  case validation([ValidationIssue])
  /// The save was refused by an object's ``ManagedObject/willSave()`` or by a save hook, which threw this error.
  case refused(any Error)
  /// The save, undo or redo was refused because somebody else saved the same objects.
  case conflicts([SaveConflict])
  /// The store could not be opened, read or written.
  case store(StoreFailure)
  /// The mapping of a store does not fit its model or its database.
  case mapping(InvalidMapping)
  /// The host of a mapped store refused to read or to write, with an error of its own. Methods that throw ``store(_:)``
  /// also throw this.
  case host(any Error)
}

/// Runs a body that throws several kinds of errors, and throws each as `ObjectGraphError`.
func translating<Result>(_ body: () throws -> Result) throws(ObjectGraphError) -> Result {
  do {
    return try body()
  } catch {
    throw ObjectGraphError(error)
  }
}

extension ObjectGraphError {
  init(_ error: any Error) {
    switch error {
    case let error as ObjectGraphError: self = error
    case let error as StoreFailure: self = .store(error)
    case let error as InvalidMapping: self = .mapping(error)
    case let error as HostError: self = .host(error.error)
    case let error as DatabaseError: self = .store(StoreFailure(error))
    default: self = .store(StoreFailure(reason: .other, description: String(describing: error)))
    }
  }
}

/// Carries an error of a host through the library.
struct HostError: Error {
  let error: any Error
}
