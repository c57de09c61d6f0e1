/// The visible lines of the list, ready to be drawn.
///
/// Texts are separate from the selection and the marks, because most keys move the selection and leave all texts
/// unchanged.
struct ListLines {
  /// The texts of the lines, from the top.
  let texts: [ListText]
  /// Changes whenever a text may have changed.
  let revision: Int
  /// The line of the selected contact; nil if it is not visible.
  var selected: Int?
  /// The lines of marked contacts.
  var marked: Set<Int> = []

  var count: Int { texts.count }

  func isMarked(_ index: Int) -> Bool { !marked.isEmpty && marked.contains(index) }

  /// True if that line looks the same in the other list.
  func isSame(_ index: Int, as other: ListLines) -> Bool {
    guard index < other.count, (selected == index) == (other.selected == index),
      isMarked(index) == other.isMarked(index)
    else { return false }
    return revision == other.revision || texts[index] == other.texts[index]
  }
}

/// The text of a line of the list.
enum ListText: Equatable {
  /// A section header with the number of its contacts.
  case header(title: String, count: String)
  case row(ListRow)
  /// A line whose text has not been made yet, or whose contact was just deleted.
  case placeholder
}
