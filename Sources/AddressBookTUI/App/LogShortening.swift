import AddressBookModel
import Dispatch
import TerminalKit

/// Moves the write-ahead log into the book's file shortly after a write, while the screen keeps the book open: a copy
/// of the file alone is then complete, and a file that replaces it does not get the log.
@MainActor
final class LogShortening {
  private let book: AddressBook
  private let loop: any ProgramLoop
  private var isScheduled = false
  /// Milliseconds after the first of several changes.
  private static let delay = 500

  init(book: AddressBook, loop: any ProgramLoop) {
    self.book = book
    self.loop = loop
  }

  /// Call this after a write.
  func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    loop.schedule(after: Self.delay) { [weak self] in
      guard let self else { return }
      isScheduled = false
      let book = book
      DispatchQueue.global(qos: .utility).async {
        book.shortenLog()
      }
    }
  }
}
