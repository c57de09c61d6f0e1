import Foundation
import GRDB
import Testing

@testable import ObjectGraph

/// Links that move in one save, in tables whose constraints would reject a wrong order of statements, or delete rows
/// because of it.
@Suite struct MovedLinkTests {
  /// People and their lockers; boxes, which are deleted with their room; keys, which need a locker.
  private static let tables = [
    "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, locker INTEGER UNIQUE REFERENCES lockers(id))",
    "CREATE TABLE lockers (id INTEGER PRIMARY KEY, owner INTEGER UNIQUE REFERENCES people(id), key INTEGER)",
    "CREATE TABLE keys (id INTEGER PRIMARY KEY, locker INTEGER NOT NULL UNIQUE REFERENCES lockers(id) ON DELETE CASCADE)",
    "CREATE TABLE rooms (id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
    """
    CREATE TABLE boxes (
      id INTEGER PRIMARY KEY, room INTEGER NOT NULL REFERENCES rooms(id) ON DELETE CASCADE, spare INTEGER
      REFERENCES rooms(id) ON DELETE RESTRICT)
    """,
  ]

  private static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Person", attributes: [AttributeDescription("name", .string)],
        relationships: [.toOne("locker", "Locker", inverse: "owner")]),
      EntityDescription(
        "Locker",
        relationships: [
          .toOne("owner", "Person", inverse: "locker"), .toOne("key", "Key", inverse: "locker", deleteRule: .cascade),
        ]),
      EntityDescription("Key", relationships: [.toOne("locker", "Locker", inverse: "key", isOptional: false)]),
      EntityDescription(
        "Room", attributes: [AttributeDescription("name", .string)],
        relationships: [
          .toMany("boxes", "Box", inverse: "room", deleteRule: .cascade), .toMany("spares", "Box", inverse: "spare"),
        ]),
      EntityDescription(
        "Box",
        relationships: [
          .toOne("room", "Room", inverse: "boxes", isOptional: false), .toOne("spare", "Room", inverse: "spares"),
        ]),
    ])
  }

  private static let mapping = StoreMapping([
    "Person": EntityMapping("people"), "Locker": EntityMapping("lockers"), "Key": EntityMapping("keys"),
    "Room": EntityMapping("rooms"),
    "Box": EntityMapping("boxes"),
  ])

  private let folder: TemporaryFolder
  private let host: TestHost
  private let context: ObjectContext

  init() throws {
    folder = try TemporaryFolder()
    host = try TestHost(path: folder.path("links"), statements: Self.tables)
    try host.pool.write { db in
      try db.execute(
        sql: """
          PRAGMA defer_foreign_keys = ON;
          INSERT INTO people VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', NULL);
          INSERT INTO lockers VALUES (1, 1, 1), (2, 2, 2);
          INSERT INTO keys VALUES (1, 1), (2, 2);
          INSERT INTO rooms VALUES (1, 'one'), (2, 'two');
          INSERT INTO boxes VALUES (1, 1, NULL), (2, 1, 1), (3, 2, NULL);
          """)
    }
    context = try ObjectStack(model: Self.model(), store: .mapped(host, identifier: UUID(), Self.mapping)).newContext()
  }

  private func object(_ entity: String, _ number: Int64) throws -> ManagedObject {
    try #require(try context.object(entity, number: number))
  }

  private func rows(_ sql: String) throws -> [String] { try host.pool.read { try String.fetchAll($0, sql: sql) } }

  private static let owners = "SELECT id || ':' || ifnull(locker, '-') FROM people ORDER BY id"

  @Test(arguments: [false, true]) func aLinkMovesFromOneToAnother(isFirst: Bool) throws {
    let (one, other): (Int64, Int64) = isFirst ? (1, 3) : (2, 3)
    try object("Person", other).set("locker", to: try object("Person", one).object("locker"))
    try context.save()
    #expect(try rows(Self.owners) == (isFirst ? ["1:-", "2:2", "3:1"] : ["1:1", "2:-", "3:2"]))
  }

  @Test func twoLinksAreExchanged() throws {
    let (one, two) = (try object("Person", 1), try object("Person", 2))
    let (first, second) = (try one.object("locker"), try two.object("locker"))
    try context.undoGroup {
      try one.set("locker", to: second)
      try two.set("locker", to: first)
    }
    try context.save()
    #expect(try rows(Self.owners) == ["1:2", "2:1", "3:-"])
    #expect(try rows("SELECT id || ':' || owner FROM lockers ORDER BY id") == ["1:2", "2:1"])
    #expect(context.undo())
    try context.save()
    #expect(try rows(Self.owners) == ["1:1", "2:2", "3:-"])
  }

  /// `keys.locker` is NOT NULL, so neither link can be cleared first.
  @Test func requiredLinksAreExchanged() throws {
    let (one, two) = (try object("Key", 1), try object("Key", 2))
    let (first, second) = (try one.object("locker"), try two.object("locker"))
    try one.set("locker", to: second)
    try two.set("locker", to: first)
    try context.save()
    #expect(try rows("SELECT id || ':' || locker FROM keys ORDER BY id") == ["1:2", "2:1"])
  }

  @Test func aLinkMovesToANewObject() throws {
    let person = try context.insert("Person")
    try person.set("locker", to: try object("Person", 1).object("locker"))
    try context.save()
    #expect(try rows(Self.owners) == ["1:-", "2:2", "3:-", "4:1"])
  }

  @Test func objectsMovedOutOfADeletedObjectStay() throws {
    let room = try object("Room", 1)
    try context.undoGroup {
      try object("Box", 1).set("room", to: try object("Room", 2))
      let new = try context.insert("Room")
      // Names are unique; the room that has this one is deleted in the same save.
      try new.set("name", to: "one")
      try object("Box", 2).set("room", to: new)
      try context.delete(room)
    }
    try context.save()
    #expect(
      try rows("SELECT id || ':' || room || ':' || ifnull(spare, '-') FROM boxes ORDER BY id") == [
        "1:2:-", "2:3:-", "3:2:-",
      ])
    #expect(context.undo())
    try context.save()
    #expect(
      try rows("SELECT id || ':' || room || ':' || ifnull(spare, '-') FROM boxes ORDER BY id") == [
        "1:1:-", "2:1:1", "3:2:-",
      ])
  }

  @Test func aRequiredLinkLeavesADeletedObject() throws {
    let (first, second) = (try object("Locker", 1), try object("Locker", 2))
    let key = try #require(try first.object("key"))
    try context.delete(try #require(try second.object("key")))
    try key.set("locker", to: second)
    try context.delete(first)
    try context.save()
    #expect(try rows("SELECT id || ':' || locker FROM keys") == ["1:2"])
    #expect(try rows(Self.owners) == ["1:-", "2:2", "3:-"])
  }
}
