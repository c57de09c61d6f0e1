import Messages
import ObjectGraph

/// A condition on contacts in the format language of predicates, with the keys of the book's JSON:
/// `ANY phones.value BEGINSWITH '+86' AND organization CONTAINS[cd] 'acme'`.
public struct ContactCondition: Sendable {
  /// The original text.
  public let text: String
  let request: ObjectFetchRequest

  /// Parses and checks a condition; needs no book.
  /// - Throws: `ContactConditionError` for the first error.
  public init(_ text: String) throws(ContactConditionError) {
    self.text = text
    do throws(InvalidPredicate) {
      request = ObjectFetchRequest("Person", where: try ObjectPredicate(text))
    } catch {
      throw ContactConditionError(error, text: text)
    }
    do throws(ObjectGraphError) {
      _ = try CheckedRequest(request, model: BookModel.model())
    } catch {
      guard case .predicate(let reason) = error else { throw ContactConditionError(.syntax(offset: nil), text: text) }
      throw ContactConditionError(reason, text: text)
    }
  }
}

/// The error in a condition, and its location.
public struct ContactConditionError: Error, Hashable, Sendable {
  /// The error.
  public let reason: InvalidPredicate
  /// The text of the condition.
  public let text: String

  init(_ reason: InvalidPredicate, text: String) {
    self.reason = reason
    self.text = text
  }

  /// The offset in Unicode scalars from 0; the length of the text for an error at its end; nil if the error has no
  /// location.
  public var offset: Int? {
    switch reason {
    case .syntax(let offset), .tooDeep(let offset), .argumentType(let offset), .unboundVariable(let offset, name: _),
      .unknownKey(let offset, key: _, entity: _), .typeMismatch(let offset), .toManyNotAllowed(let offset),
      .notToMany(let offset), .badPattern(let offset):
      offset
    case .argumentCount:
      text.unicodeScalars.firstIndex(of: "%").map {
        text.unicodeScalars.distance(from: text.unicodeScalars.startIndex, to: $0)
      }
    }
  }

  /// Returns the message: the error and its location.
  /// - Parameter localization: the language of the message.
  public func message(in localization: Localization) -> String {
    let message =
      switch reason {
      case .syntax, .tooDeep: localization.text("ErrorString/condition.syntax")
      case .argumentCount, .argumentType: localization.text("ErrorString/condition.placeholder")
      case .unboundVariable(_, let name): localization.text("ErrorString/condition.variable", name)
      case .unknownKey(_, let key, let entity):
        localization.text(
          entity == nil ? "ErrorString/condition.noKeys" : "ErrorString/condition.unknownKey", key,
          localization.list(Self.keys(of: entity)))
      case .typeMismatch: localization.text("ErrorString/condition.typeMismatch")
      case .toManyNotAllowed: localization.text("ErrorString/condition.toMany")
      case .notToMany: localization.text("ErrorString/condition.notToMany")
      case .badPattern: localization.text("ErrorString/condition.pattern")
      }
    guard let offset else { return message }
    let rest = String(text.unicodeScalars.dropFirst(offset).prefix(Self.shownLength))
    return rest.allSatisfy(\.isWhitespace)
      ? localization.text("ErrorString/condition.atEnd", message)
      : localization.text("ErrorString/condition.at", message, offset + 1, rest)
  }

  private static let shownLength = 30

  /// Returns the keys of an entity that a condition can use; none if the entity is unknown.
  private static func keys(of entity: String?) -> [String] {
    guard let entity, let found = try? BookModel.model().entity(named: entity) else { return [] }
    return found.attributes.filter { !$0.description.isHidden }.map(\.name) + found.relationships.map(\.name)
  }
}

extension AddressBook {
  /// Returns the ids of the contacts that match a condition, in ascending order. Deleted contacts are left out.
  public func contactIDs(where condition: ContactCondition) throws(StoreError) -> [Int64] {
    try objects.read { context throws(ObjectGraphError) in
      guard case .objects(let ids) = try context.result(of: condition.request) else { return [] }
      return ids.compactMap(\.number)
    }
  }
}
