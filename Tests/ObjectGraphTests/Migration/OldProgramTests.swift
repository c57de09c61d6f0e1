import Foundation
import GRDB
import Testing

@testable import ObjectGraph

/// A program that opened a store before another one migrated it.
struct OldProgramTests {
  /// The model of the probe (`Ledger`), with a new attribute.
  private static func model(_ attributes: AttributeDescription...) throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Counter",
        attributes: ["value", "first", "second"].map { AttributeDescription($0, .integer, default: 0) } + attributes),
      EntityDescription(
        "Entry", attributes: [AttributeDescription("writer", .string), AttributeDescription("number", .integer)]),
    ])
  }

  private static let unit = AttributeDescription("unit", .string, isOptional: false, default: "m's")

  @Test(arguments: ["sqlite", "xml"])
  func theOldModelCannotSaveAnyMore(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("ledger")
    let probe = try ProbeProcess(kind, path)
    #expect(try probe.ask("make") == "saved")
    _ = try probe.ask("add value")
    let store: StoreDescription = kind == "xml" ? .propertyList(path, format: .xml) : .sqlite(path)
    let model = try Self.model(Self.unit)
    try StoreMigration(store).migrate(to: model)
    #expect(try probe.ask("save") == "error modelMismatch")
    let stack = try ObjectStack(model: model, store: store)
    let context = stack.newContext()
    let counter = try #require(try context.fetch(ObjectFetchRequest("Counter")).first)
    #expect(try counter.value("unit") == "m's" && counter.value("value") == 0)
    try counter.set("value", to: 5)
    try context.save()
  }

  @Test func anOpenFileIsNotMigrated() throws {
    let folder = try TemporaryFolder()
    let store = StoreDescription.sqlite(folder.path("ledger"))
    let stack = try ObjectStack(model: Self.model(), store: store)
    let model = try Self.model(Self.unit)
    do {
      try StoreMigration(store).migrate(to: model)
      Issue.record("the file was migrated")
    } catch ObjectGraphError.store(let failure) {
      #expect(failure.reason == .busy)
    }
    try stack.close()
    #expect(try StoreMigration(store).migrate(to: model) != nil)
  }

  @Test func aContextOfAMigratedStorageCannotSave() throws {
    let storage = MemoryStorage()
    let context = try ObjectStack(model: Self.model(), store: .memory(storage)).newContext()
    try StoreMigration(.memory(storage)).migrate(to: Self.model(Self.unit))
    try context.insert("Counter")
    do {
      try context.save()
      Issue.record("it was saved")
    } catch {
      guard case .modelMismatch = error else { throw error }
    }
  }

  /// Other programs may write the file with SQL.
  @Test func aRequiredColumnHasItsDefaultAndIsNeverNull() throws {
    let folder = try TemporaryFolder()
    let model = try Self.model(
      Self.unit,
      AttributeDescription(
        "moment", .date, isOptional: false, default: .date(Date(timeIntervalSinceReferenceDate: 0.5))),
      AttributeDescription("bytes", .data, isOptional: false, default: .data(Data([0, 255]))),
      AttributeDescription("flag", .boolean, isOptional: false, default: true),
      AttributeDescription("name", .string, isOptional: false))
    let stack = try ObjectStack(model: model, store: .sqlite(folder.path("ledger")))
    let queue = try DatabaseQueue(path: folder.path("ledger"))
    try queue.write { db in
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO Counter (_type, _version) VALUES ('Counter', 1)")
      }
      try db.execute(sql: "INSERT INTO Counter (_type, _version, name) VALUES ('Counter', 1, 'a')")
    }
    let context = stack.newContext()
    let counter = try #require(try context.fetch(ObjectFetchRequest("Counter")).first)
    for attribute in counter.entity.attributes where !attribute.description.isOptional && attribute.name != "name" {
      #expect(try counter.value(attribute.name) == attribute.description.defaultValue)
    }
  }
}
