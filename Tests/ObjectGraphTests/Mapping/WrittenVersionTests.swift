import Testing

@testable import ObjectGraph

/// What a save writes besides the values (versions and marks), its errors, and other features of a mapped store.
@Suite struct WrittenVersionTests {
  private let folder: TemporaryFolder
  private let artists: Artists
  private let context: ObjectContext

  init() throws {
    folder = try TemporaryFolder()
    artists = try Artists(folder)
    context = artists.stack.newContext()
  }

  @Test func joiningAndLeavingIncrementOnlyOneVersion() throws {
    let artist = try Artists.make(context)
    let band = try context.insert("Band")
    try band.set("title", to: "x")
    try context.save()
    let before = (artist.version, band.version)
    try band.add([artist], to: "members")
    try context.save()
    #expect((artist.version, band.version) == (before.0 + 1, before.1))
    try artist.remove([band], from: "bands")
    try artist.set("name", to: "two")
    try context.save()
    #expect((artist.version, band.version) == (before.0 + 2, before.1))
    #expect(try artists.integer("SELECT rev FROM artists") == Int(artist.version))
  }

  @Test func aVersionRaisedByATriggerIsReadBack() throws {
    let artist = try Artists.make(context)
    let band = try context.insert("Band")
    try band.set("title", to: "x")
    try artist.add([band], to: "bands")
    try context.save()
    try band.set("title", to: "y")
    try artist.set("name", to: "two")
    try context.save()
    #expect(try artists.integer("SELECT rev FROM artists") == Int(artist.version))
    #expect(artist.version == 4)
    // Otherwise the next save would be refused.
    try artist.set("name", to: "three")
    try context.save()
  }

  @Test func aMarkIsWrittenIntoOtherColumnsToo() throws {
    let artist = try Artists.make(context)
    try context.delete(artist)
    try context.save()
    #expect(try artists.text("SELECT gone || changed || rev FROM artists") == "todaytoday2")
    #expect(artist.version == 2)
  }

  @Test func anErrorOfWillSaveIsThrownAndNothingIsWritten() throws {
    let artist = try Artists.make(context)
    try artist.set("name", to: "nobody")
    do {
      try context.save()
      Issue.record("it was saved")
    } catch {
      guard case .refused(let reason) = error else { throw error }
      #expect(reason is Artists.Artist.Nobody)
    }
    #expect(try artists.text("SELECT stamp FROM artists") == "one:a,b")
    #expect(artist.changedAttributes == ["name"])
  }

  @Test func hiddenAttributesCannotBeUsedInPredicates() throws {
    _ = try Artists.make(context)
    #expect(try artists.text("SELECT stamp FROM artists") == "one:a,b")
    #expect(throws: ObjectGraphError.self) {
      try context.count(ObjectFetchRequest("Artist", where: ObjectPredicate("stamp == 'one:a,b'")))
    }
    #expect(try context.count(ObjectFetchRequest("Artist", where: ObjectPredicate("name == 'one'"))) == 1)
  }

  @Test func aChildNamesItsUndoStep() throws {
    let artist = try Artists.make(context)
    let child = context.newChild()
    try child.undoGroup("Rename") { try child.object(artist.objectID)?.set("name", to: "two") }
    try child.save()
    #expect(context.undoName == "Rename")
  }

  @Test func manyObjectsAreReadByID() throws {
    let all = try (0..<3).map { try Artists.make(context, "\($0)") }
    let other = artists.stack.newContext()
    let read = try other.objects("Artist", numbers: [3, 1, 9])
    #expect(read.map(\.objectID) == [all[2].objectID, all[0].objectID])
  }
}
