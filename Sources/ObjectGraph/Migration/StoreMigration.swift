/// Migrates a store to another model.
///
/// Entities, attributes and relationships are matched by their `renamingID`, which is the name in the old model, or by
/// name. New attributes get their default, properties without a counterpart are dropped, and a to-one may become a
/// to-many. The methods of the migration describe the rest. The old content of a file is kept in another file next to
/// it. A migration that fails leaves the store as it was. The whole content is in memory while the migration runs.
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

  /// Creates a migration of a store, which no stack of this process may have open.
  public init(_ store: StoreDescription, options: StackOptions = StackOptions()) {
    self.store = store
    self.options = options
  }

  /// Computes an attribute of the new model from an object's old attributes, by their old names: to change a type, or
  /// to split one attribute into two. This also applies to child entities, unless they have a conversion of their own.
  public mutating func convert(
    _ entity: String, _ attribute: String, using body: @escaping (_ old: [String: Value]) throws -> Value
  ) {
    transformation.conversions[entity, default: [:]][attribute] = body
  }

  /// Keeps only the objects of an entity of the new model whose old attributes pass the test. Objects of its child
  /// entities are kept.
  public mutating func filter(_ entity: String, where body: @escaping (_ old: [String: Value]) throws -> Bool) {
    transformation.filters[entity] = body
  }

  /// Lets a to-many become a to-one, which keeps the first object: the first in order or, if the to-many was not
  /// ordered, the one with the lowest number. This also applies to child entities.
  public mutating func keepFirst(_ entity: String, _ relationship: String) {
    transformation.reductions.insert("\(entity).\(relationship)")
  }

  /// Migrates the store. A store that already fits the model is left alone, and so is a mapped store.
  /// - Returns: the path of the file with the old content; nil if nothing was done, and for a store in memory.
  /// - Throws: `migrationImpossible` with an entity or property of the new model that cannot be migrated;
  ///   `typeMismatch` if a closure returns a value of another type; `unknownEntity`; `store`, also for errors of the
  ///   closures.
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
        // The tables belong to the host.
        return nil
      }
    }
  }
}
