import Foundation
import ObjectGraph

/// Notes as objects: a model, and a predicate for the search.
struct ObjectNoteDAO: NoteDAO {
  /// The object behind a note. Its URI is the note's id.
  final class StoredNote: Object {
    @Attribute var date = Date(timeIntervalSinceReferenceDate: 0)
    @Attribute var content = ""
  }

  let name = "objects"
  private let context: ObjectContext

  init(path: String) throws {
    context = try ObjectStack(.sqlite(path), StoredNote.self).newContext()
  }

  func create(_ note: Note) throws -> Note {
    let stored = try context.insert(StoredNote.self) { fill($0, note) }
    try context.save()
    return self.note(stored)
  }

  func modify(_ note: Note) throws -> Bool {
    guard let stored = try stored(note.id) else { return false }
    fill(stored, note)
    try context.save()
    return true
  }

  func remove(_ note: Note) throws -> Bool {
    guard let stored = try stored(note.id) else { return false }
    try context.delete(stored)
    try context.save()
    return true
  }

  func findAll() throws -> [Note] { try context.fetch(newestFirst).map(note) }

  func find(id: String) throws -> Note? { try stored(id).map(note) }

  func find(containing text: String) throws -> [Note] {
    let found = newestFirst.where { $0.content.contains(text, options: [.caseInsensitive, .diacriticInsensitive]) }
    return try context.fetch(found).map(note)
  }

  // MARK: -

  private var newestFirst: ObjectQuery<StoredNote> { StoredNote.all.sorted(by: \.date, ascending: false) }

  private func stored(_ id: String?) throws -> StoredNote? {
    try id.flatMap { try context.object(uri: $0) } as? StoredNote
  }

  private func fill(_ stored: StoredNote, _ note: Note) {
    stored.date = note.date
    stored.content = note.content
  }

  private func note(_ stored: StoredNote) -> Note {
    Note(id: stored.objectID.uri, date: stored.date, content: stored.content)
  }
}
