import Foundation
import GRDB
import Testing

@testable import ObjectGraph

/// What is specific to a store in existing tables. The conformance cases cover what all stores have in common.
@Suite struct MappedStoreTests {
  private static let tables = [
    """
    CREATE TABLE people (
      id INTEGER PRIMARY KEY AUTOINCREMENT, family_name TEXT NOT NULL DEFAULT '', sort INTEGER NOT NULL DEFAULT 0,
      born TEXT, rev INTEGER NOT NULL DEFAULT 1, deleted_at TEXT)
    """,
    """
    CREATE TABLE numbers (
      id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people(id), place INTEGER NOT NULL DEFAULT 0,
      value TEXT NOT NULL)
    """,
    "CREATE TABLE circles (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE)",
    """
    CREATE TABLE membership (
      circle_id INTEGER NOT NULL REFERENCES circles(id), person_id INTEGER NOT NULL REFERENCES people(id),
      PRIMARY KEY (circle_id, person_id)) WITHOUT ROWID
    """,
    "CREATE TABLE faces (person_id INTEGER PRIMARY KEY REFERENCES people(id), bytes INTEGER NOT NULL)",
  ]

  static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Person",
        attributes: [
          AttributeDescription("family", .string, isOptional: false, default: ""),
          AttributeDescription("kind", .string, isOptional: false, default: "person"),
          AttributeDescription("birth", .date),
        ],
        relationships: [
          .toMany("phones", "Phone", inverse: "person", isOrdered: true, deleteRule: .cascade),
          .toMany("circles", "Circle", inverse: "members"),
          .toOne("face", "Face", inverse: "person", deleteRule: .noAction),
        ]),
      EntityDescription(
        "Phone", attributes: [AttributeDescription("value", .string, isOptional: false)],
        relationships: [.toOne("person", "Person", inverse: "phones", isOptional: false)]),
      EntityDescription(
        "Circle", attributes: [AttributeDescription("title", .string, isOptional: false)],
        relationships: [.toMany("members", "Person", inverse: "circles")]),
      EntityDescription(
        "Face", attributes: [AttributeDescription("bytes", .integer, isOptional: false)],
        relationships: [.toOne("person", "Person", inverse: "face")]),
    ])
  }

  static let mapping = StoreMapping([
    "Person": EntityMapping(
      "people", version: "rev", deletion: .marked(column: "deleted_at", value: { "2026-01-01T00:00:00Z" }),
      attributes: [
        "family": "family_name", "kind": MappedColumn("sort", .names([0: "person", 1: "organization"])),
        "birth": MappedColumn("born", .timestamp),
      ],
      relationships: [
        "phones": .inverseColumn("person_id", position: "place"),
        "circles": .join(JoinTable(table: "membership", ownColumn: "person_id", otherColumn: "circle_id")),
        "face": .column("id"),
      ]),
    "Phone": EntityMapping("numbers", deletion: .withOwner("person"), relationships: ["person": .column("person_id")]),
    "Circle": EntityMapping(
      "circles",
      relationships: [
        "members": .join(JoinTable(table: "membership", ownColumn: "circle_id", otherColumn: "person_id"))
      ]),
    "Face": EntityMapping(
      "faces", id: "person_id", deletion: .withOwner("person"), relationships: ["person": .column("person_id")]),
  ])

  private let folder: TemporaryFolder
  let host: TestHost
  private let stack: ObjectStack

  init() throws {
    folder = try TemporaryFolder()
    host = try TestHost(path: folder.path("book"), statements: Self.tables)
    try host.pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO people (family_name, sort, born, deleted_at) VALUES
            ('Zeng', 0, '1811-11-26T00:00:00Z', NULL), ('Acme', 1, NULL, NULL), ('Gone', 0, NULL, '2025-01-01T00:00:00Z');
          INSERT INTO numbers (person_id, place, value) VALUES (1, 1, '2'), (1, 0, '1'), (2, 0, '3'), (3, 0, '4');
          INSERT INTO circles (title) VALUES ('friends'), ('empty');
          INSERT INTO membership VALUES (1, 1), (1, 2), (1, 3), (2, 3);
          INSERT INTO faces VALUES (1, 100), (3, 300);
          """)
    }
    stack = try ObjectStack(model: try Self.model(), store: .mapped(host, identifier: UUID(), Self.mapping))
  }

  private func numbers(_ entity: String, _ format: String) throws -> [Int64] {
    let request = ObjectFetchRequest(entity, where: try ObjectPredicate(format))
    guard case .objects(let ids) = try stack.newContext().result(of: request) else { return [] }
    return ids.compactMap(\.number)
  }

  func integer(_ sql: String) throws -> Int? { try host.pool.read { try Int.fetchOne($0, sql: sql) } }

  @Test func markedRowsDoNotExist() throws {
    #expect(try numbers("Person", "TRUEPREDICATE") == [1, 2])
    #expect(try numbers("Phone", "TRUEPREDICATE") == [1, 2, 3])
    #expect(try numbers("Circle", "members.@count == 2") == [1])
    #expect(try numbers("Circle", "members.@count == 0") == [2])
    #expect(try numbers("Circle", "ANY members.family == 'Gone'").isEmpty)
    #expect(try numbers("Phone", "person.family == 'Zeng'") == [1, 2])
    #expect(try numbers("Person", "ANY phones.value == '4'").isEmpty)
    #expect(try numbers("Person", "SUBQUERY(circles, $c, $c.members.@count == 2).@count == 1") == [1, 2])
    #expect(try numbers("Face", "TRUEPREDICATE") == [1])
    let context = stack.newContext()
    #expect(try context.count(ObjectFetchRequest("Person")) == 2)
    let circle = try #require(try context.fetch(ObjectFetchRequest("Circle")).first)
    #expect(try circle.objects("members").count == 2)
    #expect(
      try context.object(uri: circle.objectID.uri.replacingOccurrences(of: "Circle/p1", with: "Person/p3")) == nil)
  }

  private static func request(_ entity: String, _ properties: [FetchColumn]) -> ObjectFetchRequest {
    var request = ObjectFetchRequest(entity)
    request.result = .dictionaries
    request.properties = properties
    return request
  }

  /// If the mapping says that few rows are marked, counts of whole tables use other SQL, with the same results.
  @Test(arguments: [false, true]) func wholeTablesAreCounted(isSparse: Bool) throws {
    var mapping = Self.mapping
    mapping.entities["Person"]?.deletion = .marked(column: "deleted_at", isSparse: isSparse, value: { "now" })
    let stack = try ObjectStack(model: try Self.model(), store: .mapped(host, identifier: UUID(), mapping))
    let context = stack.newContext()
    #expect(
      try ["Person", "Phone", "Circle", "Face"].map { try context.count(ObjectFetchRequest($0)) } == [2, 3, 2, 1])
    let people = Self.request(
      "Person",
      [
        .function(name: "all", .count, keyPath: "SELF"), .function(name: "born", .count, keyPath: "birth"),
        .count(name: "organizations", where: try ObjectPredicate("kind == 'organization'")),
      ])
    let phones = Self.request("Phone", [.function(name: "greatest", .maximum, keyPath: "value")])
    let circles = Self.request("Circle", ["title", .members(name: "count", keyPath: "members")])
    let results = try context.results(of: [people, phones, circles])
    #expect(
      results == [
        .dictionaries([["all": 2, "born": 1, "organizations": 1]]), .dictionaries([["greatest": "3"]]),
        .dictionaries([["title": "friends", "count": 2], ["title": "empty", "count": 0]]),
      ])
    #expect(try context.count(ObjectFetchRequest("Circle", where: ObjectPredicate("members.@count == 2"))) == 1)
    // Objects with an unsaved deletion are left out.
    try context.delete(try #require(try context.object("Person", number: 1)))
    #expect(try context.count(ObjectFetchRequest("Phone")) == 1)
    #expect(try context.dictionaries(circles).map { $0["count"] } == [1, 0])
    #expect(try context.dictionaries(people) == [["all": 1, "born": 0, "organizations": 1]])
  }

  @Test func deletedObjectsAreFound() throws {
    let context = stack.newContext()
    for number: Int64 in [2, 1] {
      try host.pool.write { db in
        try db.execute(sql: "UPDATE people SET deleted_at = '2025-01-0\(3 - number)' WHERE id = \(number)")
      }
    }
    var request = ObjectFetchRequest("Person")
    request.onlyDeleted = true
    let found = try context.fetch(request)
    #expect(found.map(\.objectID.number) == [1, 3, 2])
    #expect(try found.map { try $0.value("family") } == ["Zeng", "Gone", "Acme"])
    #expect(found.allSatisfy(\.isDeleted) && !context.hasChanges)
    request.limit = 2
    request.predicate = try ObjectPredicate("ANY phones.value == '4' OR kind == 'organization'")
    #expect(try context.fetch(request).map(\.objectID.number) == [3, 2])
    #expect(try context.count(request) == 2)
    // An object that was restored in the context does not count as deleted.
    request.predicate = nil
    try context.restore(found[0])
    #expect(try context.fetch(request).map(\.objectID.number) == [3, 2])
    request.limit = 0
    #expect(try context.count(request) == 2)
    #expect(try context.newChild().fetch(request).map(\.objectID.number) == [3, 2])
    #expect(try stack.newContext().count(request) == 3)
    request.sort = [SortKey("family")]
    #expect(try context.fetch(request).map(\.objectID.number) == [2, 3])
    request.predicate = try ObjectPredicate("family == %@", "\u{0}")
    #expect(throws: ObjectGraphError.self) { try context.fetch(request) }
    // Deleting a circle removes its row, and a phone is only restored with its owner.
    for entity in ["Circle", "Phone"] {
      var request = ObjectFetchRequest(entity)
      request.onlyDeleted = true
      #expect(try context.fetch(request).isEmpty)
      #expect(try context.count(request) == 0)
    }
  }

  @Test func valuesAreConverted() throws {
    #expect(try numbers("Person", "kind == 'organization'") == [2])
    #expect(try numbers("Person", "kind BEGINSWITH 'pers' AND birth < CAST('1811-11-26T00:00:01Z', 'NSDate')") == [1])
    let context = stack.newContext()
    let person = try #require(try context.fetch(ObjectFetchRequest("Person")).first)
    try person.set("kind", to: "organization")
    try person.set("birth", to: .date(Date(timeIntervalSince1970: 0.25)))
    try context.save()
    #expect(try integer("SELECT count(*) FROM people WHERE sort = 1 AND born = '1970-01-01T00:00:00.250Z'") == 1)
    try person.set("kind", to: "robot")
    #expect(throws: ObjectGraphError.self) { try context.save() }
    #expect(try integer("SELECT sort FROM people WHERE id = 1") == 1)
  }

  @Test func aSharedKeyIsAToOne() throws {
    #expect(try numbers("Person", "face != nil") == [1])
    #expect(try numbers("Person", "face.bytes > 50") == [1])
    #expect(try numbers("Person", "face == nil") == [2])
    let context = stack.newContext()
    let people = try context.fetch(ObjectFetchRequest("Person"))
    #expect(try people.first?.object("face")?.value("bytes") == 100)
    #expect(try people.last?.object("face") == nil)
  }

  @Test func aDeletionMarksTheRowAndUndoRestoresEverything() throws {
    let context = stack.newContext()
    let person = try #require(try context.fetch(ObjectFetchRequest("Person")).first)
    try context.delete(person)
    try context.save()
    #expect(try numbers("Person", "TRUEPREDICATE") == [2])
    #expect(try numbers("Phone", "TRUEPREDICATE") == [3])
    #expect(try integer("SELECT count(*) FROM people WHERE deleted_at IS NOT NULL AND rev = 2") == 1)
    #expect(try integer("SELECT count(*) FROM numbers") == 4)
    #expect(try integer("SELECT count(*) FROM membership") == 4)
    #expect(context.undo())
    try context.save()
    #expect(try numbers("Person", "ANY circles.title == 'friends' AND phones.@count == 2 AND face.bytes == 100") == [1])
    #expect(try integer("SELECT count(*) FROM people") == 3)
    // Every save of the row raises its version, and this context knows the latest one.
    #expect(try integer("SELECT rev FROM people WHERE id = 1") == 3)
    try person.set("family", to: "Tseng")
    try context.save()
    #expect(try integer("SELECT rev FROM people WHERE id = 1 AND family_name = 'Tseng'") == 4)
    let other = stack.newContext()
    let again = try #require(try other.fetch(ObjectFetchRequest("Person")).first)
    #expect(try again.objects("phones").map { try $0.value("value") } == ["1", "2"])
  }

  @Test func aMarkedObjectIsRestoredWithItsRemainingParts() throws {
    let context = stack.newContext()
    #expect(try context.deletedObject("Person", number: 1) == nil)
    #expect(try context.deletedObject("Circle", number: 9) == nil)
    let gone = try #require(try context.deletedObject("Person", number: 3))
    #expect(gone.isDeleted && !context.hasChanges)
    #expect(try gone.value("family") == "Gone")
    try context.restore(gone)
    #expect(!gone.isDeleted)
    #expect(try gone.objects("phones").map { try $0.value("value") } == ["4"])
    try context.save()
    #expect(
      try numbers(
        "Person", "family == 'Gone' AND circles.@count == 2 AND ANY phones.value == '4' AND face.bytes == 300")
        == [3])
    #expect(try integer("SELECT rev FROM people WHERE id = 3") == 2)
    #expect(try context.object("Person", number: 3) === gone)
    #expect(context.undo())
    #expect(try context.object("Person", number: 3) == nil)
    try context.save()
    #expect(try numbers("Person", "TRUEPREDICATE") == [1, 2])
    #expect(try integer("SELECT count(*) FROM numbers WHERE person_id = 3") == 1)
    #expect(context.redo())
    try context.save()
    #expect(try numbers("Person", "circles.@count == 2 AND ANY phones.value == '4'") == [3])
  }

  @Test func fetchesSeeAnUnsavedDeletion() throws {
    let context = stack.newContext()
    let person = try #require(try context.fetch(ObjectFetchRequest("Person")).first)
    try context.delete(person)
    #expect(try context.count(ObjectFetchRequest("Phone")) == 1)
    #expect(try context.fetch(ObjectFetchRequest("Phone", where: ObjectPredicate("person.family == 'Zeng'"))).isEmpty)
    #expect(
      try context.count(ObjectFetchRequest("Circle", where: ObjectPredicate("ANY members.family == 'Zeng'"))) == 0)
    try context.restore(person)
    #expect(!context.hasChanges)
    #expect(try context.count(ObjectFetchRequest("Phone")) == 3)
  }

  @Test func removedRowsCannotBeRestored() throws {
    let context = stack.newContext()
    let circle = try #require(try context.fetch(ObjectFetchRequest("Circle")).last)
    try context.delete(circle)
    #expect(throws: ObjectGraphError.self) { try context.restore(circle) }
    let person = try #require(try context.deletedObject("Person", number: 3))
    try host.pool.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA foreign_keys = OFF; DELETE FROM people WHERE id = 3")
    }
    #expect(throws: ObjectGraphError.self) { try context.restore(person) }
  }

  /// Another program has restored the object, changed it and deleted it again.
  @Test func aRestoredObjectIsAsItWasLastDeleted() throws {
    let context = stack.newContext()
    let person = try #require(try context.object("Person", number: 1))
    _ = try person.objects("phones")
    try context.delete(person)
    try context.save()
    try host.pool.write { db in
      try db.execute(
        sql: "UPDATE people SET family_name = 'Tseng', rev = rev + 2 WHERE id = 1; DELETE FROM numbers WHERE id = 1")
    }
    try context.restore(person)
    #expect(try person.value("family") == "Tseng")
    #expect(try person.objects("phones").count == 1)
    try context.save()
    #expect(try integer("SELECT rev FROM people WHERE id = 1") == 5)
  }

  @Test func aPartDeletedAloneIsRemoved() throws {
    let context = stack.newContext()
    let person = try #require(try context.fetch(ObjectFetchRequest("Person")).first)
    try context.delete(try #require(try person.objects("phones").first))
    try context.save()
    #expect(try integer("SELECT count(*) FROM numbers") == 3)
    #expect(try integer("SELECT count(*) FROM numbers WHERE id = 2") == 0)
  }

  @Test func newObjectsGetIDsThatNoRowEverHad() throws {
    try host.pool.write { try $0.execute(sql: "INSERT INTO people (id) VALUES (40); DELETE FROM people WHERE id = 40") }
    let context = stack.newContext()
    let person = try context.insert("Person")
    let phone = try context.insert("Phone")
    try phone.set("value", to: "5")
    try phone.set("person", to: person)
    try context.save()
    #expect(person.objectID.number == 41)
    #expect(phone.objectID.number == 5)
  }

  @Test func errorsOfTheHostArePassedOnUnchanged() throws {
    let context = stack.newContext()
    let circle = try #require(try context.fetch(ObjectFetchRequest("Circle")).first)
    try circle.set("title", to: "empty")
    // An error of SQLite: the title is taken.
    #expect(throws: ObjectGraphError.self) { try context.save() }
    host.refuse()
    do {
      try context.save()
      Issue.record("the save succeeded, although the host refuses")
    } catch {
      guard case .host(let refusal) = error else { throw error }
      #expect(refusal is TestHost.Refusal)
    }
  }
}
