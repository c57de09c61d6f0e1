import AddressBookModel
import Contacts
import TerminalKit

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
