import Foundation

/// A store in a property list file, read as a whole and replaced as a whole by each save. A read sees what other
/// programs have saved, and a save never overwrites content that it has not read.
final class PropertyListStore: ObjectStore {
  let identifier: UUID
  private let model: ObjectModel
  private let file: PropertyListFile
  private let entities: [Entity]
  /// Guards `cached`, and serializes the writers of this stack.
  private let lock = NSRecursiveLock()
  /// The content last read or written.
  nonisolated(unsafe) private var cached: (stamp: FileStamp, graph: MemoryGraph)?

  init(path: String, format: StoreDescription.PropertyListFormat, model: ObjectModel, entities: [Entity]) throws {
    self.model = model
    self.entities = entities
    file = PropertyListFile(path: path, format: format)
    identifier = try file.lockedForWriting { [file] in
      if let archive = try file.read() {
        guard StoredModel(archive.descriptions) == StoredModel(entities.map(\.description)) else {
          throw ObjectGraphError.modelMismatch
        }
        return archive.identifier
      }
      let archive = PropertyListArchive(
        identifier: UUID(), descriptions: entities.map(\.description), graph: MemoryGraph())
      try file.replace(archive)
      return archive.identifier
    }
  }

  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    try body(MemoryGraphReader(graph: try current(), model: model))
  }

  func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try file.lockedForWriting {
      let writer = MemoryGraphWriter(try current(), model: model)
      let result = try body(writer)
      let stamp = try file.replace(
        PropertyListArchive(identifier: identifier, descriptions: entities.map(\.description), graph: writer.graph))
      cached = (stamp, writer.graph)
      return result
    }
  }

  func close() throws {}

  private func current() throws -> MemoryGraph {
    lock.lock()
    defer { lock.unlock() }
    let stamp = try file.stamp()
    if let cached, cached.stamp == stamp { return cached.graph }
    guard let stamp, let archive = try file.read() else {
      throw StoreFailure(reason: .file, description: "the file is gone or empty: \(file.path)")
    }
    guard archive.identifier == identifier,
      StoredModel(archive.descriptions) == StoredModel(entities.map(\.description))
    else { throw ObjectGraphError.modelMismatch }
    cached = (stamp, archive.graph)
    return archive.graph
  }
}
