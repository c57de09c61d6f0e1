import Foundation

/// A model with the stores that keep its objects, the counterpart of Core Data's persistent container.
///
/// ```swift
/// let stack = try ObjectStack(model: model, store: .sqlite("college.db"))
/// let context = stack.newContext()
/// ```
///
/// A stack may be shared between threads; each thread makes its own contexts. A context keeps its stack alive.
public final class ObjectStack: Sendable {
  /// The model of the objects.
  public let model: ObjectModel
  let stores: [any ObjectStore]
  /// The store of each entity, by the index of the entity.
  private let assignment: [Int]

  /// Opens one store, and creates it if necessary.
  /// - Throws: `modelMismatch` when the store was made with another model, `badModel`, `unknownEntity`, `mapping`,
  ///   `host`, `store`.
  public convenience init(
    model: ObjectModel, store: StoreDescription, options: StackOptions = StackOptions()
  ) throws(ObjectGraphError) {
    try self.init(model: model, stores: [store], options: options)
  }

  /// Opens several stores behind one model. The objects of an entity are kept in the store that lists it or, if none
  /// does, in the first store without a list. An entity and its children are always in the same store. Relationships
  /// cannot cross stores.
  ///
  /// A save spans all stores: it writes to all of them or, if one refuses, to none. A power failure between the commits
  /// of two files, or a second commit that fails, may leave only one of them written.
  /// - Throws: `modelMismatch` when a store was made with another model, `badModel`, `unknownEntity`, `mapping`,
  ///   `host`; `store`, also when two stores have the same file, storage or host.
  public init(
    model: ObjectModel, stores: [StoreDescription], options: StackOptions = StackOptions()
  ) throws(ObjectGraphError) {
    self.model = model
    // A save writes its stores in nested transactions, which one database cannot have.
    guard Set(stores.map(\.kind.medium)).count == stores.count else {
      throw .store(
        StoreFailure(reason: .other, description: "two stores of a stack have the same file, storage or host"))
    }
    let assignment = try StoreAssignment(model: model, stores: stores).indexes
    self.assignment = assignment
    var opened: [any ObjectStore] = []
    for (index, description) in stores.enumerated() {
      let entities = model.entities.filter { assignment[$0.index] == index }
      opened.append(try translating { try Self.open(description, model: model, entities: entities, options: options) })
    }
    self.stores = opened
  }

  private static func open(
    _ description: StoreDescription, model: ObjectModel, entities: [Entity], options: StackOptions
  ) throws -> any ObjectStore {
    switch description.kind {
    case .sqlite(let path): try SQLiteStore(path: path, model: model, entities: entities, options: options)
    case .memory(let storage): try MemoryStore(storage, model: model, entities: entities)
    case .propertyList(let path, let format):
      try PropertyListStore(path: path, format: format, model: model, entities: entities)
    case .mapped(let host, let identifier, let mapping, let isChecked):
      try MappedStore(
        host, identifier: identifier, mapping: mapping, isChecked: isChecked, model: model, entities: entities)
    }
  }

  /// Returns a new context on the stores.
  /// - Parameter mergePolicy: how its saves treat objects that were saved elsewhere in the meantime.
  public func newContext(mergePolicy: MergePolicy = .error) -> ObjectContext {
    ObjectContext(model: model, source: StackSource(self), parent: nil, mergePolicy: mergePolicy)
  }

  /// Closes the SQLite files that the stack opened. Existing contexts can then no longer read from them or
  /// save to them.
  /// - Throws: `store` if a file cannot be closed.
  public func close() throws(ObjectGraphError) {
    try translating {
      for store in stores { try store.close() }
    }
  }

  func store(of entity: Entity) -> any ObjectStore { stores[assignment[entity.index]] }
}
