import AddressBookModel

/// What the screen remembers from one run to the next, in the state folder.
@MainActor
final class Memory {
  private let browser: BrowserScreen
  private let positions: PositionFile?
  /// The book; nil for one in memory, of which nothing is remembered.
  private let path: String?

  /// - Parameter folder: the state folder; nil when there is none, and nothing is remembered.
  init(browser: BrowserScreen, folder: String?) {
    self.browser = browser
    path = browser.environment.book.location.path
    positions = folder.map(PositionFile.init)
  }

  /// Goes back to where the list stood, unless the person has begun to move already.
  func recall() {
    guard let path, let position = positions?.position(in: path) else { return }
    guard browser.list.filter.isEmpty, (browser.list.selectedRow ?? 0) == 0 else { return }
    browser.restore(position)
  }

  /// Remembers where the list stands.
  func keep() {
    guard let path, let positions, let position = browser.position else { return }
    do {
      try positions.remember(position, in: path)
    } catch {
      // A position is a convenience: a full disk or a read-only home must not make quitting an error.
    }
  }
}
