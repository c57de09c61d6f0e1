import Contacts
import Messages
import ObjectGraph

/// Why the book was not changed: by a save, an edit of contacts or groups, a merge, an undo or a redo. The context and the
/// book are as they were before it.
public enum EditError: Error {
  /// The changes violate rules; these are the errors, without the warnings.
  case invalid([ContactIssue])
  /// The same contacts or groups were saved elsewhere in the meantime, and the merge policy does not decide. The value
  /// says what is in conflict if one contact was edited, see ``ContactEdit``.
  case conflict(EditConflict?)
  /// What a step changed has been written since, and the merge policy does not decide.
  case writtenSince(RevertConflict)
  /// The contact with this id, the group with this name or, if the text is empty, the step of the history is not there,
  /// or no longer.
  case missing(String)
  /// A group with this name already exists.
  case exists(String)
  /// The book could not be read or written, or the work was canceled.
  case store(StoreError)
}

/// How a save, an undo or a redo treats contacts that were saved elsewhere in the meantime.
///
/// Except with ``error``, changes are merged by field: a change on only one side is kept. The policy decides when both
/// sides changed the same field to different values.
public enum ContactMergePolicy: Hashable, Sendable {
  /// Nothing is merged: any change elsewhere is a conflict.
  case error
  /// Merged by field; a field that both changed is a conflict.
  case byField
  /// Merged by field; the store wins for a field that both changed.
  case storeWins
  /// Merged by field; this context wins for a field that both changed.
  case objectWins

  var policy: MergePolicy {
    switch self {
    case .error: .error
    case .byField: .byProperty
    case .storeWins: .storeWins
    case .objectWins: .objectWins
    }
  }
}

extension Store {
  /// Runs what reads and changes the book, with every error as an `EditError`.
  func editing<Value>(_ body: () throws -> Value) throws(EditError) -> Value {
    do {
      return try body()
    } catch let error as EditError {
      throw error
    } catch {
      throw .store(storeError(error))
    }
  }
}

extension StoreError {
  /// Returns the failure of the store that an error is, or that it says of an edit; nil if it is about something else.
  public init?(behind error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case EditError.store(let error): self = error
    default: return nil
    }
  }
}

extension EditError: CustomStringConvertible {
  /// The message in the user's language.
  public var description: String { message(in: .shared) }

  /// Returns the message of a conflict.
  public static func changedElsewhere(in localization: Localization) -> String {
    localization.text("ErrorString/save.conflict")
  }

  /// Returns the message: what happened and, for most errors, what to do.
  public func message(in localization: Localization) -> String {
    switch self {
    case .invalid(let issues): return issues.map { $0.message(in: localization) }.joined(separator: "\n")
    case .conflict, .writtenSince, .missing, .exists: return Self.changedElsewhere(in: localization)
    case .store(let error): return error.message(in: localization)
    }
  }
}

extension ContactIssue {
  /// Converts an issue found by ObjectGraph; both types have the same message keys.
  init(_ issue: ValidationIssue) {
    let argument: [String] =
      switch issue.rule.argument {
      case .integer(let number)?: [String(number)]
      default: []
      }
    self.init(
      entity: issue.object.entity, property: issue.property, rule: issue.rule.message, arguments: argument)
  }
}

extension ContactIssue {
  /// The message in the language of this process.
  public var message: String { message(in: .shared) }

  /// Returns the message, which names the property.
  public func message(in localization: Localization) -> String {
    let name = localization.propertyPath(property, entity: entity)
    let pattern = localization.text("ErrorString/\(rule)")
    return MessageFormat.fill(pattern, with: [name] + arguments)
  }
}

extension Localization {
  /// Returns a key path for display: `phones[1].value` as “Phone 2”.
  public func propertyPath(_ path: String, entity: String) -> String {
    guard !path.isEmpty else { return entityName(entity) }
    guard let bracket = path.firstIndex(of: "["), let end = path.firstIndex(of: "]"), bracket < end,
      let position = Int(path[path.index(after: bracket)..<end])
    else { return propertyName(Self.title(of: path, entity), entity: entity) }
    let list = String(path[..<bracket])
    return text("Property/numbered", propertyName(list + ".one", entity: entity), position + 1)
  }

  /// Returns the name that an attribute has in the keys of strings.
  private static func title(of property: String, _ entity: String) -> String {
    guard entity == "Person" else { return property }
    return ContactFields.standard.text(named: property)?.title ?? property
  }
}
