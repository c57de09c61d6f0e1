/// The contexts in which keys have meanings.
enum KeyContext: String, CaseIterable, Sendable {
  case list, search
  /// Waiting for the letter, digit or `#` of the section to jump to.
  case jump
  case form, chooser
  /// The groups pane.
  case groups
  /// A list of files, before anything is typed.
  case files
  /// Both versions of a contact, side by side.
  case conflict
  /// A custom value typed on the conflict screen.
  case conflictText
  case crop, dialog, prompt, help
  /// Text to read: the details of a contact, its history, the notices of an import. Also the screen of a damaged book.
  case page
  /// Deleted contacts.
  case trash
  /// Candidates: contacts that may be duplicates of each other.
  case duplicates
  /// Contacts that are compared to be merged.
  case merge
  /// A company directory.
  case directory

  /// Contexts where text is typed, or a character has a meaning that is not in the table.
  static let text: Set<KeyContext> = [
    .search, .jump, .form, .conflictText, .chooser, .groups, .files, .prompt,
  ]
}
