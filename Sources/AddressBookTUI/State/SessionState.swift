import AddressBookModel

/// What the screen remembers from one run to the next, in the state folder.
@MainActor
final class SessionState {
  private let browser: BrowserScreen
  private let positions: PositionFile?
  private let drafts: DraftFolder?
  /// The book; nil for one in memory, of which nothing is remembered.
  private let path: String?

  /// - Parameters:
  ///   - folder: the state folder; nil when there is none, and nothing is remembered.
  ///   - path: the book's, under which it is remembered; nil for a book in memory.
  init(browser: BrowserScreen, folder: String?, path: String?) {
    self.browser = browser
    self.path = path
    positions = folder.map(PositionFile.init)
    drafts = folder.flatMap { folder in path.map { DraftFolder(folder: folder, book: $0) } }
    browser.environment.drafts = drafts.map { DraftKeeper(store: $0, loop: browser.environment.loop) }
  }

  /// Goes back to where the program was.
  func recall() {
    recallPosition()
    guard !browser.environment.book.isReadOnly, let drafts else { return }
    if let reason = drafts.setAside() {
      browser.parts.status.fail(browser.environment.strings("status.saveFailed", reason))
    }
    browser.saving.offer(drafts.left())
  }

  /// Goes back to where the list stood, unless the person has begun to move already.
  private func recallPosition() {
    guard let path, let position = positions?.position(in: path) else { return }
    guard browser.list.filter.isEmpty, (browser.list.selectedRow ?? 0) == 0 else { return }
    browser.restore(position)
  }

  /// Remembers where the list stands, and what is typed in a form that is open still.
  /// - Returns: what could not be kept and why, in the person's language. It is no error: quitting succeeds also with a
  ///   full disk or a read-only home.
  func keep() -> [String] {
    let strings = browser.environment.strings
    var lost: [String] = []
    if let reason = browser.environment.drafts?.flush() { lost.append(strings("draft.lost", reason)) }
    guard let path, let positions, let position = browser.position else { return lost }
    do {
      try positions.remember(position, in: path)
    } catch {
      lost.append(strings("position.notKept", error.message))
    }
    return lost
  }
}
