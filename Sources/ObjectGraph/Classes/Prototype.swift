import Foundation
import Synchronization

/// An object that describes its class: its property wrappers hold their declarations.
final class Prototype: @unchecked Sendable {
  let object: Object
  /// The declared properties, those of the superclass first.
  private let declarations: [(name: String, owner: Object.Type, declaration: Declaration)]
  private let names: [ObjectIdentifier: String]
  private let values: [String: Value]
  private let known = Mutex<[PropertyStorage: String]>([:])

  private static let all = Mutex<[ObjectIdentifier: Prototype]>([:])

  /// The schema of all prototypes, which have no properties.
  static var schema: Schema { context.model.schema }

  nonisolated(unsafe) private static let context: ObjectContext = {
    do {
      let model = try ObjectModel(entities: [EntityDescription("Prototype")])
      return try ObjectStack(model: model, store: .memory()).newContext()
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  static func of(_ type: Object.Type) -> Prototype {
    if let known = all.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    let context = Self.context
    return all.withLock { all in
      if let known = all[ObjectIdentifier(type)] { return known }
      let prototype = Prototype(type, in: context)
      all[ObjectIdentifier(type)] = prototype
      return prototype
    }
  }

  private init(_ type: Object.Type, in context: ObjectContext) {
    Declaration.describingThread.store(UInt(pthread_self()), ordering: .relaxed)
    defer { Declaration.describingThread.store(0, ordering: .relaxed) }
    let id = ObjectID(store: UUID(), entity: "Prototype", key: .temporary(UUID()))
    object = type.init(entity: context.model.entities[0], objectID: id, context: context)
    var found: [(name: String, owner: Object.Type, declaration: Declaration)] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let current = mirror, let owner = current.subjectType as? Object.Type {
      let own = current.children.compactMap { child in
        // The storage of `name` is called `_name`.
        (child.value as? any DeclaredProperty)?.declaration.map { (String((child.label ?? "").dropFirst()), owner, $0) }
      }
      found = own + found
      mirror = current.superclassMirror
    }
    declarations = found
    names = Dictionary(uniqueKeysWithValues: found.map { (ObjectIdentifier($0.declaration), $0.name) })
    values = Dictionary(
      found.compactMap { name, _, declaration in
        if case .attribute(_, _, let value, _) = declaration.kind { (name, value) } else { nil }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The name of the property with this storage.
  func name<Root: Object, Storage: DeclaredProperty>(of storage: KeyPath<Root, Storage>) -> String {
    let key = PropertyStorage(keyPath: storage)
    if let name = known.withLock({ $0[key] }) { return name }
    guard let prototype = object as? Root, let declaration = prototype[keyPath: storage].declaration,
      let name = names[ObjectIdentifier(declaration)]
    else { preconditionFailure("\(Root.self) has no such property") }
    known.withLock { $0[key] = name }
    return name
  }

  /// The value of an attribute in a new object.
  func declaredValue(_ name: String) -> Value { values[name] ?? .null }

  // A key path to stored properties is immutable, but not declared `Sendable`.
  private struct PropertyStorage: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
  }

  // MARK: The model

  /// The description of the class, with the relationships' other sides as far as they are named.
  fileprivate func description(parent: String?) -> (EntityDescription, [DeclaredRelationship]) {
    let type = type(of: object)
    var entity = EntityDescription(String(describing: type), parent: parent, class: type)
    var relationships: [DeclaredRelationship] = []
    for (name, owner, declaration) in declarations where owner == type || parent == nil {
      switch declaration.kind {
      case .attribute(let kind, let isOptional, let value, let options):
        var attribute = AttributeDescription(name, kind, isOptional: isOptional, default: value)
        for option in options { option.apply(&attribute) }
        entity.attributes.append(attribute)
      case .toOne(let destination, let inverse, let rule, let isRequired):
        relationships.append(
          DeclaredRelationship(
            owner: type, destination: destination, inverse: inverse,
            description: .toOne(name, "", inverse: "", deleteRule: rule, isOptional: !isRequired)))
      case .toMany(let destination, let inverse, let rule, let isOrdered, let count):
        relationships.append(
          DeclaredRelationship(
            owner: type, destination: destination, inverse: inverse,
            description: .toMany(
              name, "", inverse: "", isOrdered: isOrdered, deleteRule: rule,
              isOptional: (count?.lowerBound ?? 0) == 0, minimumCount: count?.lowerBound ?? 0,
              maximumCount: count?.upperBound ?? 0)))
      }
    }
    return (entity, relationships)
  }
}

/// A relationship whose other side may still have to be found.
private struct DeclaredRelationship {
  let owner: Object.Type
  let destination: Object.Type
  let inverse: Inverse?
  var description: RelationshipDescription

  /// The name of the other side, if this one names it.
  var otherName: String? { inverse?.name(of: description.name) }
}

extension ObjectModel {
  /// Makes a model of classes. An entity has the name of its class; its parent is the superclass, if that is in the
  /// list.
  /// - Parameters:
  ///   - version: the name of this version of the model.
  ///   - classes: the classes.
  ///   - described: entities without a class that declares them.
  ///   - templates: requests by name.
  ///   - localization: localized names and messages.
  ///   - adjust: changes what the declarations cannot say, such as `isAbstract`, `owner` and `rules` of an entity.
  /// - Throws: `badModel` with the class and the property that is wrong: one whose other side is missing, ambiguous, or
  ///   points to another class.
  public init(
    version: String = "1", classes: [Object.Type], entities described: [EntityDescription] = [],
    templates: [String: ObjectFetchRequest] = [:],
    localization: LocalizationDictionary = LocalizationDictionary(),
    adjust: (inout EntityDescription) -> Void = { _ in }
  ) throws(ObjectGraphError) {
    var entities: [EntityDescription] = []
    var relationships: [DeclaredRelationship] = []
    for type in classes {
      let parent = Mirror(reflecting: Prototype.of(type).object).superclassMirror?.subjectType as? Object.Type
      let isChild = parent.map { parent in classes.contains { $0 == parent } } ?? false
      let (entity, declared) = Prototype.of(type).description(parent: isChild ? parent.map { "\($0)" } : nil)
      entities.append(entity)
      relationships += declared
    }
    for index in relationships.indices { try Self.complete(index, of: &relationships, classes) }
    for index in entities.indices {
      entities[index].relationships = relationships.filter { $0.owner == entities[index].objectClass }.map(
        \.description)
      adjust(&entities[index])
    }
    try self.init(version: version, entities: entities + described, templates: templates, localization: localization)
  }

  /// Finds the other side of a relationship.
  private static func complete(
    _ index: Int, of relationships: inout [DeclaredRelationship], _ classes: [Object.Type]
  ) throws(ObjectGraphError) {
    let side = relationships[index]
    guard classes.contains(where: { $0 == side.destination }) else {
      throw .badModel(
        entity: "\(side.owner)", property: side.description.name,
        reason: "the class \(side.destination) is not in the list of classes")
    }
    /// Whether two sides point to each other's class.
    func fits(_ other: DeclaredRelationship) -> Bool {
      other.owner == side.destination && other.destination == side.owner
    }
    let names = relationships.indices.filter { index in
      let other = relationships[index]
      return fits(other)
        && (side.otherName.map { $0 == other.description.name } ?? (other.otherName == side.description.name))
    }
    // Neither side names the other: they must be the only ones that can.
    let open = relationships.indices.filter { relationships[$0].inverse == nil && fits(relationships[$0]) }
    let found = !names.isEmpty || side.inverse != nil ? names : open
    guard found.count == 1 else {
      throw .badModel(
        entity: "\(side.owner)", property: side.description.name,
        reason: found.isEmpty
          ? "no relationship of \(side.destination) is its other side"
          : "several relationships of \(side.destination) may be its other side: name one with `inverse:`")
    }
    relationships[index].description.destination = "\(side.destination)"
    relationships[index].description.inverse = relationships[found[0]].description.name
  }
}

extension ObjectStack {
  /// Opens a store for objects of these classes, and creates it if necessary.
  /// - Throws: as ``init(model:store:options:)``, and `badModel`.
  public convenience init(
    _ store: StoreDescription, _ classes: Object.Type..., options: StackOptions = StackOptions()
  ) throws(ObjectGraphError) {
    try self.init(model: try ObjectModel(classes: classes), store: store, options: options)
  }
}

extension StoreDescription: ExpressibleByStringLiteral {
  /// Describes a store in the SQLite file with this path.
  public init(stringLiteral path: String) { self = .sqlite(path) }
}
