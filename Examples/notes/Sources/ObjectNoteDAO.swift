import Foundation
import ObjectGraph

/// Notes as objects: a model, and a predicate for the search.
struct ObjectNoteDAO: NoteDAO {
  /// The object behind a note. Its URI is the note's id.
  final class StoredNote: ManagedObject {
    static let date = AttributeKey<StoredNote, Date>("date")
    static let content = AttributeKey<StoredNote, String>("content")

    static let description = EntityDescription(
      "Note",
      attributes: [
        AttributeDescription("date", .date, isOptional: false),
        AttributeDescription("content", .string, isOptional: false),
      ], class: StoredNote.self)
  }

  let name = "objects"
  private let context: ObjectContext

  init(path: String) throws {
    let model = try ObjectModel(entities: [StoredNote.description])
    context = try ObjectStack(model: model, store: .sqlite(path)).newContext()
  }

  func create(_ note: Note) throws -> Note {
    let stored = try context.insert(StoredNote.self)
    try fill(stored, note)
    try context.save()
    return try self.note(stored)
  }

  func modify(_ note: Note) throws -> Bool {
    guard let stored = try stored(note.id) else { return false }
    try fill(stored, note)
    try context.save()
    return true
  }

  func remove(_ note: Note) throws -> Bool {
    guard let stored = try stored(note.id) else { return false }
    try context.delete(stored)
    try context.save()
    return true
  }

  func findAll() throws -> [Note] { try notes(where: nil) }

  func find(id: String) throws -> Note? { try stored(id).map(note) }

  func find(containing text: String) throws -> [Note] {
    try notes(where: StoredNote.content.contains(text, options: [.caseInsensitive, .diacriticInsensitive]))
  }

  // MARK: -

  private func stored(_ id: String?) throws -> StoredNote? {
    try id.flatMap { try context.object(uri: $0) } as? StoredNote
  }

  private func notes(where predicate: ObjectPredicate?) throws -> [Note] {
    try context.fetch(StoredNote.self, where: predicate, sort: [SortKey("date", ascending: false)]).map(note)
  }

  private func fill(_ stored: StoredNote, _ note: Note) throws {
    try stored.set(StoredNote.date, to: note.date)
    try stored.set(StoredNote.content, to: note.content)
  }

  private func note(_ stored: StoredNote) throws -> Note {
    Note(
      id: stored.objectID.uri, date: try stored.value(StoredNote.date), content: try stored.value(StoredNote.content))
  }
}
