/// The visible lines of the list, ready to be drawn.
///
/// Texts and what the cursor and marks do to them are apart, for most keys move the cursor and leave all texts as they are.
struct ListLines {
  /// What the lines say, from the top.
  let texts: [ListText]
  /// Differs when a text may differ.
  let revision: Int
  /// The line of the selected person.
  var selected: Int?
  /// The lines of marked people.
  var marked: Set<Int> = []

  /// Number of lines.
  var count: Int { texts.count }

  func isMarked(_ index: Int) -> Bool { !marked.isEmpty && marked.contains(index) }

  /// True when that line of the other looks the same.
  func isSame(_ index: Int, as other: ListLines) -> Bool {
    guard index < other.count, (selected == index) == (other.selected == index),
      isMarked(index) == other.isMarked(index)
    else { return false }
    return revision == other.revision || texts[index] == other.texts[index]
  }
}

/// What one line of the list says.
enum ListText: Equatable {
  /// A section header with the number of people in it.
  case header(title: String, count: String)
  /// A person.
  case row(ListRow)
  /// A row whose text is not read yet.
  case placeholder
}
