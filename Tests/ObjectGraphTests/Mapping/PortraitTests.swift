import Foundation
import Synchronization
import Testing

@testable import ObjectGraph

/// A part whose row has the id of its owner, with a value that is read only on first access.
@Suite struct PortraitTests {
  private let folder: TemporaryFolder
  private let artists: Artists
  private let statements = Statements()

  /// Counts the statements that read the bytes.
  private final class Statements: Sendable {
    private let count = Mutex(0)
    func add(_ sql: String) { if sql.contains("SELECT t.\"bytes\"") { count.withLock { $0 += 1 } } }
    var number: Int { count.withLock { $0 } }
  }

  init() throws {
    folder = try TemporaryFolder()
    artists = try Artists(folder, trace: { [statements] in statements.add($0.sql) })
  }

  private func bytes() throws -> Data? {
    try artists.host.pool.read { try Data.fetchOne($0, sql: "SELECT bytes FROM portraits WHERE artist = 1") }
  }

  @Test func aPortraitIsInsertedReplacedRemovedAndUndone() throws {
    let context = artists.stack.newContext()
    let artist = try Artists.make(context)
    try Artists.setPortrait([1], of: artist)
    try context.save()
    #expect(try bytes() == Data([1]))
    #expect(artist.version == 2)
    try Artists.setPortrait([2, 3], of: artist)
    try context.save()
    #expect(try bytes() == Data([2, 3]))
    #expect(try artists.integer("SELECT size FROM portraits") == 2)
    #expect(artist.version == 3)
    try context.delete(try #require(try artist.object("portrait")))
    try context.save()
    #expect(try artists.integer("SELECT count(*) FROM portraits") == 0)
    try Artists.setPortrait([4], of: artist)
    try context.save()
    #expect(try bytes() == Data([4]))
    for expected in [nil, Data([2, 3]), Data([1]), nil] {
      #expect(context.undo())
      try context.save()
      #expect(try bytes() == expected)
    }
    for expected in [Data([1]), Data([2, 3]), nil, Data([4])] {
      #expect(context.redo())
      try context.save()
      #expect(try bytes() == expected)
    }
    #expect(try artist.object("portrait")?.value("bytes") == .data(Data([4])))
  }

  @Test func aNewOwnerAndItsPartAreSavedTogether() throws {
    let context = artists.stack.newContext()
    _ = try Artists.make(context)
    let artist = try context.insert("Artist")
    try artist.set("name", to: "two")
    try Artists.setPortrait([7], of: artist)
    try context.save()
    #expect(try artists.integer("SELECT artist FROM portraits") == 2)
    #expect(try artist.object("portrait")?.objectID.number == artist.objectID.number)
    #expect(artist.version == 1)
  }

  @Test func bytesAreReadOnFirstAccess() throws {
    let context = artists.stack.newContext()
    let artist = try Artists.make(context)
    try Artists.setPortrait([1, 2, 3], of: artist)
    try context.save()
    let other = artists.stack.newContext()
    let again = try #require(try other.object(artist.objectID))
    let portrait = try #require(try again.object("portrait"))
    #expect(try portrait.value("size") == 3)
    try again.set("name", to: "two")
    try other.save()
    #expect(statements.number == 0)
    #expect(try portrait.value("bytes") == .data(Data([1, 2, 3])))
    #expect(try portrait.value("bytes") == .data(Data([1, 2, 3])))
    #expect(statements.number == 1)
    #expect(!other.hasChanges)
    let child = other.newChild()
    #expect(try child.object(artist.objectID)?.object("portrait")?.value("bytes") == .data(Data([1, 2, 3])))
    #expect(statements.number == 1)
    // A value that was read is discarded once others may have written it.
    try context.refresh()
    try Artists.setPortrait([4], of: artist)
    try context.save()
    try other.refresh()
    #expect(try portrait.value("bytes") == .data(Data([4])))
    try artists.run("UPDATE portraits SET bytes = x'05'")
    try other.refresh()
    #expect(try portrait.value("bytes") == .data(Data([5])))
  }

  /// The portrait was not read before its artist was deleted.
  @Test func aPortraitIsRestoredWithItsOwner() throws {
    let filling = artists.stack.newContext()
    let id = try Artists.make(filling).objectID
    try Artists.setPortrait([1], of: try #require(try filling.object(id)))
    try filling.save()
    let context = artists.stack.newContext()
    try context.delete(try #require(try context.object(id)))
    try context.save()
    for reading in [context, artists.stack.newContext()] {
      let artist = try #require(try reading.deletedObject("Artist", number: 1))
      try reading.restore(artist)
      #expect(try artist.object("portrait")?.value("size") == 1)
      #expect(try artist.object("portrait")?.value("bytes") == .data(Data([1])))
      reading.rollback()
    }
    let artist = try #require(try context.deletedObject("Artist", number: 1))
    try context.restore(artist)
    try context.save()
    #expect(try bytes() == Data([1]))
    #expect(try context.deletedObject("Portrait", number: 1) == nil)
  }

  @Test func aPortraitWrittenByAnotherContextIsAConflict() throws {
    let (mine, theirs) = (artists.stack.newContext(mergePolicy: .byProperty), artists.stack.newContext())
    let artist = try Artists.make(mine)
    let other = try #require(try theirs.object(artist.objectID))
    try Artists.setPortrait([1], of: other)
    try theirs.save()
    // Both contexts have made a portrait.
    try Artists.setPortrait([2, 2], of: artist)
    #expect(throws: ObjectGraphError.self) { try mine.save() }
    mine.rollback()
    try mine.refresh()
    #expect(try artist.object("portrait")?.value("bytes") == .data(Data([1])))
    // Both contexts have changed the portrait: all of it is taken from one side.
    try theirs.refresh()
    try other.object("portrait")?.set("kind", to: "jpeg")
    try theirs.save()
    try artist.object("portrait")?.set("bytes", to: .data(Data([9, 9])))
    try artist.object("portrait")?.set("size", to: 2)
    mine.mergePolicy = .storeWins
    try mine.save()
    #expect(try artists.text("SELECT kind || size || hex(bytes) FROM portraits") == "jpeg101")
    try theirs.refresh()
    try other.object("portrait")?.set("kind", to: "gif")
    try theirs.save()
    try artist.object("portrait")?.set("bytes", to: .data(Data([9, 9])))
    try artist.object("portrait")?.set("size", to: 2)
    mine.mergePolicy = .objectWins
    try mine.save()
    #expect(try artists.text("SELECT kind || size || hex(bytes) FROM portraits") == "jpeg20909")
  }

  /// One context changes the bytes, which the other has not read, and the other changes the size.
  @Test(arguments: [(MergePolicy.byProperty, "png1:05"), (.storeWins, "png1:05"), (.objectWins, "png2:01")])
  func bytesAndOtherValuesComeFromOneSide(_ policy: MergePolicy, expected: String) throws {
    let (mine, theirs) = (artists.stack.newContext(mergePolicy: policy), artists.stack.newContext())
    let artist = try Artists.make(theirs)
    try Artists.setPortrait([1], of: artist)
    try theirs.save()
    let portrait = try #require(try mine.object(artist.objectID)?.object("portrait"))
    try portrait.set("size", to: 2)
    try artist.object("portrait")?.set("bytes", to: .data(Data([5])))
    try theirs.save()
    do {
      try mine.save()
      #expect(policy != .byProperty)
    } catch {
      guard policy == .byProperty, case .conflicts(let conflicts) = error else { throw error }
      #expect(conflicts.map(\.object.entity) == ["Portrait"])
    }
    #expect(try artists.text("SELECT kind || size || ':' || hex(bytes) FROM portraits") == expected)
  }
}
