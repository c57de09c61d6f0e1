import Foundation
import GRDB
import Synchronization
import Testing

@testable import ObjectGraph

/// Rows that are written without a context, and the statements that all rows are written with.
@Suite struct BatchWriterTests {
  private let folder: TemporaryFolder
  private let artists: Artists
  private let statements = Statements()

  private final class Statements: Sendable {
    private let all = Mutex<[String]>([])
    func add(_ sql: String) { all.withLock { $0.append(sql) } }
    func count(_ beginning: String) -> Int { all.withLock { $0.count { $0.hasPrefix(beginning) } } }
  }

  init() throws {
    folder = try TemporaryFolder()
    artists = try Artists(folder, trace: { [statements] in statements.add($0.sql) })
  }

  private func write<Result>(_ body: (BatchWriter) throws -> Result) throws -> Result {
    let tables = try MappedTables(Artists.model(), Artists.mapping)
    return try artists.host.write { try body(BatchWriter($0, tables)) }
  }

  private func artist(_ name: String, songs: [String] = ["a", "b"]) -> BatchObject {
    BatchObject(
      "Artist", [.string(name), "", .string(name)],
      parts: songs.map { BatchObject("Song", [.string($0)]) }
        + [BatchObject("Portrait", ["png", 2, .data(Data([1, 2]))])])
  }

  @Test func anObjectIsInsertedWithItsParts() throws {
    let id = try write { writer in
      try writer.insert(artist("zero", songs: []))
      return try writer.insert(artist("one"))
    }
    #expect(id == 2)
    let context = artists.stack.newContext()
    let one = try #require(try context.object("Artist", number: id))
    #expect(one.version == 1)
    #expect(try one.value("name") == "one")
    #expect(try one.objects("songs").map { try $0.value("title") } == ["a", "b"])
    #expect(try one.object("portrait")?.value("bytes") == .data(Data([1, 2])))
    #expect(try artists.text("SELECT group_concat(place) FROM songs") == "0,1")
  }

  @Test func valuesArePutBackAsTheyWere() throws {
    let texts = ["", "x", "é", String(repeating: "长", count: 5000)]
    let id = try write { writer in
      try writer.insert(BatchObject("Artist", ["n", "", ""], parts: texts.map { BatchObject("Song", [.string($0)]) }))
    }
    #expect(try artists.titles(id) == texts)
    try write { writer in
      try writer.insert(
        [BatchObject("Portrait", ["png", 0, .data(Data())])], of: id)
    }
    #expect(try artists.text("SELECT typeof(bytes) FROM portraits") == "blob")
  }

  @Test func partsAreReplaced() throws {
    let id = try write { try $0.insert(artist("one")) }
    try write { writer in
      try writer.removeParts("Song", of: id)
      try writer.insert([BatchObject("Song", ["c"]), BatchObject("Song", ["a"])], of: id)
      try writer.removeParts("Portrait", of: id)
    }
    #expect(try artists.titles(id) == ["c", "a"])
    #expect(try artists.integer("SELECT count(*) FROM portraits") == 0)
    #expect(try artists.integer("SELECT rev FROM artists") == 1)
  }

  @Test func anObjectIsUpdatedDeletedRestoredAndRemoved() throws {
    let id = try write { try $0.insert(artist("one")) }
    try write { try $0.update("Artist", [id], [("name", "two")]) }
    #expect(try artists.text("SELECT name || rev FROM artists") == "two2")
    try write { try $0.delete("Artist", [id]) }
    #expect(try artists.text("SELECT gone || changed || rev FROM artists") == "todaytoday3")
    #expect(try artists.stack.newContext().object("Artist", number: id) == nil)
    try write { try $0.update("Artist", [id], [("note", "back")], restoring: true) }
    #expect(try artists.text("SELECT name || note || rev FROM artists WHERE gone IS NULL") == "twoback4")
    try write { try $0.remove("Artist", [id]) }
    #expect(try artists.integer("SELECT count(*) FROM artists") == 0)
    #expect(try artists.integer("SELECT count(*) FROM songs") == 0)
  }

  @Test func membersAreAddedAndRemoved() throws {
    let added = try write { writer in
      let band = try writer.insert(BatchObject("Band", ["x"]))
      let members = try ["one", "two"].map { try writer.insert(artist($0)) }
      try writer.add([members[0]], to: "members", of: "Band", band)
      return try writer.add(members, to: "members", of: "Band", band)
    }
    #expect(added == [2])
    try write { writer in
      try writer.remove([1], from: "members", of: "Band", 1)
      try writer.update("Band", [1], [("title", "y")])
    }
    #expect(try artists.text("SELECT group_concat(artist) FROM membership") == "2")
    #expect(try artists.text("SELECT title || rev FROM bands") == "y2")
  }

  @Test func whatTheModelDoesNotHaveIsRefused() throws {
    #expect { try write { try $0.delete("Cat", [1]) } } throws: {
      if case ObjectGraphError.unknownEntity("Cat") = $0 { true } else { false }
    }
    #expect { try write { try $0.update("Artist", [1], [("age", 1)]) } } throws: {
      if case ObjectGraphError.unknownKey("age", entity: "Artist") = $0 { true } else { false }
    }
    #expect { try write { try $0.add([1], to: "cats", of: "Band", 1) } } throws: {
      if case ObjectGraphError.unknownKey("cats", entity: "Band") = $0 { true } else { false }
    }
  }

  // MARK: - The same statements in a save

  @Test func newPartsAreInsertedInTheirPlaces() throws {
    let context = artists.stack.newContext()
    let artist = try Artists.make(context)
    #expect(statements.count("UPDATE \"songs\"") == 0)
    try Artists.addSong("c", to: artist)
    try context.save()
    #expect(statements.count("UPDATE \"songs\"") == 0)
    #expect(try artists.titles() == ["a", "b", "c"])
    let first = try #require(try artist.objects("songs").last)
    try artist.add([first], to: "songs", at: 0)
    try Artists.addSong("d", to: artist)
    try context.save()
    #expect(try artists.titles() == ["c", "a", "b", "d"])
  }
}
