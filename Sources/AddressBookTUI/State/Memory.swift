import AddressBookModel

/// What the screen remembers from one run to the next, in the state folder.
@MainActor
final class Memory {
  private let browser: BrowserScreen
  private let positions: PositionFile?
  private let drafts: DraftFolder?
  /// The book; nil for one in memory, of which nothing is remembered.
  private let path: String?

  /// - Parameter folder: the state folder; nil when there is none, and nothing is remembered.
  init(browser: BrowserScreen, folder: String?) {
    self.browser = browser
    let path = browser.environment.book.location.path
    self.path = path
    positions = folder.map(PositionFile.init)
    drafts = folder.flatMap { folder in path.map { DraftFolder(folder: folder, book: $0) } }
    if let drafts {
      let loop = browser.environment.loop
      browser.environment.drafts = DraftKeeper(folder: drafts) { loop.schedule(after: $0, $1) }
    }
  }

  /// Goes back to where the program was.
  func recall() {
    recallPosition()
    guard !browser.environment.book.isReadOnly, let left = drafts?.left().first else { return }
    browser.offer(left.draft, from: left.file)
  }

  /// Goes back to where the list stood, unless the person has begun to move already.
  private func recallPosition() {
    guard let path, let position = positions?.position(in: path) else { return }
    guard browser.list.filter.isEmpty, (browser.list.selectedRow ?? 0) == 0 else { return }
    browser.restore(position)
  }

  /// Remembers where the list stands, and what is typed in a form that is open still.
  func keep() {
    browser.environment.drafts?.flush()
    guard let path, let positions, let position = browser.position else { return }
    do {
      try positions.remember(position, in: path)
    } catch {
      // A position is a convenience: a full disk or a read-only home must not make quitting an error.
    }
  }
}
