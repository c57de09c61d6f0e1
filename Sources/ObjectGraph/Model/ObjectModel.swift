/// The entities of a program with their attributes, relationships and rules, checked to hold together.
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
  /// The name of this version of the model, for people.
  public let version: String
  /// What people read in place of names and messages.
  public var localization: LocalizationDictionary
  /// Requests by name, with variables that ``template(_:_:)`` gives values.
  public var templates: [String: FetchRequest]
  let schema: Schema
  /// Nil only while it is made, for rules are checked against the model.
  private(set) var rules: CompiledRules?

  /// Checks descriptions and makes a model of them.
  /// - Throws: ``ObjectGraphError/badModel(entity:property:)`` with the first description that is wrong.
  public init(
    version: String = "1", entities: [EntityDescription],
    templates: [String: FetchRequest] = [:], localization: LocalizationDictionary = LocalizationDictionary()
  ) throws(ObjectGraphError) {
    self.version = version
    self.localization = localization
    self.templates = templates
    schema = try SchemaBuilder(entities).build()
    rules = try CompiledRules(self)
  }

  /// All entities in the order of their descriptions.
  public var entities: [Entity] { schema.entities.indices.map { Entity(schema: schema, index: $0) } }

  /// The descriptions that the model was made of.
  public var descriptions: [EntityDescription] { schema.entities.map(\.description) }

  /// The entity of a name; nil when there is none.
  public func entity(named name: String) -> Entity? {
    schema.indexes[name].map { Entity(schema: schema, index: $0) }
  }

  /// The entity of a name.
  /// - Throws: ``ObjectGraphError/unknownEntity(_:)``.
  public func entity(_ name: String) throws(ObjectGraphError) -> Entity {
    guard let entity = entity(named: name) else { throw .unknownEntity(name) }
    return entity
  }
}
