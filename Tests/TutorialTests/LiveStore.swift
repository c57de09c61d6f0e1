import Foundation
import LiveResults

/// A store in a file of its own, and a context on it.
final class LiveStore {
  let stack: ObjectStack
  let context: ObjectContext
  private let folder: URL

  init(_ classes: [Object.Type]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutorial-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    stack = try ObjectStack(
      model: ObjectModel(classes: classes), store: .sqlite(folder.appendingPathComponent("store.db").path))
    context = stack.newContext()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns how many objects of a query are saved.
  func count<Root: Object>(_ query: ObjectQuery<Root>) throws -> Int { try stack.newContext().count(query) }
}
