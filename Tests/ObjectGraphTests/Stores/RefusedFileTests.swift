import Foundation
import GRDB
import Testing

@testable import ObjectGraph

/// Files that are not stores are refused and stay as they are, except databases without tables, which become stores.
struct RefusedFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("other")
  }

  private func isRefused() throws -> Bool {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    let model = try ObjectModel(entities: [EntityDescription("Thing")])
    guard
      case .store(let failure) = #expect(
        throws: ObjectGraphError.self,
        performing: {
          try ObjectStack(model: model, store: .sqlite(path))
        })
    else { return false }
    return try failure.reason == .unreadable && before == Data(contentsOf: URL(fileURLWithPath: path))
      && files == FileManager.default.contentsOfDirectory(atPath: folder.path(""))
  }

  @Test func aDatabaseOfAnotherProgramIsRefusedUnchanged() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
    try queue.close()
    #expect(try isRefused())
  }

  @Test func aFileThatIsNotADatabaseIsRefusedUnchanged() throws {
    try Data("a text".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try isRefused())
  }

  @Test func aDatabaseWithoutTablesBecomesAStore() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "CREATE TABLE song (title TEXT); DROP TABLE song") }
    try queue.close()
    let model = try ObjectModel(entities: [EntityDescription("Thing")])
    let context = try ObjectStack(model: model, store: .sqlite(path)).newContext()
    _ = try context.insert("Thing")
    try context.save()
  }
}
