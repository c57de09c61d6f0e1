import IDSets
import ResultsController
import TerminalKit

extension IDSet: MarkSet {}

/// The list with its section headers and marks.
@MainActor
final class ListPane {
  var marks = Marks<IDSet>()
  /// The height of the list in lines; while the detail replaces it, the height that it would have.
  private(set) var height = 1
  private let list: ContactList
  private let environment: AppEnvironment
  private var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  /// The lines that were drawn last.
  private var drawn: (lines: ListLines, layout: ListLayout)?

  init(list: ContactList, environment: AppEnvironment) {
    self.list = list
    self.environment = environment
  }

  // MARK: Marks

  /// The marked contacts, or the selected one if there are none.
  var chosen: IDSet { marks.chosen(selected: list.selectedID) }

  /// The ids in ``chosen``, in ascending order.
  var chosenIDs: [Int64] { Array(chosen) }

  /// How many marked contacts are on visible lines.
  var visibleMarkCount: Int { rect.isEmpty ? 0 : list.visibleIDs.count { marks.contains($0) } }

  /// Toggles the mark of the selected contact, and moves to the next.
  func toggleMark() {
    guard let id = list.selectedID else { return }
    marks.toggle(id)
    list.moveSelection(by: 1, height: height)
  }

  /// Marks the contacts from the last marked one to the selected one. If there is none or it is not in the list, marks
  /// only the selected one, where the next range begins.
  /// - Returns: true if there was a range.
  func markRange() -> Bool {
    guard let id = list.selectedID, let row = list.selectedRow else { return false }
    let first = marks.rangeStart.flatMap(list.snapshot.flatRow(ofID:))
    let rows = min(first ?? row, row)..<max(first ?? row, row) + 1
    marks.mark(list.snapshot.idSet(inFlatRows: rows), endingWith: id)
    return first != nil
  }

  /// The ids of all rows of the list; nil until all have been read.
  var allRows: IDSet? { list.snapshot.isComplete ? list.snapshot.idSet(inFlatRows: 0..<list.rowCount) : nil }

  func unmark(_ ids: some Sequence<Int64>) { marks.remove(IDSet(ids)) }

  // MARK: Moving

  /// Moves the selection. A page overlaps the previous one by a section header and one line.
  /// - Parameter scrolls: whether the list scrolls by a page too.
  func move(_ movement: Movement, scrolls: Bool) {
    let row = list.selectedRow ?? 0
    let page = movement.isHalf ? height : height - 2
    let target = movement.line(from: row, page: max(1, page), last: list.rowCount - 1)
    if movement.isPage, scrolls {
      list.page(by: target - row, height: height)
    } else {
      list.select(row: target, height: height)
    }
  }

  /// Selects the contact on the clicked line.
  /// - Returns: true if there is one.
  func press(_ position: Point) -> Bool {
    rect.contains(position) && list.select(line: position.row - rect.row, height: height)
  }

  // MARK: Drawing

  /// - Parameters:
  ///   - rect: the rectangle of the list; empty if the detail replaces it.
  ///   - body: the height of the area that the list and the detail share.
  func prepare(in rect: Rect, body: Int) {
    self.rect = rect
    height = max(1, rect.isEmpty ? body : rect.rows)
    list.prepare(height: height)
  }

  func invalidateDrawing() { drawn = nil }

  func draw(on canvas: inout Canvas) {
    if rect.isEmpty { return }
    let lines = list.lines(marked: marks.ids, strings: environment.strings)
    let before = drawn?.layout == list.layout ? drawn?.lines : nil
    ListView(theme: environment.theme, strings: environment.strings, layout: list.layout)
      .draw(lines, on: &canvas, in: rect, before: before)
    drawn = (lines, list.layout)
  }
}
