import TerminalKit

/// The list with its section headers, and who is marked in it.
@MainActor
final class ListPane {
  var marked: Set<Int64> = []
  /// Rows that the list has, or would have where the detail takes its place.
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

  /// Who is marked, or the selected person where nobody is.
  var chosenIDs: [Int64] { marked.isEmpty ? list.selectedID.map { [$0] } ?? [] : marked.sorted() }

  /// True when the person stands on a line that is seen.
  func isOnScreen(_ id: Int64) -> Bool { !rect.isEmpty && list.isVisible(id) }

  /// Marks the selected person, or no more, and goes to the next.
  func toggleMark() {
    guard let id = list.selectedID else { return }
    // Whoever is deleted is not marked any more.
    list.followWrites()
    if marked.remove(id) == nil { marked.insert(id) }
    list.moveSelection(by: 1, height: height)
  }

  /// Moves the list by a page, of which the header and a line stay.
  func page(by direction: Int) { list.page(by: direction * max(1, height - 2), height: height) }

  func halfPage(by direction: Int) { list.page(by: direction * max(1, height / 2), height: height) }

  /// Moves the selection by as much as a page of results.
  func pageOfResults(by direction: Int) { list.moveSelection(by: direction * max(1, height - 2), height: height) }

  /// Selects the person on whose line the mouse was pressed.
  /// - Returns: true when there is one.
  func press(_ position: Point) -> Bool { list.select(line: position.row - rect.row, height: height) }

  // MARK: Drawing

  /// - Parameters:
  ///   - rect: where the list stands; empty where the detail takes its place.
  ///   - body: the room of both.
  func prepare(in rect: Rect, body: Int) {
    self.rect = rect
    height = max(1, rect.isEmpty ? body : rect.rows)
    list.prepare(height: height)
  }

  func forgetDrawing() { drawn = nil }

  func draw(on canvas: inout Canvas) {
    if rect.isEmpty { return }
    let lines = list.lines(marked: marked, strings: environment.strings)
    ListView(theme: environment.theme, strings: environment.strings).draw(lines, on: &canvas, in: rect, before: drawn)
    drawn = lines
  }
}
