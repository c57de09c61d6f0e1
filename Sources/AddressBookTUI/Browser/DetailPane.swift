import AddressBookModel
import Contacts
import TerminalKit

/// The detail of the selected contact, next to the list or instead of it.
@MainActor
final class DetailPane {
  /// True while the page keys scroll the pane; in a narrow window, the pane then replaces the list.
  private(set) var isOpen = false
  let debounce: SelectionDebounce
  private let environment: AppEnvironment
  private let list: ContactList
  private var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  /// True when the pane is next to the list.
  private(set) var isBesideList = false
  /// The first visible line.
  private var top = 0
  /// The lines of the contact, laid out for the width of the pane.
  private var lines = DetailView.LaidOut()
  /// The size and arrangement of the photo; nil if the pane has no room for one, or photos are not shown.
  private var picture: DetailPicture?
  /// The contact's photo, or its initial instead; nil if `picture` is nil or no contact is shown.
  private var cells: DrawnPicture?
  /// The inputs of `lines` and `cells`.
  private var layout: Layout?
  private var drawn = LastDrawn<Content>()

  /// While these values are unchanged, the detail is not laid out again after a key.
  private struct Layout: Equatable {
    var contactRevision: Int
    var rect: Rect
    var today: CalendarDay
    var pictureRevision: Int
    var ambiguousColumns: Int
  }

  private struct Content: Equatable {
    var layout: Layout?
    var top: Int
    var rect: Rect
  }

  init(list: ContactList, environment: AppEnvironment) {
    self.list = list
    self.environment = environment
    debounce = SelectionDebounce(list: list, loop: environment.loop)
  }

  // MARK: State

  func open() { isOpen = true }

  func close() { isOpen = false }

  /// Scrolls to the beginning.
  func rewind() { top = 0 }

  func scroll(by lines: Int) { top = min(max(0, top + lines), lastTop) }

  /// Scrolls if the position is on the pane.
  /// - Returns: true if it is.
  func scroll(by lines: Int, at position: Point) -> Bool {
    guard rect.contains(position) else { return false }
    scroll(by: lines)
    return true
  }

  /// Scrolls by a page, with an overlap of one line.
  func page(by direction: Int) { scroll(by: direction * max(1, height - 1)) }

  func halfPage(by direction: Int) { scroll(by: direction * max(1, height / 2)) }

  private var height: Int { max(1, rect.rows) }

  private var lastTop: Int { max(0, lines.lines.count - height) }

  // MARK: Drawing

  /// Reads the selected contact, at once or after a delay, and lays out the last one that was read. Discards it if the
  /// rectangle is empty or no contact is selected.
  func prepare(in rect: Rect, isBesideList: Bool) {
    self.rect = rect
    self.isBesideList = isBesideList
    picture = environment.showsPhotos ? DetailPicture(pane: Size(rows: rect.rows, columns: rect.columns)) : nil
    if rect.isEmpty || list.selectedID == nil {
      list.discardDetail()
    } else if isOpen || debounce.isIdle {
      list.prepareDetail()
    } else if list.detailContact?.id != list.selectedID {
      debounce.start()
    }
    debounce.prepare()
    layOut()
    top = min(top, lastTop)
  }

  private func layOut() {
    guard let contact = list.detailContact else {
      layout = nil
      lines = DetailView.LaidOut()
      cells = nil
      return
    }
    let today = environment.days.today
    let new = Layout(
      contactRevision: list.detailRevision, rect: rect, today: today, pictureRevision: environment.avatars.revision,
      ambiguousColumns: TextWidth.ambiguousColumns)
    guard layout != new else { return }
    layout = new
    lines = DetailView(theme: environment.theme).layOut(
      DetailLines(strings: environment.strings, today: today, names: environment.names).lines(
        for: contact, folders: folders(of: contact), isDamaged: environment.book.damage.has(contact.id)),
      columns: rect.columns, picture: picture)
    cells = picture.map { picture in
      environment.avatars.picture(of: contact, columns: picture.columns, rows: picture.rows)
    }
  }

  private func folders(of contact: Contact) -> [String] {
    do {
      return try environment.book.folderNames(ofContact: contact.id)
    } catch {
      // The contact itself was read; the list reports a book that cannot be read.
      return []
    }
  }

  func invalidateDrawing() { drawn.invalidate() }

  func draw(on canvas: inout Canvas) {
    if rect.isEmpty || drawn.isSame(Content(layout: layout, top: top, rect: rect)) { return }
    // No other part of this screen has images.
    canvas.removeImages()
    let content = DetailView.Content(laidOut: lines, cells: cells, top: top, rect: rect)
    let view = DetailView(theme: environment.theme)
    view.draw(content, on: &canvas)
    view.drawScrollBar(content, on: &canvas)
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
