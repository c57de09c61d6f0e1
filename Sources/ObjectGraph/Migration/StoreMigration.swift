/// Brings a store to another model.
///
/// Entities, attributes and relationships are matched by their `renamingID`, the name in the old model, or else by name. What
/// is new gets its default, what has no counterpart goes, a to-one may become a to-many; the closures do the rest. The old
/// file is kept beside the new one; a migration that fails leaves the store as it was. The content of the store is in memory
/// meanwhile.
///
/// ```swift
/// var migration = StoreMigration(.sqlite("college.db"))
/// migration.convert("Student", "age") { old in … }
/// try migration.migrate(to: newModel)
/// ```
public struct StoreMigration {
  private let store: StoreDescription
  private let options: StackOptions
  private var transformation = GraphTransformation.Closures()

  /// A migration of a store that no stack of this process has open.
  public init(_ store: StoreDescription, options: StackOptions = StackOptions()) {
    self.store = store
    self.options = options
  }

  /// Computes an attribute of the new model from the attributes that an object had in the old one, by their old names. So a type
  /// may change, and one attribute may become two.
  public mutating func convert(
    _ entity: String, _ attribute: String, using body: @escaping (_ old: [String: Value]) throws -> Value
  ) {
    transformation.conversions[entity, default: [:]][attribute] = body
  }

  /// Keeps only those objects of an entity of the new model whose old attributes pass.
  public mutating func keep(_ entity: String, where body: @escaping (_ old: [String: Value]) throws -> Bool) {
    transformation.filters[entity] = body
  }

  /// Takes the first object, by order or by first save, where a to-many becomes a to-one.
  public mutating func takeFirst(_ entity: String, _ relationship: String) {
    transformation.reductions.insert("\(entity).\(relationship)")
  }

  /// Migrates the store. One that fits the model already is left alone.
  /// - Returns: the path of the file with the old content; nil when nothing was done, and for a store in memory.
  /// - Throws: `migrationImpossible` with the first property of the new model that is in the way, `store`, and what the closures
  ///   throw, as `store`.
  @discardableResult
  public func migrate(to model: ObjectModel) throws(ObjectGraphError) -> String? {
    try translating {
      let entities = try store.entities.map { names in
        let roots = try names.map { try model.entity($0).root }
        return model.entities.filter { roots.contains($0.root) }
      }
      let target = MigrationTarget(
        model: model, entities: entities ?? model.entities, closures: transformation, options: options)
      switch store.kind {
      case .sqlite(let path): return try target.migrateSQLite(path)
      case .propertyList(let path, let format): return try target.migratePropertyList(path, format)
      case .memory(let storage):
        try target.migrateMemory(storage)
        return nil
      case .mapped:
        // Its tables are the host's.
        return nil
      }
    }
  }
}
