import Contacts
import GRDB

/// Why a save did not happen. The context and the store are as they were before it.
public enum SaveError: Error {
  /// Something in the changes breaks a rule; every issue is listed.
  case invalid([ValidationIssue])
  /// Somebody else saved the same objects meanwhile, and the merge policy does not decide.
  case conflict(SaveConflict)
  /// The store failed.
  case store(StoreError)
}

/// What a save does about objects that somebody else saved since they were read.
///
/// A merge is always by field: what only one side changed is kept from that side. The policy says what happens where both
/// sides changed one field to different values.
public enum MergePolicy: Hashable, Sendable {
  /// Nothing is merged: any change by somebody else is a conflict.
  case error
  /// Merged by field; a field that both changed is a conflict.
  case byField
  /// Merged by field; where both changed a field, the store's value holds.
  case storeWins
  /// Merged by field; where both changed a field, this context's value is saved.
  case objectWins
}

/// Objects that two sides changed, for a person to decide.
public struct SaveConflict: Hashable, Sendable {
  /// One object with its parts.
  public struct Entry: Hashable, Sendable {
    /// Which object.
    public let id: ObjectID
    /// As it was when this context read it.
    public let base: ObjectTree
    /// As it is in this context; nil when it was deleted here.
    public let mine: ObjectTree?
    /// As it is in the store; nil when it was deleted there.
    public let theirs: ObjectTree?
    /// Key paths that both sides changed, such as `family` or `phones[1].value`; empty when one side deleted the object.
    public let fields: [String]
  }

  /// Every object in conflict.
  public let entries: [Entry]
}

/// An object and its parts as a value.
public struct ObjectTree: Hashable, Sendable {
  /// Which object.
  public let id: ObjectID
  /// Attributes by name.
  public let values: [String: DatabaseValue]
  /// Parts by relationship, in their order.
  public let parts: [String: [ObjectTree]]

  init(_ object: ManagedObject, values: [DatabaseValue], parts: [String: [ObjectTree]]) {
    self.init(object.objectID, object.entity, values: values, parts: parts)
  }

  init(_ id: ObjectID, _ entity: EntityDescription, values: [DatabaseValue], parts: [String: [ObjectTree]]) {
    self.id = id
    self.values = Dictionary(
      zip(entity.attributes.map(\.name), values), uniquingKeysWith: { first, _ in first })
    self.parts = parts
  }
}

extension SaveError: CustomStringConvertible {
  /// The message in the person's language.
  public var description: String { message(in: .shared) }

  /// What happened and what to do.
  public func message(in localization: Localization) -> String {
    switch self {
    case .invalid(let issues): return issues.map { $0.message(in: localization) }.joined(separator: "\n")
    case .conflict: return localization.text("ErrorString/save.conflict")
    case .store(let error): return error.message(in: localization)
    }
  }
}
