import Foundation
import Testing

@testable import ObjectGraph

/// Saves that write to several stores.
@Suite struct SeveralStoresTests {
  enum Kind: CaseIterable { case memory, sqlite, propertyList }

  /// Counts the saves of all pages in an object of another store.
  final class Page: ManagedObject {
    override func willSave() throws {
      guard let context else { return }
      let tally = try context.fetch(ObjectFetchRequest("Tally")).first ?? context.insert("Tally")
      guard case .integer(let count) = try tally.value("count") else { return }
      try tally.set("count", to: .integer(count + 1))
    }
  }

  private static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription("Tally", attributes: [AttributeDescription("count", .integer, isOptional: false, default: 0)]),
      EntityDescription("Page", attributes: [AttributeDescription("text", .string)], class: Page.self),
    ])
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: Kind.allCases)
  func whatAnObjectChangesInAnotherStoreIsSaved(_ kind: Kind) throws {
    let tallies: StoreDescription =
      switch kind {
      case .memory: .memory(entities: ["Tally"])
      case .sqlite: .sqlite(folder.path("tallies"), entities: ["Tally"])
      case .propertyList: .propertyList(folder.path("tallies"), format: .xml, entities: ["Tally"])
      }
    let stack = try ObjectStack(model: try Self.model(), stores: [tallies, .sqlite(folder.path("pages"))])
    let context = stack.newContext()
    var databases = 0
    context.saveHooks = SaveHooks(willWrite: { _ in databases += 1 })
    func saved() throws -> [Value] {
      try stack.newContext().fetch(ObjectFetchRequest("Tally")).map { try $0.value("count") }
    }
    let page = try context.insert("Page")
    try context.insert("Page")
    try context.save()
    #expect(try saved() == [2])
    try page.set("text", to: "a")
    try context.save()
    #expect(try saved() == [3])
    #expect(!context.hasChanges)
    #expect(databases == (kind == .sqlite ? 4 : 2))
    #expect(try stack.newContext().object(page.objectID)?.value("text") == "a")
  }

  /// A save would wait for itself.
  @Test func storesThatShareTheirDataAreRefused() throws {
    let model = try Self.model()
    let storage = MemoryStorage()
    let host = try TestHost(path: folder.path("host"), statements: [])
    let mapping = StoreMapping(["Tally": EntityMapping("tallies"), "Page": EntityMapping("pages")])
    let pairs: [(StoreDescription, StoreDescription)] = [
      (.memory(storage, entities: ["Tally"]), .memory(storage)),
      (.sqlite(folder.path("file"), entities: ["Tally"]), .sqlite(folder.path("./file"))),
      (
        .propertyList(folder.path("file"), format: .xml, entities: ["Tally"]),
        .propertyList(folder.path("file"), format: .binary)
      ),
      (
        .mapped(host, identifier: UUID(), mapping, isChecked: false, entities: ["Tally"]),
        .mapped(host, identifier: UUID(), mapping, isChecked: false)
      ),
    ]
    for (first, second) in pairs {
      do {
        _ = try ObjectStack(model: model, stores: [first, second])
        Issue.record("the stack was made")
      } catch {
        guard case .store(let failure) = error else { throw error }
        #expect(failure.description == "two stores of a stack have the same file, storage or host")
      }
    }
  }
}
