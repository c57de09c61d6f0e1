import AddressBookModel
import Dispatch
import Foundation

/// A folder for books on disk, which is removed after the test.
final class BookFolder {
  let path = NSTemporaryDirectory() + "/addressbook-books-\(UUID().uuidString)"

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
  func book(_ name: String = "book.db") -> StoreLocation { .file(file(name)) }
}

/// A write in another thread that lasts until `end` is called: all other writers wait.
final class OtherWriter {
  private let mayEnd = DispatchSemaphore(value: 0)
  private let thread: Thread

  init(_ book: AddressBook) {
    let isWriting = DispatchSemaphore(value: 0)
    let mayEnd = mayEnd
    thread = Thread {
      _ = try? book.bulkWrite { _ in
        isWriting.signal()
        mayEnd.wait()
      }
    }
    thread.start()
    isWriting.wait()
  }

  func end() {
    mayEnd.signal()
    while !thread.isFinished { sched_yield() }
  }
}
