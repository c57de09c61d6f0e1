import Foundation

extension ObjectGraphError: LocalizedError {
  /// A sentence in English, for a log or a developer; messages for users are those of the validation issues.
  public var errorDescription: String? {
    func of(_ entity: String, _ property: String?) -> String {
      property.map { $0.isEmpty ? "A rule of \(entity)" : "\($0) of \(entity)" } ?? entity
    }
    return switch self {
    case .badModel(let entity, let property, let reason): "The model is wrong: \(of(entity, property)): \(reason)."
    case .unknownEntity(let name): "The model has no entity or class \(name)."
    case .abstractEntity(let name): "\(name) is abstract and has no objects of its own."
    case .unknownKey(let key, let entity): "\(entity) has no property \(key)."
    case .typeMismatch(let entity, let property): "\(of(entity, property)) does not accept or have such a value."
    case .notToMany(let entity, let property): "\(of(entity, property)) is not a to-many."
    case .notOrdered(let entity, let property): "\(of(entity, property)) has no order, so there is no index."
    case .deletedObject(let id): "The object \(id) is deleted."
    case .contextGone(let id): "The context of the object \(id) is gone. Keep it as long as you use its objects."
    case .foreignObject(let id): "The object \(id) belongs to another context."
    case .badURI(let uri): "\(uri) is not the URI of an object in a store of this stack."
    case .unknownTemplate(let name): "The model has no template \(name)."
    case .predicate(let error): error.errorDescription
    case .badRequest(let field): "The field \(field) of the request is invalid or contradicts the others."
    case .wrongKind(let key): "The values of \(key) cannot be sorted, folded, prefetched or computed like this."
    case .modelMismatch:
      "The store was made with other classes, properties or types of values than the model has. Migrate it."
    case .migrationImpossible(let entity, let property): "The migration cannot make \(of(entity, property))."
    case .noHistory: "The store keeps no history; call enableHistoryTracking() first."
    case .validation(let issues):
      issues.map { "\($0.object.entity): \($0.localizedDescription(in: LocalizationDictionary()))" }.joined(
        separator: " ")
    case .refused(let error): "The save or the insertion was refused: \(error.localizedDescription)"
    case .conflicts(let conflicts):
      "Others have saved the same objects: \(conflicts.map(\.object.uri).joined(separator: ", "))."
    case .store(let failure): failure.errorDescription
    case .mapping(let error): error.errorDescription
    case .host(let error): error.localizedDescription
    }
  }
}

extension InvalidPredicate: LocalizedError {
  /// A sentence in English with the offset.
  public var errorDescription: String? {
    func at(_ offset: Int?) -> String { offset.map { "At offset \($0) of the predicate, " } ?? "In the predicate, " }
    return switch self {
    case .syntax(let offset): at(offset) + "the text is not understood."
    case .argumentCount(let expected, let given): "The predicate has \(expected) placeholders, but \(given) arguments."
    case .tooDeep(let offset): at(offset) + "something is nested more than 200 deep."
    case .argumentType(let offset): at(offset) + "the placeholder does not accept its argument."
    case .unboundVariable(let offset, let name): at(offset) + "$\(name) has no value."
    case .unknownKey(_, let key, let entity) where key.hasPrefix("\\"):
      "\(key) is not a declared property of \(entity ?? "the object"); queries cannot use values that are computed."
    case .unknownKey(let offset, let key, let entity): at(offset) + "\(entity ?? "a value") has no property \(key)."
    case .typeMismatch(let offset): at(offset) + "values of these kinds cannot be compared or computed."
    case .toManyNotAllowed(let offset): at(offset) + "a to-many stands where one value is needed; use ANY or ALL."
    case .notToMany(let offset): at(offset) + "a to-many is needed."
    case .badPattern(let offset): at(offset) + "the pattern is not a regular expression."
    }
  }
}

extension StoreFailure: LocalizedError {
  /// A sentence in English.
  public var errorDescription: String? { "The store cannot be used: \(description)." }
}

extension InvalidMapping: LocalizedError {
  /// A sentence in English.
  public var errorDescription: String? {
    switch self {
    case .unmappedEntity(let name): "The mapping has no table for \(name)."
    case .missingType(let entity): "The mapping has no column that tells the entities of \(entity) apart."
    case .badProperty(let name, let entity): "\(name) of \(entity) cannot be mapped like this."
    case .missingTable(let name): "The database has no table \(name)."
    case .missingColumn(let name, let table): "The table \(table) has no column \(name)."
    }
  }
}

extension ValidationIssue {
  /// Returns a sentence for the user: the message of the rule in the dictionary (`ErrorString/tooLong`), where `%1$@` or
  /// `%@` stands for the localized name of the property, or of the entity if the entity's own rule is broken, and `%2$@`
  /// for the bound. If the dictionary lacks the message, the sentence is in English, and for a rule its message.
  public func localizedDescription(in dictionary: LocalizationDictionary) -> String {
    let name =
      property.isEmpty
      ? dictionary.name(ofEntity: object.entity) : dictionary.name(ofProperty: property, entity: object.entity)
    let sentence = dictionary.strings["ErrorString/\(rule.message)"] ?? rule.english
    return sentence.replacing("%2$@", with: rule.argument?.plainText ?? "").replacing("%1$@", with: name)
      .replacing("%@", with: name)
  }
}

extension ValidationIssue.Rule {
  fileprivate var english: String {
    switch self {
    case .missing: "%1$@ is missing."
    case .tooSmall: "%1$@ must be at least %2$@."
    case .tooLarge: "%1$@ must be at most %2$@."
    case .tooShort: "%1$@ is too short; its length must be at least %2$@."
    case .tooLong: "%1$@ is too long; its length must be at most %2$@."
    case .pattern: "%1$@ is not valid."
    case .tooFew: "%1$@: at least %2$@ are needed."
    case .tooMany: "%1$@: at most %2$@ are allowed."
    case .denied: "It cannot be deleted while there are objects in %1$@ (%2$@)."
    case .rule(let message): message
    }
  }
}

extension Value {
  /// The value as people write it in an international format.
  fileprivate var plainText: String {
    switch self {
    case .null: ""
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .date(let date): FormatDate.text(date) ?? "\(date)"
    case .data(let data): "\(data)"
    case .uuid(let uuid): "\(uuid)"
    case .object(let id): id.uri
    }
  }
}
