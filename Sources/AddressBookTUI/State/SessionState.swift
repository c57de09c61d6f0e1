import AddressBookModel

/// The state that the full-screen interface saves from one session to the next, in the state folder.
@MainActor
final class SessionState {
  private let browser: BrowserScreen
  private let positions: PositionFile?
  private let drafts: DraftFolder?
  /// The path of the book; nil for one in memory, whose state is not saved.
  private let path: String?

  /// - Parameters:
  ///   - folder: the state folder; nil if there is none, and nothing is saved.
  ///   - path: the path of the book, which identifies it; nil for a book in memory.
  init(browser: BrowserScreen, folder: String?, path: String?) {
    self.browser = browser
    self.path = path
    positions = folder.map(PositionFile.init)
    drafts = folder.flatMap { folder in path.map { DraftFolder(folder: folder, book: $0) } }
    browser.environment.drafts = drafts.map { DraftAutosave(store: $0, loop: browser.environment.loop) }
  }

  /// Restores the state of the last session.
  func restore() {
    let position = path.flatMap { positions?.position(in: $0) }
    restoreOrder(position)
    if let position { restore(position) }
    guard !browser.environment.book.isReadOnly, let drafts else { return }
    if let reason = drafts.setAside() {
      browser.parts.status.fail(browser.environment.strings("status.saveFailed", reason))
    }
    browser.saving.offer(drafts.left())
  }

  /// Sorts the list as in the last session, or as the configuration says.
  private func restoreOrder(_ position: LastPosition?) {
    let order = position?.order.flatMap(ContactSortOrder.init) ?? browser.environment.order
    if browser.list.needsSorting(by: order) { browser.list.sort(by: order) }
  }

  /// Restores the position in the list, unless the user has already moved.
  private func restore(_ position: LastPosition) {
    guard browser.list.filter.isEmpty, (browser.list.selectedRow ?? 0) == 0 else { return }
    browser.restore(position)
  }

  /// Saves the position in the list, and the input of a form that is still open.
  /// - Returns: what could not be saved and why, in the user's language. It is not an error: quitting succeeds even
  ///   with a full disk or a read-only home.
  func save() -> [String] {
    let strings = browser.environment.strings
    var lost: [String] = []
    if let reason = browser.environment.drafts?.flush() { lost.append(strings("draft.lost", reason)) }
    guard let path, let positions, let position = browser.position else { return lost }
    do {
      try positions.save(position, in: path)
    } catch {
      lost.append(strings("position.notKept", error.message))
    }
    return lost
  }
}
