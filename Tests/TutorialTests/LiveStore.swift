import Foundation
import ObjectGraph
import ResultsController

/// A store in a file of its own, a context on it, and lists of its tables.
final class LiveStore {
  let stack: ObjectStack
  let context: ObjectContext
  private let folder: URL
  private var path: String { folder.appendingPathComponent("store.db").path }

  init(_ model: ObjectModel) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutorial-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    stack = try ObjectStack(model: model, store: .sqlite(folder.appendingPathComponent("store.db").path))
    context = stack.newContext()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Opens a list of the objects of an entity in the store.
  func list(_ request: ResultsRequest) async throws -> LiveList { try await LiveList(path: path, request) }

  /// Returns how many objects of an entity are saved.
  func count(_ entity: String, where predicate: ObjectPredicate? = nil) throws -> Int {
    try stack.newContext().count(ObjectFetchRequest(entity, where: predicate))
  }
}
