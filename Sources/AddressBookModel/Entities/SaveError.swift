import Contacts
import ObjectGraph

/// Why a save did not happen. The context and the book are as they were before it.
public enum SaveError: Error {
  /// Something in the changes breaks a rule; every issue is listed.
  case invalid([Contacts.ValidationIssue])
  /// Somebody else saved the same contacts meanwhile, and the merge policy does not decide.
  case conflict(SaveConflict)
  /// The book could not be read or written.
  case store(StoreError)
}

/// What a save does about contacts that somebody else saved since they were read.
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

  var policy: ObjectGraph.MergePolicy {
    switch self {
    case .error: .error
    case .byField: .byProperty
    case .storeWins: .storeWins
    case .objectWins: .objectWins
    }
  }
}

/// Contacts that two sides changed, for a person to decide.
public struct SaveConflict: Hashable, Sendable {
  /// One contact with its parts, or a group.
  public struct Entry: Hashable, Sendable {
    /// Its row.
    public let id: Int64?
    /// As it was when this context read it.
    public let base: ObjectTree
    /// As it is in this context; nil when it was deleted here.
    public let mine: ObjectTree?
    /// As it is in the book; nil when it was deleted there.
    public let theirs: ObjectTree?
    /// Key paths that both sides changed, such as `family` or `phones[1].value`; empty when one side deleted the contact.
    public let fields: [String]
  }

  /// Every contact in conflict.
  public let entries: [Entry]

  init(_ conflicts: [WholeConflict]) {
    entries = conflicts.map { conflict in
      Entry(
        id: conflict.object.number, base: conflict.base, mine: conflict.mine, theirs: conflict.theirs,
        fields: conflict.fields.map(BookModel.fieldPath))
    }
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

extension Contacts.ValidationIssue {
  /// An issue of the library in the terms of the book, which has the same keys of messages.
  init(_ issue: ObjectGraph.ValidationIssue) {
    let argument: [String] =
      switch issue.rule.argument {
      case .integer(let number)?: [String(number)]
      default: []
      }
    self.init(
      entity: issue.object.entity, property: issue.property, rule: issue.rule.message, arguments: argument)
  }
}
