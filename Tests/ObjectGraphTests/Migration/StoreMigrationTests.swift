import Foundation
import SystemCalls
import Testing

@testable import ObjectGraph

struct StoreMigrationTests {
  private static let old = [
    EntityDescription(
      "Book", attributes: [AttributeDescription("title", .string), AttributeDescription("pages", .string)],
      relationships: [.toMany("authors", "Author", inverse: "books", isOrdered: true)]),
    EntityDescription(
      "Author", attributes: [AttributeDescription("name", .string)],
      relationships: [.toMany("books", "Book", inverse: "authors")]),
  ]
  private static let new = [
    EntityDescription(
      "Book", attributes: [AttributeDescription("title", .string), AttributeDescription("pages", .integer)],
      relationships: [.toOne("author", "Author", inverse: "books", renamingID: "authors")]),
    EntityDescription(
      "Author", attributes: [AttributeDescription("name", .string)],
      relationships: [.toMany("books", "Book", inverse: "author")]),
  ]

  private func fill(_ store: StoreDescription) throws -> [ObjectID] {
    let stack = try ObjectStack(model: ObjectModel(entities: Self.old), store: store)
    let context = stack.newContext()
    let authors = try (0..<2).map { _ in try context.insert("Author") }
    let books = try ["12", "many"].map { pages in
      let book = try context.insert("Book")
      try book.set("pages", to: .string(pages))
      return book
    }
    try books[0].set("authors", to: [authors[1], authors[0]])
    try context.save()
    try stack.close()
    return (books + authors).map(\.objectID)
  }

  private func migration(_ store: StoreDescription) -> StoreMigration {
    var migration = StoreMigration(store)
    migration.convert("Book", "pages") { old in
      if case .string(let text) = old["pages"] { Int64(text).map(Value.integer) ?? .null } else { .null }
    }
    migration.keepFirst("Book", "author")
    migration.filter("Book") { old in old["pages"] != "many" }
    return migration
  }

  @Test(arguments: ["sqlite", "xml", "binary", "memory"])
  func closuresMigrateWhatNamesCannot(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    let store: StoreDescription =
      switch kind {
      case "sqlite": .sqlite(path)
      case "memory": .memory(MemoryStorage())
      default: .propertyList(path, format: kind == "xml" ? .xml : .binary)
      }
    let ids = try fill(store)
    let model = try ObjectModel(entities: Self.new)
    #expect(throws: ObjectGraphError.self) { try ObjectStack(model: model, store: store) }
    let backup = try migration(store).migrate(to: model)
    let context = try ObjectStack(model: model, store: store).newContext()
    let book = try #require(try context.object(ids[0]))
    #expect(try book.value("pages") == 12)
    #expect(try book.object("author")?.objectID == ids[3])
    #expect(try context.object(ids[1]) == nil)
    #expect(try #require(try context.object(ids[2])).objects("books").isEmpty)
    let added = try context.insert("Book")
    try context.save()
    #expect((added.objectID.number ?? 0) > 2, "a number was given twice")
    guard let backup else {
      #expect(kind == "memory")
      return
    }
    let kept: StoreDescription =
      kind == "sqlite" ? .sqlite(backup) : .propertyList(backup, format: kind == "xml" ? .xml : .binary)
    let before = try ObjectStack(model: ObjectModel(entities: Self.old), store: kept).newContext()
    #expect(try #require(try before.object(ids[1])).value("pages") == "many")
  }

  @Test func aFailingClosureChangesNothing() throws {
    struct Failure: Error {}
    let folder = try TemporaryFolder()
    let store = StoreDescription.sqlite(folder.path("store"))
    let ids = try fill(store)
    var migration = migration(store)
    migration.convert("Book", "title") { _ in throw Failure() }
    let model = try ObjectModel(entities: Self.new)
    #expect(throws: ObjectGraphError.self) { try migration.migrate(to: model) }
    let context = try ObjectStack(model: ObjectModel(entities: Self.old), store: store).newContext()
    #expect(try #require(try context.object(ids[0])).objects("authors").count == 2)
    #expect(!FileManager.default.fileExists(atPath: folder.path("store.1.bak")))
  }

  /// The first book has no pages; the others have no title.
  @Test func theFirstObjectThatCannotBeMigratedIsNamed() throws {
    let storage = MemoryStorage()
    func model(isOptional: Bool) throws -> ObjectModel {
      try ObjectModel(entities: [
        EntityDescription(
          "Book",
          attributes: ["title", "pages"].map { AttributeDescription($0, .string, isOptional: isOptional) })
      ])
    }
    let context = try ObjectStack(model: model(isOptional: true), store: .memory(storage)).newContext()
    for number in 0..<30 {
      try context.insert("Book").set(number == 0 ? "title" : "pages", to: "x")
    }
    try context.save()
    do {
      try StoreMigration(.memory(storage)).migrate(to: model(isOptional: false))
      Issue.record("the store was migrated")
    } catch ObjectGraphError.migrationImpossible(let entity, let property) {
      #expect(entity == "Book" && property == "pages")
    }
  }

  @Test func aFittingStoreIsNotMigrated() throws {
    let folder = try TemporaryFolder()
    let store = StoreDescription.sqlite(folder.path("store"))
    _ = try fill(store)
    #expect(try StoreMigration(store).migrate(to: ObjectModel(entities: Self.old.reversed())) == nil)
  }
}

extension StoreMigrationTests {
  @Test func aRelationshipToAnotherEntityLosesItsReferences() throws {
    let storage = MemoryStorage()
    let inverses: [RelationshipDescription] = [.toMany("books", "Book", inverse: "author")]
    func model(_ destination: String) throws -> ObjectModel {
      try ObjectModel(
        entities: [
          EntityDescription("Book", relationships: [.toOne("author", destination, inverse: "books")]),
          EntityDescription("Author", relationships: destination == "Author" ? inverses : []),
          EntityDescription("Editor", relationships: destination == "Editor" ? inverses : []),
        ])
    }
    let context = try ObjectStack(model: model("Author"), store: .memory(storage)).newContext()
    let book = try context.insert("Book")
    try book.set("author", to: try context.insert("Author"))
    try context.insert("Editor")
    try context.save()
    try StoreMigration(.memory(storage)).migrate(to: model("Editor"))
    let after = try ObjectStack(model: model("Editor"), store: .memory(storage)).newContext()
    #expect(try #require(try after.object(book.objectID)).object("author") == nil)
  }
}

extension StoreMigrationTests {
  /// An author is a person, and so is a guest.
  private static func family(_ age: AttributeType, _ books: RelationshipDescription) throws -> ObjectModel {
    let inverse: RelationshipDescription =
      books.isToMany ? .toMany("readers", "Person", inverse: "books") : .toMany("readers", "Person", inverse: "book")
    return try ObjectModel(entities: [
      EntityDescription("Book", relationships: [inverse]),
      EntityDescription(
        "Person", isAbstract: true, attributes: [AttributeDescription("age", age)], relationships: [books]),
      EntityDescription("Author", parent: "Person"), EntityDescription("Guest", parent: "Person"),
    ])
  }

  /// Closures may be given for the parent, for its children, or for some of each.
  @Test(arguments: [["Person"], ["Author", "Guest"], ["Person", "Guest"]])
  func closuresApplyToInheritedProperties(_ entities: [String]) throws {
    let storage = MemoryStorage()
    let old = try Self.family(.string, .toMany("books", "Book", inverse: "readers"))
    let new = try Self.family(.integer, .toOne("book", "Book", inverse: "readers", renamingID: "books"))
    let context = try ObjectStack(model: old, store: .memory(storage)).newContext()
    let book = try context.insert("Book")
    let people = try ["Author", "Guest"].map { entity in
      let person = try context.insert(entity)
      try person.set("age", to: "30")
      try person.add([book, try context.insert("Book")], to: "books")
      return person
    }
    try context.save()
    #expect(throws: ObjectGraphError.self) { try StoreMigration(.memory(storage)).migrate(to: new) }
    var migration = StoreMigration(.memory(storage))
    for entity in entities {
      migration.convert(entity, "age") { _ in .integer(entity == "Guest" ? 1 : 2) }
      migration.keepFirst(entity, "book")
    }
    try migration.migrate(to: new)
    let after = try ObjectStack(model: new, store: .memory(storage)).newContext()
    let migrated = try after.objects(people.map(\.objectID))
    #expect(try migrated.map { try $0.value("age") } == [2, entities.contains("Guest") ? 1 : 2])
    #expect(try migrated.map { try $0.object("book")?.objectID } == [book.objectID, book.objectID])
  }

  /// A database that is open in this process is not replaced.
  @Test func aFileThatCannotBeReplacedLeavesNoBackup() throws {
    let folder = try TemporaryFolder()
    let store = StoreDescription.propertyList(folder.path("store"), format: .xml)
    _ = try fill(store)
    let held = try #require(HeldFiles.add(folder.path("store")))
    #expect(throws: ObjectGraphError.self) { try migration(store).migrate(to: ObjectModel(entities: Self.new)) }
    HeldFiles.remove(held)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["store"])
    #expect(throws: Never.self) { try ObjectStack(model: ObjectModel(entities: Self.old), store: store) }
  }
}
