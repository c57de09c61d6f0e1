import Testing

@testable import ObjectGraph

/// Merging, undo and conflicts of owners with parts, in tables where a deletion marks the owner.
@Suite struct MarkedOwnerTests {
  private let folder: TemporaryFolder
  private let artists: Artists
  private let mine: ObjectContext
  private let theirs: ObjectContext
  private let artist: ManagedObject

  init() throws {
    folder = try TemporaryFolder()
    artists = try Artists(folder)
    mine = artists.stack.newContext(mergePolicy: .byProperty)
    theirs = artists.stack.newContext()
    artist = try Artists.make(mine)
  }

  /// Returns the artist in the other context, as it was last saved.
  private func other() throws -> ManagedObject {
    try theirs.refresh()
    return try #require(try theirs.object(artist.objectID))
  }

  private func foreign(_ change: (ManagedObject) throws -> Void) throws {
    try change(try other())
    try theirs.save()
  }

  /// Runs the closure and saves. Returns the conflicts of either; nil if there are none.
  private func raisedConflicts(_ body: () throws -> Void) throws -> [SaveConflict]? {
    do {
      try body()
      try mine.save()
      return nil
    } catch ObjectGraphError.conflicts(let conflicts) {
      return conflicts
    }
  }

  private func name() throws -> String? { try artists.text("SELECT name FROM artists WHERE id = 1 AND gone IS NULL") }

  // MARK: - Saves

  @Test func aConflictNamesObjectsAndFields() throws {
    try foreign {
      try $0.set("name", to: "theirs")
      try $0.objects("songs")[1].set("title", to: "x")
    }
    try artist.set("name", to: "mine")
    try artist.objects("songs")[1].set("title", to: "y")
    let conflicts = try #require(try raisedConflicts {})
    #expect(try conflicts.map(\.object) == [artist.objectID, artist.objects("songs")[1].objectID])
    #expect(
      conflicts.map(\.fields) == [
        ["name": SaveConflict.Field(base: "one", mine: "mine", theirs: "theirs")],
        ["title": SaveConflict.Field(base: "b", mine: "y", theirs: "x")],
      ])
    #expect(mine.hasChanges)
  }

  @Test func aPartDeletedByOneSideIsNamedAndKeepsItsPosition() throws {
    try foreign { try theirs.delete($0.objects("songs")[0]) }
    try artist.objects("songs")[0].set("title", to: "c")
    #expect(try raisedConflicts {}?.map(\.object) == [artist.objects("songs")[0].objectID])
    mine.mergePolicy = .objectWins
    try mine.save()
    #expect(try artists.titles() == ["c", "b"])
    #expect(try artist.objects("songs").map { try $0.value("title") } == ["c", "b"])
  }

  @Test func aPortraitIsOneField() throws {
    try Artists.setPortrait([1], of: artist)
    try mine.save()
    try foreign { try Artists.setPortrait([2], of: $0) }
    try Artists.setPortrait([3], of: artist)
    #expect(try raisedConflicts {}?.map(\.object.entity) == ["Portrait"])
  }

  @Test func mineRestoresAnOwnerDeletedByOthers() throws {
    try foreign {
      try $0.set("note", to: "theirs")
      try theirs.delete($0)
    }
    try artist.objects("songs")[0].set("title", to: "c")
    let conflict = try #require(try raisedConflicts {}?.first)
    #expect(conflict.deleted == .theirs && conflict.fields.isEmpty)
    mine.mergePolicy = .objectWins
    try mine.save()
    #expect(try artists.titles() == ["c", "b"])
    #expect(try artists.text("SELECT stamp FROM artists WHERE gone IS NULL") == "one:c,b")
    #expect(try artists.integer("SELECT rev FROM artists") == Int(artist.version))
  }

  @Test(arguments: [false, true]) func mineInsertsAnOwnerRemovedByOthers(leavesParts: Bool) throws {
    let band = try mine.insert("Band")
    try artist.add([band], to: "bands")
    try mine.save()
    _ = try artist.object("portrait")
    try artists.host.pool.writeWithoutTransaction { db in
      if leavesParts { try db.execute(sql: "PRAGMA foreign_keys = OFF") }
      try db.execute(sql: "DELETE FROM artists")
      try db.execute(sql: "PRAGMA foreign_keys = ON")
    }
    try artist.objects("songs")[1].set("title", to: "c")
    #expect(try raisedConflicts {}?.contains { $0.object == artist.objectID && $0.deleted == .theirs } == true)
    mine.mergePolicy = .objectWins
    try mine.save()
    #expect(try artists.titles() == ["a", "c"])
    #expect(try artists.integer("SELECT count(*) FROM membership") == 1)
  }

  @Test func theirsCancelsADeletionAndKeepsTheParts() throws {
    _ = try artist.objects("songs")
    try foreign { try $0.set("name", to: "theirs") }
    try mine.delete(artist)
    let conflict = try #require(try raisedConflicts {}?.first)
    #expect(conflict.object == artist.objectID && conflict.deleted == .mine)
    mine.mergePolicy = .storeWins
    try mine.save()
    #expect(try name() == "theirs" && !artist.isDeleted)
    #expect(try artists.titles() == ["a", "b"])
  }

  @Test func partsCanBeEditedWhenTheirOwnerIsRestored() throws {
    try mine.delete(artist)
    try mine.save()
    try mine.restore(artist)
    try mine.delete(artist.objects("songs")[0])
    try artist.objects("songs")[0].set("title", to: "c")
    try Artists.addSong("d", to: artist)
    try mine.save()
    #expect(try artists.titles() == ["c", "d"])
    #expect(try artists.text("SELECT stamp FROM artists WHERE gone IS NULL") == "one:c,d")
  }

  @Test(arguments: [false, true]) func partsOfADeletedOwnerCannotBeChanged(isSaved: Bool) throws {
    let song = try #require(try artist.objects("songs").first)
    let other = try Artists.make(mine, "two")
    try mine.delete(artist)
    if isSaved { try mine.save() }
    #expect(song.isDeleted)
    #expect(try song.value("title") == "a")
    func isRefused(_ change: () throws -> Void) -> Bool {
      do {
        try change()
        return false
      } catch {
        if case .deletedObject? = error as? ObjectGraphError { return true }
        return false
      }
    }
    #expect(isRefused { try song.set("title", to: "c") })
    #expect(isRefused { try song.set("artist", to: other) })
    #expect(isRefused { try other.add([song], to: "songs") })
    try mine.delete(song)
    try mine.restore(artist)
    try song.set("title", to: "c")
    try mine.save()
    #expect(try artists.titles() == ["c", "b"])
  }

  // MARK: - Undo

  private func step(_ change: () throws -> Void) throws {
    try mine.undoGroup("Step") { try change() }
    try mine.save()
  }

  private func undo(_ policy: MergePolicy = .byProperty) throws -> [SaveConflict]? {
    try raisedConflicts { try mine.undo(policy) }
  }

  private func redo(_ policy: MergePolicy = .byProperty) throws -> [SaveConflict]? {
    try raisedConflicts { try mine.redo(policy) }
  }

  @Test(arguments: [MergePolicy.storeWins, .objectWins])
  func undoingAnAddedOwnerThatOthersChangedIsAConflict(_ policy: MergePolicy) throws {
    try foreign { try $0.set("note", to: "theirs") }
    #expect(try undo()?.map(\.deleted) == [.mine])
    #expect(try undo(policy) == nil)
    #expect(try name() == (policy == .storeWins ? "one" : nil))
    guard policy == .objectWins else { return }
    // What others wrote is still in the row that is marked as deleted.
    #expect(try artists.text("SELECT note FROM artists") == "theirs")
    #expect(try artists.titles() == ["a", "b"])
    #expect(try redo() == nil)
    #expect(try artists.text("SELECT name || note FROM artists WHERE gone IS NULL") == "onetheirs")
  }

  @Test(arguments: [MergePolicy.storeWins, .objectWins], [false, true])
  func undoingAStepOnAnObjectDeletedByOthersIsAConflict(_ policy: MergePolicy, isPart: Bool) throws {
    let song = try artist.objects("songs")[0]
    try step { if isPart { try song.set("title", to: "c") } else { try artist.set("name", to: "two") } }
    try foreign { try theirs.delete($0) }
    let conflict = try #require(try undo()?.first)
    #expect(conflict.object == artist.objectID && conflict.deleted == .theirs && conflict.fields.isEmpty)
    #expect(try undo(policy) == nil)
    #expect(try name() == (policy == .storeWins ? nil : "one"))
    #expect(try artists.titles() == (policy == .storeWins && isPart ? ["c", "b"] : ["a", "b"]))
  }

  /// A part that was never saved is deleted and restored with its owner.
  @Test func redoingADeletionDeletesAnUnsavedPart() throws {
    _ = try mine.undoGroup("Song") { try Artists.addSong("c", to: artist) }
    try mine.undoGroup("Delete") { try mine.delete(artist) }
    #expect(try mine.undo(.byProperty))
    #expect(try artist.objects("songs").count == 3)
    #expect(try mine.redo(.byProperty))
    try mine.save()
    #expect(try artists.titles() == ["a", "b"])
    #expect(try undo() == nil)
    #expect(try artists.titles() == ["a", "b", "c"])
  }

  /// Undoing the deletion does not restore what was removed before it.
  @Test func partsRemovedBeforeADeletionAreNotRestored() throws {
    let band = try mine.insert("Band")
    try artist.add([band], to: "bands")
    try mine.save()
    try mine.delete(artist.objects("songs")[0])
    try artist.remove([band], from: "bands")
    try mine.undoGroup("Delete") { try mine.delete(artist) }
    try mine.save()
    #expect(try undo() == nil)
    #expect(try artists.titles() == ["b"])
    #expect(try artists.integer("SELECT count(*) FROM membership") == 0)
  }

  @Test func undoingADeletionOfARemovedRowIsAConflict() throws {
    try step { try mine.delete(artist) }
    try artists.run("DELETE FROM artists")
    #expect(try undo()?.map(\.deleted) == [.theirs])
    #expect(try undo(.objectWins) == nil)
    #expect(try artists.titles() == ["a", "b"])
  }

  @Test func anObjectRestoredByOthersIsNotAConflict() throws {
    try step { try mine.delete(artist) }
    try theirs.restore(try #require(try theirs.deletedObject("Artist", number: 1)))
    try theirs.save()
    #expect(try undo() == nil)
    #expect(try name() == "one")
    #expect(try artist.objects("songs").count == 2)
  }

  @Test func anAddedObjectThatOthersUseStays() throws {
    let second = try Artists.make(theirs, "two")
    try step {
      let band = try mine.insert("Band")
      try band.set("title", to: "new")
      try artist.add([band], to: "bands")
    }
    let band = try #require(try theirs.object("Band", number: 1))
    try second.add([band], to: "bands")
    try theirs.save()
    #expect(try undo() == nil)
    #expect(try artists.text("SELECT group_concat(artist) FROM membership") == "2")
    #expect(try redo() == nil)
    #expect(try artists.integer("SELECT count(*) FROM membership JOIN bands ON bands.id = band AND title = 'new'") == 2)
  }

  @Test func anAddedObjectThatNobodyElseUsesIsDeleted() throws {
    try step {
      let band = try mine.insert("Band")
      try band.set("title", to: "new")
      try artist.add([band], to: "bands")
    }
    #expect(try undo() == nil)
    #expect(try artists.integer("SELECT count(*) FROM bands") == 0)
    #expect(try redo() == nil)
    #expect(try artists.integer("SELECT count(*) FROM membership") == 1)
  }

  @Test func aPartRemovedByOthersIsRestoredAtItsPosition() throws {
    let song = try artist.objects("songs")[0]
    try step { try song.set("title", to: "c") }
    try foreign { try theirs.delete($0.objects("songs")[0]) }
    #expect(try undo()?.map(\.object) == [song.objectID])
    #expect(try undo(.objectWins) == nil)
    #expect(try artists.titles() == ["a", "b"])
  }

  @Test func anOrderWrittenByOthersStays() throws {
    try step { try Artists.addSong("c", to: artist) }
    try foreign { try $0.set("songs", to: $0.objects("songs").reversed()) }
    #expect(try undo() == nil)
    #expect(try artists.titles() == ["b", "a"])
    #expect(try redo() == nil)
    #expect(Set(try artists.titles()) == ["a", "b", "c"])
  }
}
