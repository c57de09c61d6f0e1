import ObjectGraph
import ResultsController
import Testing

/// Notes in folders, in each folder the most recently edited one first.
@Suite(.timeLimit(.minutes(1)))
struct NotesTests {
  private final class Note: ManagedObject {
    static let text = AttributeKey<Note, String>("text")
    static let folder = AttributeKey<Note, String>("folder")
    static let edited = AttributeKey<Note, Int>("edited")
  }

  private let store: LiveStore
  private let list: LiveList
  private let request = ResultsRequest(
    table: "Note", sectionKey: .column("folder"), sortKeys: [.init("folder"), .init("edited", ascending: false)])

  init() async throws {
    let model = try ObjectModel(entities: [
      EntityDescription(
        "Note",
        attributes: [
          AttributeDescription("text", .string), AttributeDescription("folder", .string),
          AttributeDescription("edited", .integer),
        ], class: Note.self)
    ])
    store = try LiveStore(model)
    for (text, folder, edited) in [
      ("milk", "Home", 10), ("plumber", "Home", 20), ("letters", "Home", 30), ("milk round", "Work", 5),
    ] {
      try Self.insert(text, folder, edited, store.context)
    }
    try store.context.save()
    list = try await store.list(request)
  }

  private static func insert(_ text: String, _ folder: String, _ edited: Int, _ context: ObjectContext) throws {
    let note = try context.insert(Note.self)
    try note.set(Note.text, to: text)
    try note.set(Note.folder, to: folder)
    try note.set(Note.edited, to: edited)
  }

  /// Saves another text of a note.
  private func edit(_ text: String, to new: String, at time: Int) throws {
    let note = try #require(try store.context.fetch(Note.self, where: Note.text == text).first)
    try note.set(Note.text, to: new)
    try note.set(Note.edited, to: time)
    try store.context.save()
  }

  @Test func theNoteEditedLastComesFirst() async throws {
    #expect(try list.texts() == ["Home": ["letters", "plumber", "milk"], "Work": ["milk round"]])
    try edit("milk", to: "milk, bread", at: 40)
    #expect(try await list.changes() == ["> [0, 2] [0, 0]"])
    try edit("milk, bread", to: "milk, bread, tea", at: 50)
    #expect(try await list.changes() == ["* [0, 0]"])
    #expect(try list.texts()["Home"] == ["milk, bread, tea", "letters", "plumber"])
  }

  @Test func aRenamedFolderMovesItsNotes() async throws {
    try store.context.undoGroup("Rename the folder") {
      for note in try store.context.fetch(Note.self, where: Note.folder == "Home") {
        try note.set(Note.folder, to: "Zuhause")
      }
    }
    try store.context.save()
    let changes = try await list.changes()
    #expect(changes.prefix(2) == ["- Home", "+ Zuhause"])
    #expect(changes.count == 5)
    #expect(try list.texts() == ["Work": ["milk round"], "Zuhause": ["letters", "plumber", "milk"]])
    #expect(store.context.undo())
    try store.context.save()
    #expect(try await list.changes().prefix(2) == ["- Zuhause", "+ Home"])
  }

  @Test func aSearchAndAnotherOrderAreChangeSets() async throws {
    var narrowed = request
    narrowed.filter = .sql("text LIKE ?", ["%milk%"])
    try list.controller.setRequest(narrowed)
    #expect(try await list.changes() == ["- [0, 0]", "- [0, 1]"])
    // A new note that the search does not find does not appear, and one that it no longer finds disappears.
    try Self.insert("tea", "Home", 60, store.context)
    try store.context.save()
    try edit("milk", to: "bread", at: 10)
    #expect(try await list.changes() == ["- Home", "- [0, 0]"])
    try list.controller.setRequest(request)
    #expect(try await list.changes() == ["+ Home", "+ [0, 0]", "+ [0, 1]", "+ [0, 2]", "+ [0, 3]"])
    var oldestFirst = request
    oldestFirst.sortKeys[1].ascending = true
    try list.controller.setRequest(oldestFirst)
    let moves = try await list.changes()
    #expect(!moves.isEmpty && moves.allSatisfy { $0.hasPrefix(">") })
    #expect(try list.texts()["Home"] == ["bread", "plumber", "letters", "tea"])
  }
}
