import AddressBookModel
import Dispatch
import TerminalKit

/// Checkpoints the write-ahead log shortly after a write, while the book stays open: a copy of the database file alone
/// is then complete, and a file that replaces it is not combined with the old log.
@MainActor
final class LogShortening {
  private let book: AddressBook
  private let loop: any ProgramLoop
  private var isScheduled = false
  /// The time from the first of several writes to the checkpoint, in milliseconds.
  private static let delay = 500

  init(book: AddressBook, loop: any ProgramLoop) {
    self.book = book
    self.loop = loop
  }

  /// Call this after each update of the list, which may follow a write.
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
