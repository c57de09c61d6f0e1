import AddressBookModel
import Contacts
import IDSets
import ResultsController
import TerminalKit

/// The layout of the main screen for a window size.
struct BrowserLayout: Equatable {
  /// The smallest usable window.
  static let smallest = Size(rows: 10, columns: 40)
  /// From this width on, list and detail are side by side.
  static let splitColumns = 96

  /// The line at the top.
  let title: Rect
  /// The list with its section headers; empty while the detail replaces it.
  let list: Rect
  /// The line between list and detail, one column; empty if they are not side by side.
  let divider: Rect
  /// The detail of the selected contact; empty in a narrow window that shows the list.
  let detail: Rect
  /// The index bar, one column.
  let index: Rect

  init(window: Rect, showsDetail: Bool) {
    title = window.line(0)
    let body = window.inset(top: 1, bottom: 1)
    // One blank column on each side of the bar.
    let barColumn = body.endColumn - 2
    let content = Rect(row: body.row, column: body.column, rows: body.rows, columns: max(0, body.columns - 3))
    let nothing = Rect(row: body.row, column: body.column, rows: 0, columns: 0)
    index = Rect(row: body.row, column: barColumn, rows: body.rows, columns: 1)
    if window.columns >= Self.splitColumns {
      let listColumns = content.columns * 11 / 20
      list = Rect(row: content.row, column: content.column, rows: content.rows, columns: listColumns)
      divider = Rect(row: content.row, column: content.column + listColumns + 1, rows: content.rows, columns: 1)
      let detailColumn = divider.endColumn + 2
      detail = Rect(
        row: content.row, column: detailColumn, rows: content.rows, columns: content.endColumn - detailColumn)
    } else if showsDetail {
      list = nothing
      divider = nothing
      detail = Rect(
        row: content.row, column: content.column + 2, rows: content.rows, columns: max(0, content.columns - 2))
    } else {
      list = content
      divider = nothing
      detail = nothing
    }
  }
}

/// The content that a pane of the main screen drew last. A frame starts as a copy of the last one, and a pane with the
/// same content draws nothing, because most keys change only two lines of the list.
struct LastDrawn<Content: Equatable> {
  private var content: Content?

  /// Records the new content, and returns whether it is the same as before.
  mutating func isSame(_ new: Content) -> Bool {
    if content == new { return true }
    content = new
    return false
  }

  /// Discards the content. Call this after something else was drawn over the pane.
  mutating func invalidate() { content = nil }
}

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
  func toggleMark(movingBy step: Int = 1) {
    guard let id = list.selectedID else { return }
    marks.toggle(id)
    list.moveSelection(by: step, height: height)
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

/// The detail of the selected contact, next to the list or instead of it.
@MainActor
final class DetailPane {
  /// True while the page keys scroll the pane; in a narrow window, the pane then replaces the list.
  private(set) var isOpen = false
  let debounce: SelectionDebounce
  var detail = ContactDetail()
  private let environment: AppEnvironment
  private let list: ContactList
  /// True when the pane is next to the list.
  private(set) var isBesideList = false
  /// What the pane shows, and the list's revision of it.
  private var shown: (content: ContactDetail.Content?, revision: Int) = (nil, -1)
  private var drawn = LastDrawn<ContactDetail.Look>()

  init(list: ContactList, environment: AppEnvironment) {
    self.list = list
    self.environment = environment
    debounce = SelectionDebounce(list: list, loop: environment.loop)
  }

  /// True if the contact has related ones.
  var hasRelated: Bool { shown.content.map { !$0.contact.related.isEmpty || !$0.namedBy.isEmpty } ?? false }

  func open() { isOpen = true }

  func close() { isOpen = false }

  // MARK: Drawing

  /// Reads the selected contact, at once or after a delay, and lays out the last one that was read. Discards it if the
  /// rectangle is empty or no contact is selected.
  func prepare(in rect: Rect, isBesideList: Bool) {
    self.isBesideList = isBesideList
    if rect.isEmpty || list.selectedID == nil {
      list.discardDetail()
    } else if isOpen || debounce.isIdle {
      list.prepareDetail()
    } else if list.detailContact?.id != list.selectedID {
      debounce.start()
    }
    debounce.prepare()
    if shown.revision != list.detailRevision { shown = (list.detailContact.map(content), list.detailRevision) }
    detail.prepare(shown.content, in: rect, environment)
  }

  private func content(_ contact: Contact) -> ContactDetail.Content {
    var content = ContactDetail.Content(contact: contact, isDamaged: environment.book.damage.has(contact.id))
    do {
      content.folders = try environment.book.folderNames(ofContact: contact.id)
      content.namedBy = try environment.book.contactsNaming(contact)
    } catch {
      // The contact itself was read; the list reports a book that cannot be read.
    }
    return content
  }

  func invalidateDrawing() { drawn.invalidate() }

  func draw(on canvas: inout Canvas) {
    if detail.look.rect.isEmpty || drawn.isSame(detail.look) { return }
    // No other part of this screen has images.
    canvas.removeImages()
    detail.draw(on: &canvas, theme: environment.theme, isFocused: false)
  }
}

/// Delays the detail next to the list until the selection has not changed for a moment, and updates the position in the
/// title line only once per delay: while a key is held down, most frames change only the list.
@MainActor
final class SelectionDebounce {
  /// In milliseconds: about the interval of a repeating key, and too short to notice.
  static let standardDelay = 40

  /// In milliseconds; 0 for no delay.
  var delay = SelectionDebounce.standardDelay
  /// The index of the selected row across all sections, for the title line; while the selection is changing, the index
  /// of an earlier row.
  private(set) var row: Int?
  /// The number of rows in the list when `row` was updated.
  private var count = 0
  private let list: ContactList
  private let loop: any ProgramLoop
  /// The last contact that was still selected when the delay for it ended.
  private var idleID: Int64?
  private var isScheduled = false

  init(list: ContactList, loop: any ProgramLoop) {
    self.list = list
    self.loop = loop
  }

  /// True when the selection has not changed for a moment.
  var isIdle: Bool { delay == 0 || idleID == list.selectedID }

  /// Updates the position, unless the delay is running and the list has as many rows as before.
  func prepare() {
    if !isScheduled || count != list.rowCount { update() }
  }

  /// Starts the delay, unless it is running. When it ends, the screen is redrawn, with the detail if the selection has
  /// not changed.
  func start() {
    guard !isScheduled else { return }
    isScheduled = true
    let id = list.selectedID
    // The first detail is shown without a delay.
    loop.schedule(after: list.detailContact == nil ? 0 : delay) { [weak self] in
      guard let self else { return }
      isScheduled = false
      update()
      if list.selectedID == id { idleID = id }
    }
  }

  private func update() {
    row = list.selectedRow
    count = list.rowCount
  }
}
