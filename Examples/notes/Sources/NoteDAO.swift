/// Access to stored notes (DAO: data access object). The program only uses this interface, so that SQL can be replaced
/// by objects without changing anything else.
protocol NoteDAO {
  /// The name of the implementation, for display.
  var name: String { get }
  /// Stores a new note.
  /// - Returns: the note with its id.
  func create(_ note: Note) throws -> Note
  /// Stores the date and content of an existing note.
  /// - Returns: false if the note is gone.
  func modify(_ note: Note) throws -> Bool
  /// Removes a note.
  /// - Returns: false if it was already gone.
  func remove(_ note: Note) throws -> Bool
  /// Returns all notes, the newest first.
  func findAll() throws -> [Note]
  /// Returns the note with an id; nil if it is gone.
  func find(id: String) throws -> Note?
  /// Returns the notes whose content contains a string, ignoring case and accents, the newest first.
  func find(containing text: String) throws -> [Note]
}
