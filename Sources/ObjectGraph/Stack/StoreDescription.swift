import Foundation

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
      guard let index = named[entity.root.name] ?? rest else { throw .badModel(entity: entity.name, property: nil) }
      indexes.append(index)
    }
    for relationship in model.entities.flatMap(\.relationships)
    where indexes[relationship.entity.index] != indexes[relationship.destination.index] {
      throw .badModel(entity: relationship.entity.name, property: relationship.name)
    }
    self.indexes = indexes
  }
}
