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

/// The content of a property list store, in this form:
///
/// ```
/// { store: UUID, model: JSON, tables: { Student: { sequence: 9, objects: [
///     { number: 1, entity: Student, version: 1, values: { name: … }, references: { myclass: 3 } } ] } },
///   lists: [ { entity: Student, relationship: courses, members: { "1": [2, 5] } } ] }
/// ```
///
/// Dates are seconds since 2001-01-01 UTC, because the dates of an XML property list have no fractions of a second. A
/// string that XML would change is stored as data.
struct PropertyListArchive {
  var identifier: UUID
  var descriptions: [EntityDescription]
  var graph: MemoryGraph

  init(identifier: UUID, descriptions: [EntityDescription], graph: MemoryGraph) {
    self.identifier = identifier
    self.descriptions = descriptions
    self.graph = graph
  }

  // MARK: - Writing

  func data(format: StoreDescription.PropertyListFormat) throws -> Data {
    let model = try ObjectModel(entities: descriptions)
    var tables: [String: Any] = [:]
    for (name, table) in graph.tables {
      let objects = try table.rows.sorted { $0.key < $1.key }.map { number, row in
        try object(number, row, entity: model.entity(row.entity))
      }
      tables[name] = ["sequence": table.sequence, "objects": objects] as [String: Any]
    }
    let lists = graph.lists.map { name, members in
      [
        "entity": name.entity, "relationship": name.relationship,
        "members": Dictionary(
          members.filter { !$0.value.isEmpty }.map { (String($0.key), $0.value) },
          uniquingKeysWith: { first, _ in first }),
      ] as [String: Any]
    }
    let root: [String: Any] = [
      "store": identifier.uuidString, "model": try JSONEncoder().encode(descriptions), "tables": tables, "lists": lists,
    ]
    return try PropertyListSerialization.data(
      fromPropertyList: root, format: format == .xml ? .xml : .binary, options: 0)
  }

  private func object(_ number: Int64, _ row: MemoryGraph.Row, entity: Entity) -> [String: Any] {
    var values: [String: Any] = [:]
    for attribute in entity.attributes where !attribute.description.isTransient {
      values[attribute.name] = row.values[attribute.index].propertyListCell
    }
    var references: [String: Int64] = [:]
    for relationship in entity.relationships { references[relationship.name] = row.references[relationship.index] }
    return [
      "number": number, "entity": row.entity, "version": row.version, "values": values, "references": references,
    ]
  }

  // MARK: - Reading

  init(data: Data) throws {
    let unreadable = StoreFailure(reason: .unreadable, description: "the file is not an object archive")
    guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let root = list as? [String: Any],
      let identifier = (root["store"] as? String).flatMap(UUID.init), let json = root["model"] as? Data,
      let tables = root["tables"] as? [String: [String: Any]], let lists = root["lists"] as? [[String: Any]]
    else { throw unreadable }
    let descriptions = try JSONDecoder().decode([EntityDescription].self, from: json)
    let model = try ObjectModel(entities: descriptions)
    var graph = MemoryGraph()
    for (name, table) in tables {
      guard let sequence = table["sequence"] as? Int64, let objects = table["objects"] as? [[String: Any]] else {
        throw unreadable
      }
      var rows: [Int64: MemoryGraph.Row] = [:]
      for object in objects {
        guard let number = object["number"] as? Int64, let row = try Self.row(object, model) else { throw unreadable }
        rows[number] = row
      }
      graph.tables[name] = MemoryGraph.Table(rows: rows, sequence: sequence)
    }
    for list in lists {
      guard let entity = list["entity"] as? String, let name = list["relationship"] as? String,
        let relationship = model.entity(named: entity)?.relationship(named: name),
        let members = list["members"] as? [String: [Int64]]
      else { throw unreadable }
      var byOwner: [Int64: [Int64]] = [:]
      for (owner, numbers) in members {
        guard let owner = Int64(owner) else { throw unreadable }
        byOwner[owner] = numbers
      }
      graph.lists[MemoryGraph.ListName(relationship)] = byOwner
    }
    self.init(identifier: identifier, descriptions: descriptions, graph: graph)
  }

  private static func row(_ object: [String: Any], _ model: ObjectModel) throws -> MemoryGraph.Row? {
    guard let name = object["entity"] as? String, let entity = model.entity(named: name),
      let version = object["version"] as? Int64, let cells = object["values"] as? [String: Any],
      let references = object["references"] as? [String: Int64]
    else { return nil }
    let values = try entity.attributes.map { attribute -> Value in
      if attribute.description.isTransient { return attribute.description.defaultValue }
      guard let cell = cells[attribute.name] else { return .null }
      guard let value = Value(propertyListCell: cell, type: attribute.type) else {
        throw StoreFailure(
          reason: .unreadable, description: "a value of \(name) is not of type \(attribute.type.rawValue)")
      }
      return value
    }
    return MemoryGraph.Row(
      entity: name, version: version, values: values, references: entity.relationships.map { references[$0.name] })
  }
}

extension Value {
  /// The value in a property list; nil for null and for objects.
  fileprivate var propertyListCell: Any? {
    switch self {
    case .null, .object: nil
    case .string(let text): text.isKeptByXML ? text : Data(text.utf8)
    case .integer(let number): number
    // The shortest string that reads back as the same number, infinity included.
    case .double(let number): "\(number)"
    case .boolean(let flag): flag
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .data(let data): data
    case .uuid(let uuid): uuid.uuidString
    }
  }

  fileprivate init?(propertyListCell cell: Any, type: AttributeType) {
    switch type {
    case .string:
      if let text = cell as? String {
        self = .string(text)
      } else {
        guard let data = cell as? Data, let text = String(data: data, encoding: .utf8) else { return nil }
        self = .string(text)
      }
    case .integer:
      guard let number = cell as? Int64 else { return nil }
      self = .integer(number)
    case .double:
      guard let number = (cell as? String).flatMap(Double.init) else { return nil }
      self = .double(number)
    case .boolean:
      guard let flag = cell as? Bool else { return nil }
      self = .boolean(flag)
    case .date:
      guard let seconds = (cell as? String).flatMap(Double.init) else { return nil }
      self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .data:
      guard let data = cell as? Data else { return nil }
      self = .data(data)
    case .uuid:
      guard let uuid = (cell as? String).flatMap(UUID.init) else { return nil }
      self = .uuid(uuid)
    }
  }
}

extension String {
  /// False for strings with characters that XML cannot hold, or with line ends that it changes.
  fileprivate var isKeptByXML: Bool {
    unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || scalar == "\t" || (scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF)
    }
  }
}
