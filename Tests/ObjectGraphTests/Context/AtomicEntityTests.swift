import Testing

@testable import ObjectGraph

/// Merging the attributes of an entity as one value: `EntityDescription.isAtomic`.
@Suite struct AtomicEntityTests {
  private let stack: ObjectStack
  private let mine: ObjectContext
  private let theirs: ObjectContext
  private let album: ManagedObject
  private let photo: ManagedObject
  private let other: ManagedObject

  /// Saves a photo of an album in one context, and reads it in another.
  init() throws {
    let model = try ObjectModel(entities: [
      EntityDescription(
        "Album", relationships: [.toMany("photos", "Photo", inverse: "album", isOrdered: true, deleteRule: .cascade)]),
      EntityDescription(
        "Photo", owner: "album", isAtomic: true,
        attributes: [AttributeDescription("kind", .string), AttributeDescription("size", .integer)],
        relationships: [.toOne("album", "Album", inverse: "photos")]),
    ])
    stack = try ObjectStack(model: model, store: .memory())
    (mine, theirs) = (stack.newContext(mergePolicy: .byProperty), stack.newContext())
    album = try mine.insert("Album")
    photo = try mine.insert("Photo")
    try photo.set("kind", to: "png")
    try photo.set("size", to: 1)
    try photo.set("album", to: album)
    try mine.save()
    other = try #require(try theirs.object(photo.objectID))
  }

  private func save(_ values: [String: Value], elsewhere others: [String: Value]) throws {
    for (name, value) in others { try other.set(name, to: value) }
    try theirs.save()
    for (name, value) in values { try photo.set(name, to: value) }
    try mine.save()
  }

  private func stored() throws -> [Value] {
    let saved = try #require(try stack.newContext().object(photo.objectID))
    return try ["kind", "size"].map { try saved.value($0) }
  }

  @Test func changesOfDifferentAttributesAreAConflict() throws {
    do {
      try save(["size": 2], elsewhere: ["kind": "gif"])
      Issue.record("the save did not report that another context had changed the photo")
    } catch ObjectGraphError.conflicts(let conflicts) {
      #expect(
        conflicts.map(\.fields) == [
          [
            "kind": SaveConflict.Field(base: "png", mine: "png", theirs: "gif"),
            "size": SaveConflict.Field(base: 1, mine: 2, theirs: 1),
          ]
        ])
    }
    #expect(try stored() == ["gif", 1])
  }

  @Test(arguments: [(MergePolicy.storeWins, ["gif", 1] as [Value]), (.objectWins, ["png", 2])])
  func allAttributesAreTakenFromOneSide(_ policy: MergePolicy, expected: [Value]) throws {
    mine.mergePolicy = policy
    try save(["size": 2], elsewhere: ["kind": "gif"])
    #expect(try stored() == expected)
  }

  @Test func theSameChangesDoNotConflict() throws {
    try save(["kind": "gif", "size": 2], elsewhere: ["kind": "gif", "size": 2])
    #expect(try stored() == ["gif", 2])
  }

  /// Saves a step that changes one attribute, and then a change of the other attribute by someone else.
  private func stepAndForeignChange() throws {
    try mine.undoGroup("Step") { try photo.set("size", to: 2) }
    try mine.save()
    try theirs.refresh()
    try other.set("kind", to: "gif")
    try theirs.save()
  }

  @Test func undoingOneAttributeAfterAChangeOfAnotherIsAConflict() throws {
    try stepAndForeignChange()
    let error = #expect(throws: ObjectGraphError.self) { _ = try mine.undo(.byProperty) }
    guard case .conflicts(let conflicts)? = error else {
      Issue.record("another error")
      return
    }
    #expect(
      conflicts.map(\.fields) == [
        [
          "kind": SaveConflict.Field(base: "png", mine: "png", theirs: "gif"),
          "size": SaveConflict.Field(base: 2, mine: 1, theirs: 2),
        ]
      ])
    #expect(!mine.hasChanges)
  }

  @Test(arguments: [
    (MergePolicy.storeWins, ["gif", 2] as [Value], ["gif", 2] as [Value]), (.objectWins, ["png", 1], ["png", 2]),
  ])
  func anUndoTakesAllAttributesFromOneSide(_ policy: MergePolicy, undone: [Value], redone: [Value]) throws {
    try stepAndForeignChange()
    #expect(try mine.undo(policy))
    try mine.save()
    #expect(try stored() == undone)
    #expect(try mine.redo(.byProperty))
    try mine.save()
    #expect(try stored() == redone)
  }

  @Test func whatOthersHaveUndoneIsNoConflict() throws {
    try mine.undoGroup("Step") { try photo.set("size", to: 2) }
    try mine.save()
    try theirs.refresh()
    try other.set("size", to: 1)
    try theirs.save()
    #expect(try mine.undo(.byProperty))
    #expect(try stored() == ["png", 1])
  }

  @Test func changesOfOneSideAreMerged() throws {
    try save([:], elsewhere: ["kind": "gif"])
    try mine.insert("Photo").set("album", to: album)
    try mine.save()
    #expect(try photo.value("kind") == "gif")
    try photo.set("size", to: 2)
    try mine.save()
    #expect(try stored() == ["gif", 2])
  }
}
