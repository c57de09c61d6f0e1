/// Where notes are kept (DAO: data access object). The program knows this interface alone, so that SQL can be changed for
/// objects without anybody noticing.
protocol NoteDAO {
  /// What it is written with, for people.
  var name: String { get }
  /// Stores a new note.
  /// - Returns: the note with its id.
  func create(_ note: Note) throws -> Note
  /// Stores the date and content of a note that is there.
  /// - Returns: false when the note is gone.
  func modify(_ note: Note) throws -> Bool
  /// Removes a note.
  /// - Returns: false when it was gone already.
  func remove(_ note: Note) throws -> Bool
  /// All notes, the newest first.
  func findAll() throws -> [Note]
  /// The note of an id; nil when it is gone.
  func find(id: String) throws -> Note?
  /// Notes whose content contains a text, whatever its case and accents, the newest first.
  func find(containing text: String) throws -> [Note]
}
