/// The entities of a program with their attributes, relationships and rules, checked for consistency.
///
/// ```swift
/// let model = try ObjectModel(entities: [
///   EntityDescription("Student", attributes: [AttributeDescription("name", .string)],
///     relationships: [.toOne("myclass", "MyClass", inverse: "students")], class: Student.self),
///   EntityDescription("MyClass", attributes: [AttributeDescription("name", .string)],
///     relationships: [.toMany("students", "Student", inverse: "myclass", deleteRule: .cascade)], class: MyClass.self),
/// ])
/// ```
public struct ObjectModel: Sendable {
  /// The name of this version of the model, for display.
  public let version: String
  /// Localized names and messages.
  public var localization: LocalizationDictionary
  /// Requests by name; ``template(_:_:)`` binds their variables.
  public var templates: [String: ObjectFetchRequest]
  let schema: Schema
  /// Nil only inside the initializer, because rules are checked against the model.
  private(set) var rules: CompiledRules?

  /// Checks descriptions and makes a model from them.
  /// - Throws: ``ObjectGraphError/badModel(entity:property:reason:)`` with the first description that is wrong.
  public init(
    version: String = "1", entities: [EntityDescription],
    templates: [String: ObjectFetchRequest] = [:], localization: LocalizationDictionary = LocalizationDictionary()
  ) throws(ObjectGraphError) {
    self.version = version
    self.localization = localization
    self.templates = templates
    schema = try SchemaBuilder(entities).build()
    rules = try CompiledRules(self)
  }

  /// All entities in the order of their descriptions.
  public var entities: [Entity] { schema.entities.indices.map { Entity(schema: schema, index: $0) } }

  /// The descriptions that the model was made from.
  public var descriptions: [EntityDescription] { schema.entities.map(\.description) }

  /// Returns the entity with this name; nil if there is none.
  public func entity(named name: String) -> Entity? {
    schema.indexes[name].map { Entity(schema: schema, index: $0) }
  }

  /// Returns the entity with this name.
  /// - Throws: ``ObjectGraphError/unknownEntity(_:)``.
  public func entity(_ name: String) throws(ObjectGraphError) -> Entity {
    guard let entity = entity(named: name) else { throw .unknownEntity(name) }
    return entity
  }

  /// Returns the request of a template with values for its variables.
  /// - Parameters:
  ///   - name: a name in ``templates``.
  ///   - variables: values by name without `$`. Unused names are ignored. A request that still has a variable without a
  ///     value throws when it is run.
  /// - Throws: ``ObjectGraphError/unknownTemplate(_:)``.
  public func template(
    _ name: String, _ variables: [String: any PredicateArgument] = [:]
  ) throws(ObjectGraphError) -> ObjectFetchRequest {
    guard let template = templates[name] else { throw .unknownTemplate(name) }
    return template.binding(variables.mapValues(\.predicateConstant))
  }
}

/// Localized names and messages of a model, by Core Data's keys:
///
/// | key | for |
/// |---|---|
/// | `Entity/Person` | an entity |
/// | `Property/name/Entity/Person` | a property of one entity |
/// | `Property/name` | a property of that name in any entity |
/// | `ErrorString/missing` | a validation message |
public struct LocalizationDictionary: Codable, Hashable, Sendable {
  /// The localized strings by key.
  public var strings: [String: String]

  /// Creates a dictionary, empty by default.
  public init(_ strings: [String: String] = [:]) {
    self.strings = strings
  }

  /// Returns the localized name of an entity; its own name if there is none.
  public func name(ofEntity entity: String) -> String {
    strings["Entity/\(entity)"] ?? entity
  }

  /// Returns the localized name of a property: the one for this entity or, if there is none, the one for any entity. If
  /// there is neither, returns the property's own name.
  public func name(ofProperty property: String, entity: String) -> String {
    strings["Property/\(property)/Entity/\(entity)"] ?? strings["Property/\(property)"] ?? property
  }

  /// Returns the localized message; the message itself if there is none.
  public func message(_ message: String) -> String {
    strings["ErrorString/\(message)"] ?? message
  }
}
