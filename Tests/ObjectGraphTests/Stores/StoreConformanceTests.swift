import Foundation
import GRDB
import Testing

@testable import ObjectGraph

/// What all kinds of stores have in common, and what stores in files do for safety.
struct StoreConformanceTests {
  enum Kind: CaseIterable { case sqlite, memory, xml, binary, mapped }

  private static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Thing",
        attributes: [
          AttributeDescription("text", .string), AttributeDescription("whole", .integer),
          AttributeDescription("real", .double), AttributeDescription("flag", .boolean),
          AttributeDescription("moment", .date), AttributeDescription("bytes", .data),
          AttributeDescription("code", .uuid),
          AttributeDescription("passing", .string, default: "fresh", isTransient: true),
        ],
        relationships: [
          .toOne("box", "Box", inverse: "things"), .toMany("tags", "Tag", inverse: "things"),
        ]),
      EntityDescription("Box", relationships: [.toMany("things", "Thing", inverse: "box", isOrdered: true)]),
      EntityDescription("Tag", relationships: [.toMany("things", "Thing", inverse: "tags", isOrdered: true)]),
    ])
  }

  private static func description(_ kind: Kind, _ folder: TemporaryFolder) throws -> StoreDescription {
    switch kind {
    case .mapped:
      let tables = ForeignTables(try model(), .versions)
      let host = try TestHost(path: folder.path("store"), statements: tables.statements)
      return .mapped(host, identifier: UUID(), tables.mapping)
    case .sqlite: return .sqlite(folder.path("store"))
    case .memory: return .memory(MemoryStorage())
    case .xml: return .propertyList(folder.path("store"), format: .xml)
    case .binary: return .propertyList(folder.path("store"), format: .binary)
    }
  }

  @Test(arguments: Kind.allCases)
  func everyValueSurvivesARoundTrip(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let store = try Self.description(kind, folder)
    let rows: [[String: Value]] = [
      ["text": "", "whole": .integer(.min), "real": .double(.infinity), "flag": false, "bytes": .data(Data())],
      [
        "text": "a\r\nb\u{1}\u{FFFF}\u{301}'\"<&>\u{1F600}", "whole": .integer(.max),
        "real": .double(.leastNonzeroMagnitude),
        "flag": true, "moment": .date(Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)),
        "bytes": .data(Data(0...255)), "code": .uuid(UUID()),
      ],
      ["real": .double(0.1), "moment": .date(.distantPast)],
    ]
    var stack = try ObjectStack(model: try Self.model(), store: store)
    let context = stack.newContext()
    let ids = try rows.map { row in
      let thing = try context.insert("Thing")
      for (name, value) in row { try thing.set(name, to: value) }
      return thing
    }
    try ids[0].set("passing", to: "kept here alone")
    try context.save()
    #expect(try ids[0].value("passing") == "kept here alone")
    try stack.close()
    stack = try ObjectStack(model: try Self.model(), store: store)
    for (row, id) in zip(rows, ids.map(\.objectID)) {
      let thing = try #require(try stack.newContext().object(id))
      for attribute in thing.entity.attributes where attribute.name != "passing" {
        #expect(try thing.value(attribute.name) == row[attribute.name] ?? .null)
      }
      #expect(try thing.value("passing") == "fresh")
    }
  }

  @Test(arguments: Kind.allCases)
  func anotherStackSeesWhatIsSaved(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let store = try Self.description(kind, folder)
    let (first, second) = (
      try ObjectStack(model: try Self.model(), store: store), try ObjectStack(model: try Self.model(), store: store)
    )
    let (here, there) = (first.newContext(), second.newContext())
    let thing = try here.insert("Thing")
    try here.save()
    let other = try #require(try there.object(thing.objectID))
    try other.set("whole", to: 1)
    try there.save()
    try thing.set("whole", to: 2)
    do {
      try here.save()
      Issue.record("the other stack's save was not seen")
    } catch {
      guard case .conflicts(let conflicts) = error else { throw error }
      #expect(conflicts.map(\.object) == [thing.objectID])
    }
  }

  @Test(arguments: Kind.allCases)
  func aWriteThatFailsLeavesTheStoreAsItWas(_ kind: Kind) throws {
    struct Failure: Error {}
    let folder = try TemporaryFolder()
    let stack = try ObjectStack(model: try Self.model(), store: try Self.description(kind, folder))
    let context = stack.newContext()
    let thing = try context.insert("Thing")
    try context.save()
    let number = try #require(thing.objectID.number)
    #expect(throws: Failure.self) {
      try stack.stores[0].write { writer in
        var changes = StoreChanges()
        changes.deletions = [StoreChanges.Deletion(entity: thing.entity, number: number)]
        try writer.apply(changes)
        #expect(try writer.reader.rows([number], of: thing.entity).isEmpty)
        throw Failure()
      }
    }
    #expect(try stack.newContext().object(thing.objectID) != nil)
  }

  @Test(arguments: Kind.allCases)
  func idsAreNeverReused(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let store = try Self.description(kind, folder)
    var stack = try ObjectStack(model: try Self.model(), store: store)
    var context = stack.newContext()
    let thing = try context.insert("Thing")
    try context.save()
    let id = thing.objectID
    try context.delete(thing)
    try context.save()
    try stack.close()
    stack = try ObjectStack(model: try Self.model(), store: store)
    context = stack.newContext()
    let next = try context.insert("Thing")
    try context.save()
    #expect(next.objectID != id)
  }

  @Test(arguments: Kind.allCases)
  func bothOrdersOfAManyToManyAreKept(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let store = try Self.description(kind, folder)
    var stack = try ObjectStack(model: try Self.model(), store: store)
    let context = stack.newContext()
    let things = try (0..<5).map { _ in try context.insert("Thing") }
    let (tag, box) = (try context.insert("Tag"), try context.insert("Box"))
    let order = [things[3], things[0], things[4], things[1]]
    try tag.set("things", to: order)
    try box.set("things", to: order)
    try context.save()
    try box.add([things[2]], to: "things", at: 1)
    try tag.remove([things[0]], from: "things")
    try context.save()
    try stack.close()
    stack = try ObjectStack(model: try Self.model(), store: store)
    let fresh = stack.newContext()
    let reopened = try #require(try fresh.object(box.objectID))
    #expect(try reopened.objects("things").map(\.objectID) == [3, 2, 0, 4, 1].map { things[$0].objectID })
    let tagged = try #require(try fresh.object(tag.objectID))
    #expect(try tagged.objects("things").map(\.objectID) == [3, 4, 1].map { things[$0].objectID })
  }

  @Test(arguments: [Kind.sqlite, .xml, .binary])
  func filesArePrivateAndOtherFilesAreRefused(_ kind: Kind) throws {
    let folder = try TemporaryFolder()
    let store = try Self.description(kind, folder)
    let stack = try ObjectStack(model: try Self.model(), store: store)
    let context = stack.newContext()
    try context.insert("Thing")
    try context.save()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("store"))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    try stack.close()
    let alien = Data("This is no store of this library. It has some length, so that it is no empty file.".utf8)
    try alien.write(to: URL(fileURLWithPath: folder.path("store")))
    #expect(throws: ObjectGraphError.self) { try ObjectStack(model: try Self.model(), store: store) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("store"))) == alien)
  }

  /// With `NORMAL`, a power failure could lose acknowledged saves, so `synchronous` must be `FULL` (2).
  @Test func aSaveWaitsForTheDisk() throws {
    let folder = try TemporaryFolder()
    let model = try Self.model()
    let store = try SQLiteStore(
      path: folder.path("store"), model: model, entities: model.entities, options: StackOptions())
    let level = try store.write { writer in
      try (writer as? SQLiteWriter).flatMap { try Int.fetchOne($0.db, sql: "PRAGMA synchronous") }
    }
    #expect(level == 2)
  }

  /// What a power failure leaves while a file is created: zeros in place of the header, and a journal of an empty file.
  @Test func aFileWhoseCreationWasInterruptedIsRecreated() throws {
    let folder = try TemporaryFolder()
    let (store, journal) = (folder.path("store"), folder.path("store-journal"))
    var header = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    // Records, nonce, pages before, sector size, page size: big-endian words.
    for word: UInt32 in [0, 1, 0, 512, 4096] { withUnsafeBytes(of: word.bigEndian) { header.append(contentsOf: $0) } }
    try Data(count: 4096).write(to: URL(fileURLWithPath: store))
    // Zeros without a journal may be somebody's data, and stay.
    #expect(throws: ObjectGraphError.self) { try ObjectStack(model: try Self.model(), store: .sqlite(store)) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == Data(count: 4096))
    try (header + Data(count: 512 - header.count)).write(to: URL(fileURLWithPath: journal))
    let context = try ObjectStack(model: try Self.model(), store: .sqlite(store)).newContext()
    try context.insert("Thing")
    try context.save()
    #expect(try context.count(ObjectFetchRequest("Thing")) == 1)
  }
}
