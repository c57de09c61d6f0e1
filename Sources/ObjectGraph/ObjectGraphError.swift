import GRDB

/// The errors of models, stacks, contexts and migrations. Parsing a predicate, or checking it on its own,
/// throws ``InvalidPredicate``.
public enum ObjectGraphError: Error, Sendable {
  /// The descriptions of a model are inconsistent or do not fit the stores of a stack; `entity` and `property` name the
  /// first description that does not fit, and `reason` says what is wrong, and on which side of a relationship. The
  /// property is nil if the entity itself is wrong, and empty for a rule of the entity.
  case badModel(entity: String, property: String?, reason: String)
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
  /// The object is deleted.
  case deletedObject(ObjectID)
  /// The context of the object is gone: keep it for as long as you use its objects.
  case contextGone(ObjectID)
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
  /// The store was made with another model, or somebody has migrated it to another one since it was opened.
  case modelMismatch
  /// A migration cannot compute this; `entity` and `property` are names of the new model.
  case migrationImpossible(entity: String, property: String?)
  /// A store keeps no history: `enableHistoryTracking()` was not called, or a migration ended it.
  case noHistory
  /// The save was refused for all these reasons.
  case validation([ValidationIssue])
  /// The save was refused by an object's ``ManagedObject/willSave()`` or by a save hook, or the insertion by
  /// ``ManagedObject/awakeFromInsert()`` or by the body that sets its values, which threw this error.
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

/// A conflict about one object: both this context and someone else, who saved first, changed or deleted it.
public struct SaveConflict: Hashable, Sendable {
  /// A property with different values on the two sides, after both changed it or, in an atomic entity, any attribute.
  /// The value of a to-one is `.object`, or `.null`.
  public struct Field: Hashable, Sendable {
    /// The value that both started from.
    public let base: Value
    /// The value that this context would save.
    public let mine: Value
    /// The value in the store.
    public let theirs: Value
  }

  /// Which side deleted an object.
  public enum Side: Hashable, Sendable {
    /// This context.
    case mine
    /// The other side, which saved first.
    case theirs
  }

  /// The object.
  public let object: ObjectID
  /// The properties that both changed to different values, by name. If both changed attributes that are merged as one
  /// value, all of them that differ.
  public let fields: [String: Field]
  /// Which side deleted the object; nil when neither did.
  public let deleted: Side?
}

/// How a save treats objects that were saved elsewhere since this context read or saved them.
///
/// | policy | both changed the row | changed here, deleted there | deleted here, changed there |
/// |---|---|---|---|
/// | `error` | refused | refused | refused |
/// | `byProperty` | merged, or refused if both changed a property differently | refused | refused |
/// | `storeWins` | merged, the store's value where both changed a property | deleted here too | restored as stored |
/// | `objectWins` | merged, this context's value where both changed a property | inserted again | deleted |
/// | `overwrite` | the row as it is here | inserted again | deleted |
/// | `rollback` | the row as the store has it | deleted here too | restored as stored |
///
/// A row is an object's attributes and to-ones. In a many-to-many, the additions and removals of both sides apply; they
/// count as a change to the row only if the relationship has ``RelationshipDescription/raisesVersion``.
public enum MergePolicy: String, Codable, Hashable, Sendable, CaseIterable {
  /// Every conflict refuses the save.
  case error
  /// Merges what only one side changed.
  case byProperty
  /// Merges; the store's value wins.
  case storeWins
  /// Merges; this context's value wins.
  case objectWins
  /// Saves the objects as they are here.
  case overwrite
  /// Takes the objects as the store has them.
  case rollback

  /// Returns whether a property keeps this context's value.
  func keepsMine(mineChanged: Bool, theirsChanged: Bool) -> Bool {
    switch self {
    case .error, .byProperty, .objectWins: mineChanged
    case .storeWins: mineChanged && !theirsChanged
    case .overwrite: true
    case .rollback: false
    }
  }

  /// Whether the store wins a conflict.
  var prefersStore: Bool { self == .storeWins || self == .rollback }
}

/// One reason why an object cannot be saved.
public struct ValidationIssue: Hashable, Sendable {
  /// The rule that is broken.
  public enum Rule: Hashable, Sendable {
    /// Nil, or an empty to-many, where a value is required.
    case missing
    /// Less than the minimum.
    case tooSmall(Value)
    /// Greater than the maximum.
    case tooLarge(Value)
    /// Fewer Unicode scalars than this minimum.
    case tooShort(Int)
    /// More Unicode scalars than this maximum.
    case tooLong(Int)
    /// The text does not match the attribute's pattern.
    case pattern
    /// Fewer objects than this minimum.
    case tooFew(Int)
    /// More objects than this maximum.
    case tooMany(Int)
    /// The object cannot be deleted, because a relationship with the rule `deny` still has this many objects.
    case denied(Int)
    /// A rule of the model is broken; this is its message.
    case rule(String)
  }

  /// The object that cannot be saved.
  public let object: ObjectID
  /// The property; empty for a rule of the entity.
  public let property: String
  /// The rule that is broken.
  public let rule: Rule
}

extension ValidationIssue.Rule {
  /// The key of the message below `ErrorString/`: `missing`, `tooLong` …, or the message of a rule.
  public var message: String {
    switch self {
    case .missing: "missing"
    case .tooSmall: "tooSmall"
    case .tooLarge: "tooLarge"
    case .tooShort: "tooShort"
    case .tooLong: "tooLong"
    case .pattern: "pattern"
    case .tooFew: "tooFew"
    case .tooMany: "tooMany"
    case .denied: "denied"
    case .rule(let message): message
    }
  }

  /// The bound of the rule, or the number of objects for `denied`; nil for `missing`, `pattern` and `rule`.
  public var argument: Value? {
    switch self {
    case .missing, .pattern, .rule: nil
    case .tooSmall(let bound), .tooLarge(let bound): bound
    case .tooShort(let bound), .tooLong(let bound), .tooFew(let bound), .tooMany(let bound), .denied(let bound):
      .integer(Int64(bound))
    }
  }
}
