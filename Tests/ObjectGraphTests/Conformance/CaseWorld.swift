import Foundation
import Synchronization

@testable import ObjectGraph

final class SelectCounter: Sendable {
  private let count = Mutex(0)

  func add() { count.withLock { $0 += 1 } }

  /// Returns the number since the last call.
  func take() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }
}

/// The store or stores of a case, which outlive their stacks.
final class CaseWorld {
  enum Backend: String, CaseIterable {
    case sqlite, memory, xml, binary
    /// Existing tables: see `ForeignTables.Style`.
    case mapped, marked

    var isMapped: Bool { self == .mapped || self == .marked }
  }

  private let folder: URL
  private let backend: Backend
  private let type: String?
  private let stores: [JSONValue]?
  private let identifier = UUID()
  private var host: TestHost?
  private var memories: [String: MemoryStorage] = [:]
  let selects = SelectCounter()
  private(set) var stack: ObjectStack?

  init(_ json: JSONValue, backend: Backend) throws {
    self.backend = backend
    type = json["type"]?.text
    stores = json["stores"]?.items
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("object-cases-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Whether statements can be counted.
  var countsSelects: Bool { (backend == .sqlite || backend.isMapped) && type == nil || type == "sqlite" }

  func open(_ model: ObjectModel) throws {
    try close()
    let options = StackOptions(trace: { [selects] event in
      let isData = !event.sql.contains("sqlite_") && !event.sql.contains(SQLiteMetadata.table)
      if isData, event.sql.hasPrefix("SELECT") || event.sql.hasPrefix("WITH") { selects.add() }
    })
    if backend.isMapped {
      stack = try ObjectStack(model: model, store: try mapped(model, trace: options.trace))
    } else {
      stack = try ObjectStack(model: model, stores: descriptions(), options: options)
    }
  }

  private func mapped(_ model: ObjectModel, trace: (@Sendable (SQLTraceEvent) -> Void)?) throws -> StoreDescription {
    let tables = ForeignTables(model, backend == .mapped ? .versions : .marks)
    let path = folder.appendingPathComponent("foreign.db").path
    let host = try TestHost(path: path, statements: tables.statements, trace: trace)
    self.host = host
    return .mapped(host, identifier: identifier, tables.mapping)
  }

  func close() throws {
    try stack?.close()
    stack = nil
    try host?.pool.close()
    host = nil
  }

  func migrate(to model: ObjectModel) throws {
    try close()
    for description in descriptions() { try StoreMigration(description).migrate(to: model) }
  }

  func remove() throws {
    try close()
    try FileManager.default.removeItem(at: folder)
  }

  private func descriptions() -> [StoreDescription] {
    guard let stores else { return [description("main", type: type, entities: nil)] }
    return stores.map { description($0["name"]?.text ?? "", type: $0["type"]?.text, entities: $0["entities"]?.texts) }
  }

  private func description(_ name: String, type: String?, entities: [String]?) -> StoreDescription {
    let path = folder.appendingPathComponent(name).path
    switch type ?? backend.rawValue {
    case "xml": return .propertyList("\(path).xml", format: .xml, entities: entities)
    case "binary": return .propertyList("\(path).plist", format: .binary, entities: entities)
    case "memory":
      // A case of the default type is played with a memory store that reopening does not empty.
      if type != nil { return .memory(entities: entities) }
      let memory = memories[name] ?? MemoryStorage()
      memories[name] = memory
      return .memory(memory, entities: entities)
    default: return .sqlite("\(path).db", entities: entities)
    }
  }
}
