import LiveResults
import Testing

/// Notes in folders, in each folder the most recently edited one first.
@Suite(.timeLimit(.minutes(1)))
struct NotesTests {
  private final class Note: Object {
    @Attribute var text = ""
    @Attribute var folder = ""
    @Attribute var edited = 0
  }

  private let store: LiveStore
  private let notes: FollowedList<Note>
  private let query = Note.all.sorted(by: \.edited, ascending: false)
  private var texts: [String: [String]] { notes.texts(\.text) }

  init() async throws {
    store = try LiveStore([Note.self])
    for (text, folder, edited) in [
      ("milk", "Home", 10), ("plumber", "Home", 20), ("letters", "Home", 30), ("milk round", "Work", 5),
    ] {
      try Self.insert(text, folder, edited, store.context)
    }
    try store.context.save()
    notes = try await FollowedList(store.stack.list(query, sections: \.folder))
  }

  private static func insert(_ text: String, _ folder: String, _ edited: Int, _ context: ObjectContext) throws {
    try context.insert(Note.self) {
      $0.text = text
      $0.folder = folder
      $0.edited = edited
    }
  }

  /// Saves another text of a note.
  private func edit(_ text: String, to new: String, at time: Int) throws {
    let note = try #require(try store.context.first(Note.where { $0.text == text }))
    note.text = new
    note.edited = time
    try store.context.save()
  }

  @Test func theNoteEditedLastComesFirst() async throws {
    #expect(texts == ["Home": ["letters", "plumber", "milk"], "Work": ["milk round"]])
    try edit("milk", to: "milk, bread", at: 40)
    #expect(try await notes.changes() == ["> [0, 2] [0, 0]"])
    try edit("milk, bread", to: "milk, bread, tea", at: 50)
    #expect(try await notes.changes() == ["* [0, 0]"])
    #expect(texts["Home"] == ["milk, bread, tea", "letters", "plumber"])
  }

  @Test func aRenamedFolderMovesItsNotes() async throws {
    try store.context.undoGroup("Rename the folder") {
      for note in try store.context.fetch(Note.where { $0.folder == "Home" }) { note.folder = "Zuhause" }
    }
    try store.context.save()
    let changes = try await notes.changes()
    #expect(changes.prefix(2) == ["- Home", "+ Zuhause"])
    #expect(changes.count == 5)
    #expect(texts == ["Work": ["milk round"], "Zuhause": ["letters", "plumber", "milk"]])
    #expect(store.context.undo())
    try store.context.save()
    #expect(try await notes.changes().prefix(2) == ["- Zuhause", "+ Home"])
  }

  @Test func aSearchAndAnotherOrderAreChangeSets() async throws {
    try notes.list.show(query.where { $0.text.contains("milk") })
    #expect(try await notes.changes() == ["- [0, 0]", "- [0, 1]"])
    // A new note that the search does not find does not appear, and one that it no longer finds disappears.
    try Self.insert("tea", "Home", 60, store.context)
    try store.context.save()
    try edit("milk", to: "bread", at: 10)
    #expect(try await notes.changes() == ["- Home", "- [0, 0]"])
    try notes.list.show(query)
    #expect(try await notes.changes() == ["+ Home", "+ [0, 0]", "+ [0, 1]", "+ [0, 2]", "+ [0, 3]"])
    try notes.list.show(Note.sorted(by: \.edited))
    let moves = try await notes.changes()
    #expect(!moves.isEmpty && moves.allSatisfy { $0.hasPrefix(">") })
    #expect(texts["Home"] == ["bread", "plumber", "letters", "tea"])
  }
}
