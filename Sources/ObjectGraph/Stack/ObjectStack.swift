import Foundation
import Synchronization

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
  /// What stops those who read the stores on threads of their own.
  private let followers = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

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
  /// save to them, and live lists are no longer followed. Contexts must not be in use on other threads meanwhile.
  /// - Throws: `store` if a file cannot be closed.
  public func close() throws(ObjectGraphError) {
    for stop in followers.withLock({ Array($0.values) }) { stop() }
    try translating {
      for store in stores { try store.close() }
    }
  }

  /// Registers a reader that has to stop before the files are closed; nil if it has stopped.
  package func setFollower(_ follower: ObjectIdentifier, stop: (@Sendable () -> Void)?) {
    followers.withLock { $0[follower] = stop }
  }

  func store(of entity: Entity) -> any ObjectStore { stores[assignment[entity.index]] }
}

/// Describes a store.
public struct StoreDescription: Sendable {
  /// The format of a property list.
  public enum PropertyListFormat: String, Codable, Hashable, Sendable {
    /// Readable text.
    case xml
    /// Smaller and faster.
    case binary
  }

  /// The kind of store.
  public enum Kind: Sendable {
    /// A SQLite database file.
    case sqlite(path: String)
    /// A store in memory.
    case memory(MemoryStorage)
    /// A property list file that is read and written as a whole.
    case propertyList(path: String, format: PropertyListFormat)
    /// Existing tables in a database that the program opened. `identifier` identifies the store in ids and URIs;
    /// `isChecked` says whether opening the stack checks that the database has the tables and columns.
    case mapped(any SQLiteHost, identifier: UUID, StoreMapping, isChecked: Bool)
  }

  /// The kind of store, and where its data is.
  public var kind: Kind
  /// Names of the entities that the store keeps; nil for all that no other store lists.
  public var entities: [String]?

  /// Describes a store of this kind.
  public init(_ kind: Kind, entities: [String]? = nil) {
    self.kind = kind
    self.entities = entities
  }

  /// Describes a store in a SQLite database file.
  public static func sqlite(_ path: String, entities: [String]? = nil) -> StoreDescription {
    StoreDescription(.sqlite(path: path), entities: entities)
  }

  /// Describes a store in existing tables of a database that the program opened.
  /// - Parameters:
  ///   - host: the database.
  ///   - identifier: the store's identifier in ids and URIs; always the same for the same database.
  ///   - mapping: the tables and columns of the model.
  ///   - isChecked: whether opening the stack checks that the database has these tables and columns. Pass false if the
  ///     program has already checked this.
  ///   - entities: names of the entities that the store keeps; nil for all that no other store lists.
  public static func mapped(
    _ host: any SQLiteHost, identifier: UUID, _ mapping: StoreMapping, isChecked: Bool = true,
    entities: [String]? = nil
  ) -> StoreDescription {
    StoreDescription(.mapped(host, identifier: identifier, mapping, isChecked: isChecked), entities: entities)
  }

  /// Describes a store in memory, which lives as long as its storage.
  public static func memory(_ storage: MemoryStorage = MemoryStorage(), entities: [String]? = nil) -> StoreDescription {
    StoreDescription(.memory(storage), entities: entities)
  }

  /// Describes a store in a property list file that is read and written as a whole, for small archives.
  public static func propertyList(
    _ path: String, format: PropertyListFormat, entities: [String]? = nil
  ) -> StoreDescription {
    StoreDescription(.propertyList(path: path, format: format), entities: entities)
  }
}

extension StoreDescription.Kind {
  /// What holds the data: the path of a file, or an object.
  var medium: AnyHashable {
    switch self {
    case .sqlite(let path), .propertyList(let path, _): URL(fileURLWithPath: path).standardizedFileURL
    case .memory(let storage): ObjectIdentifier(storage)
    case .mapped(let host, _, _, _): ObjectIdentifier(host)
    }
  }
}

struct StoreAssignment {
  /// The index of the store by the index of the entity.
  let indexes: [Int]

  init(model: ObjectModel, stores: [StoreDescription]) throws(ObjectGraphError) {
    var named: [String: Int] = [:]
    for (index, store) in stores.enumerated() {
      for name in store.entities ?? [] {
        named[try model.entity(name).root.name] = index
      }
    }
    let rest = stores.firstIndex { $0.entities == nil }
    var indexes: [Int] = []
    for entity in model.entities {
      guard let index = named[entity.root.name] ?? rest else {
        throw .badModel(entity: entity.name, property: nil, reason: "no store keeps it")
      }
      indexes.append(index)
    }
    for relationship in model.entities.flatMap(\.relationships)
    where indexes[relationship.entity.index] != indexes[relationship.destination.index] {
      throw .badModel(
        entity: relationship.entity.name, property: relationship.name,
        reason: "\(relationship.destination.name) is kept in another store")
    }
    self.indexes = indexes
  }
}
