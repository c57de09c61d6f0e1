import Foundation
import SystemCalls

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

/// A property list file that is replaced as a whole: a reader finds the old or the new content, even after a power
/// failure.
struct PropertyListFile: Sendable {
  let path: String
  let format: StoreDescription.PropertyListFormat

  /// Returns the stamp of the file; nil if there is no file.
  func stamp() throws -> FileStamp? {
    if let stamp = FileStamp(of: path) { return stamp }
    if errno == ENOENT { return nil }
    throw StoreFailure.file(path)
  }

  /// Reads the content; nil if there is no file or it is empty.
  func read() throws -> PropertyListArchive? {
    do {
      guard let bytes = try FileBytes.all(of: path, atMost: .max), !bytes.isEmpty else { return nil }
      return try PropertyListArchive(data: Data(bytes))
    } catch is FileFailure {
      throw StoreFailure(reason: .file, description: "\(path) cannot be read")
    }
  }

  /// Writes the content to a temporary file, syncs it and renames it over the file.
  /// - Returns: the stamp of what was written, taken before the rename, because another program may replace the file
  ///   right after it.
  @discardableResult
  func replace(_ archive: PropertyListArchive) throws -> FileStamp {
    let data = try archive.data(format: format)
    do throws(FileFailure) {
      let file = try FileReplacement(path: path)
      try file.write(data)
      let stamp = try file.stamp()
      try file.commit()
      return stamp
    } catch {
      errno = error.code
      throw StoreFailure.file(error.path)
    }
  }

  /// Runs a body under the file's lock, so no other store of this library writes the file meanwhile.
  func lockedForWriting<Result>(_ body: () throws -> Result) throws -> Result {
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw StoreFailure.file(path) }
      defer { close(descriptor) }
      guard flock(descriptor, LOCK_EX) == 0 else { throw StoreFailure.file(path) }
      var locked = stat()
      guard fstat(descriptor, &locked) == 0 else { throw StoreFailure.file(path) }
      // The previous holder of the lock may have replaced the file.
      guard try stamp()?.identity == FileIdentity(locked) else { continue }
      return try body()
    }
  }
}
