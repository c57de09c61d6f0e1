import Foundation
import Synchronization

/// The content of an in-memory store. Stacks that are opened on it one after the other see the same objects.
public final class MemoryStorage: Sendable {
  struct Content: Sendable {
    var identifier = UUID()
    var descriptions: [EntityDescription]?
    var graph = MemoryGraph()
  }

  let content = Mutex(Content())

  /// Creates an empty storage.
  public init() {}
}

final class MemoryStore: ObjectStore {
  let identifier: UUID
  let model: ObjectModel
  private let storage: MemoryStorage
  /// Serializes the writers of this stack; readers do not wait for them.
  private let writing = NSLock()

  init(_ storage: MemoryStorage, model: ObjectModel, entities: [Entity]) throws {
    self.storage = storage
    self.model = model
    identifier = try storage.content.withLock { content in
      let descriptions = entities.map(\.description)
      if let stored = content.descriptions, StoredModel(stored) != StoredModel(descriptions) {
        throw ObjectGraphError.modelMismatch
      }
      content.descriptions = descriptions
      return content.identifier
    }
  }

  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    let graph = storage.content.withLock { $0.graph }
    return try body(MemoryGraphReader(graph: graph, model: model))
  }

  func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
    writing.lock()
    defer { writing.unlock() }
    let writer = MemoryGraphWriter(storage.content.withLock { $0.graph }, model: model)
    let result = try body(writer)
    storage.content.withLock { $0.graph = writer.graph }
    return result
  }

  func close() throws {}
}
