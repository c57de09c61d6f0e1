import AddressBookModel
import Dispatch
import TerminalKit

/// Has the write-ahead log moved into the book's file when writing rests, for as long as the screen keeps the book open: a
/// copy of the file alone has everything then, and a file that is put in its place does not come by the log.
@MainActor
final class LogShortening {
  private let book: AddressBook
  private let loop: any ProgramLoop
  private var isScheduled = false
  /// In milliseconds after the first of several changes.
  private static let rest = 500

  init(book: AddressBook, loop: any ProgramLoop) {
    self.book = book
    self.loop = loop
  }

  /// Something was written.
  func schedule() {
    guard !isScheduled else { return }
    isScheduled = true
    loop.schedule(after: Self.rest) { [weak self] in
      guard let self else { return }
      isScheduled = false
      let book = book
      DispatchQueue.global(qos: .utility).async {
        book.shortenLog()
      }
    }
  }
}
