import Foundation
import GRDB

@testable import ObjectGraph

/// Artists with ordered songs, a portrait whose row has the id of its artist, and bands, in existing tables with a
/// trigger.
struct Artists {
  /// Derives the stamp, and refuses artists named "nobody".
  final class Artist: ManagedObject {
    struct Nobody: Error {}

    override func willSave() throws {
      guard case .string(let name) = try value("name"), name != "nobody" else { throw Nobody() }
      let songs = try objects("songs").map { try $0.value("title") }.compactMap(\.text).joined(separator: ",")
      try set("stamp", to: .string("\(name):\(songs)"))
    }
  }

  private static let statements = [
    """
    CREATE TABLE artists (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, note TEXT NOT NULL DEFAULT '', stamp TEXT NOT NULL,
      rev INTEGER NOT NULL, changed TEXT, gone TEXT)
    """,
    """
    CREATE TABLE songs (
      id INTEGER PRIMARY KEY AUTOINCREMENT, artist INTEGER NOT NULL REFERENCES artists(id) ON DELETE CASCADE,
      place INTEGER NOT NULL DEFAULT 0, title TEXT NOT NULL)
    """,
    """
    CREATE TABLE portraits (
      artist INTEGER PRIMARY KEY REFERENCES artists(id) ON DELETE CASCADE, kind TEXT NOT NULL, size INTEGER NOT NULL,
      bytes BLOB NOT NULL)
    """,
    "CREATE TABLE bands (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL UNIQUE, rev INTEGER NOT NULL)",
    """
    CREATE TABLE membership (
      band INTEGER NOT NULL REFERENCES bands(id) ON DELETE CASCADE,
      artist INTEGER NOT NULL REFERENCES artists(id) ON DELETE CASCADE, PRIMARY KEY (band, artist))
    """,
    """
    CREATE TRIGGER renamed AFTER UPDATE OF title ON bands BEGIN
      UPDATE artists SET rev = rev + 1 WHERE id IN (SELECT artist FROM membership WHERE band = NEW.id);
    END
    """,
  ]

  static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Artist",
        attributes: [
          AttributeDescription("name", .string, isOptional: false, default: ""),
          AttributeDescription("note", .string, isOptional: false, default: ""),
          AttributeDescription("stamp", .string, isOptional: false, default: "", isHidden: true),
        ],
        relationships: [
          .toMany("songs", "Song", inverse: "artist", isOrdered: true, deleteRule: .cascade),
          .toMany("bands", "Band", inverse: "members", raisesVersion: true),
          .toOne("portrait", "Portrait", inverse: "artist", deleteRule: .cascade),
        ], class: Artist.self),
      EntityDescription(
        "Song", owner: "artist", attributes: [AttributeDescription("title", .string, isOptional: false, default: "")],
        relationships: [.toOne("artist", "Artist", inverse: "songs", isOptional: false)]),
      EntityDescription(
        "Portrait", owner: "artist", isAtomic: true,
        attributes: [
          AttributeDescription("kind", .string, isOptional: false),
          AttributeDescription("size", .integer, isOptional: false),
          AttributeDescription("bytes", .data, isOptional: false),
        ], relationships: [.toOne("artist", "Artist", inverse: "portrait", isOptional: false)]),
      EntityDescription(
        "Band", attributes: [AttributeDescription("title", .string, isOptional: false, default: "")],
        relationships: [.toMany("members", "Artist", inverse: "bands")]),
    ])
  }

  static let mapping = StoreMapping([
    "Artist": EntityMapping(
      "artists", version: "rev", deletion: .marked(column: "gone", also: ["changed"], value: { "today" }),
      relationships: [
        "songs": .inverseColumn("artist", position: "place"), "portrait": .column("id"),
        "bands": .join(JoinTable(table: "membership", ownColumn: "artist", otherColumn: "band")),
      ]),
    "Song": EntityMapping("songs", deletion: .withOwner("artist")),
    "Portrait": EntityMapping(
      "portraits", id: "artist", deletion: .withOwner("artist"),
      attributes: ["bytes": MappedColumn("bytes", isFaulted: true)]),
    "Band": EntityMapping(
      "bands", version: "rev",
      relationships: ["members": .join(JoinTable(table: "membership", ownColumn: "band", otherColumn: "artist"))]),
  ])

  let host: TestHost
  let stack: ObjectStack

  init(_ folder: TemporaryFolder, trace: (@Sendable (SQLTraceEvent) -> Void)? = nil) throws {
    host = try TestHost(path: folder.path("artists"), statements: Self.statements, trace: trace)
    stack = try ObjectStack(
      model: try Self.model(), store: .mapped(host, identifier: UUID(), Self.mapping))
  }

  func integer(_ sql: String) throws -> Int? { try host.pool.read { try Int.fetchOne($0, sql: sql) } }

  func text(_ sql: String) throws -> String? { try host.pool.read { try String.fetchOne($0, sql: sql) } }

  /// Runs SQL as another program would.
  func run(_ sql: String) throws { try host.pool.write { try $0.execute(sql: sql) } }

  func titles(_ id: Int64 = 1) throws -> [String] {
    try host.pool.read {
      try String.fetchAll($0, sql: "SELECT title FROM songs WHERE artist = \(id) ORDER BY place, id")
    }
  }

  // MARK: - Editing

  /// Makes and saves an artist with two songs.
  static func make(_ context: ObjectContext, _ name: String = "one") throws -> ManagedObject {
    let artist = try context.undoGroup("Make") {
      let artist = try context.insert("Artist")
      try artist.set("name", to: .string(name))
      for title in ["a", "b"] { try addSong(title, to: artist) }
      return artist
    }
    try context.save()
    return artist
  }

  @discardableResult static func addSong(_ title: String, to artist: ManagedObject) throws -> ManagedObject {
    guard let context = artist.context else { throw ObjectGraphError.deletedObject(artist.objectID) }
    return try context.undoGroup {
      let song = try context.insert("Song")
      try song.set("title", to: .string(title))
      try song.set("artist", to: artist)
      return song
    }
  }

  static func setPortrait(_ bytes: [UInt8], of artist: ManagedObject) throws {
    guard let context = artist.context else { throw ObjectGraphError.deletedObject(artist.objectID) }
    try context.undoGroup("Portrait") {
      let portrait = try context.insert("portrait", of: artist)
      try portrait.set("kind", to: "png")
      try portrait.set("size", to: .integer(Int64(bytes.count)))
      try portrait.set("bytes", to: .data(Data(bytes)))
    }
  }
}

extension Value {
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
