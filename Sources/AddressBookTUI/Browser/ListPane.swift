import TerminalKit

/// The list with its section headers and marks.
@MainActor
final class ListPane {
  var marked: Set<Int64> = []
  /// The height of the list, or its height without the detail that replaces it.
  private(set) var height = 1
  private let list: ContactList
  private let environment: AppEnvironment
  private var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  /// The lines that were drawn last.
  private var drawn: ListLines?

  init(list: ContactList, environment: AppEnvironment) {
    self.list = list
    self.environment = environment
  }

  /// The marked contacts, or the selected one if there are none.
  var chosenIDs: [Int64] { marked.isEmpty ? list.selectedID.map { [$0] } ?? [] : marked.sorted() }

  /// True if the contact is on a visible line.
  func isOnScreen(_ id: Int64) -> Bool { !rect.isEmpty && list.isVisible(id) }

  /// Toggles the mark of the selected contact, and moves to the next.
  func toggleMark() {
    guard let id = list.selectedID else { return }
    // Deleted contacts lose their marks.
    list.followWrites()
    if marked.remove(id) == nil { marked.insert(id) }
    list.moveSelection(by: 1, height: height)
  }

  /// Moves the list by a page, keeping the header and a line.
  func page(by direction: Int) { list.page(by: direction * max(1, height - 2), height: height) }

  func halfPage(by direction: Int) { list.page(by: direction * max(1, height / 2), height: height) }

  /// Moves the selection by a page.
  func pageOfResults(by direction: Int) { list.moveSelection(by: direction * max(1, height - 2), height: height) }

  /// Selects the contact on the clicked line.
  /// - Returns: true if there is one.
  func press(_ position: Point) -> Bool { list.select(line: position.row - rect.row, height: height) }

  // MARK: Drawing

  /// - Parameters:
  ///   - rect: the rectangle of the list; empty if the detail replaces it.
  ///   - body: the area that both share.
  func prepare(in rect: Rect, body: Int) {
    self.rect = rect
    height = max(1, rect.isEmpty ? body : rect.rows)
    list.prepare(height: height)
  }

  func invalidateDrawing() { drawn = nil }

  func draw(on canvas: inout Canvas) {
    if rect.isEmpty { return }
    let lines = list.lines(marked: marked, strings: environment.strings)
    ListView(theme: environment.theme, strings: environment.strings).draw(lines, on: &canvas, in: rect, before: drawn)
    drawn = lines
  }
}
