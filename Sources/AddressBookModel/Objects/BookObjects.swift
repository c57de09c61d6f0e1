import Foundation
import GRDB
import ObjectGraph
import Synchronization

/// The stacks of `ObjectGraph` on the tables of a book, one per waiting time of writers, created on first use.
final class BookObjects: Sendable {
  let store: Store
  private let opened = Mutex(Opened())

  private struct Opened {
    var stacks: [Store.Waiting: ObjectStack] = [:]
    /// The book's identifier in object ids, which do not outlive the process.
    var identifier: UUID?
  }

  init(store: Store) { self.store = store }

  /// Returns a new context of the library on the book. It belongs to the thread that uses it.
  /// - Parameter waiting: how long its saves wait for other writers.
  func newContext(waiting: Store.Waiting = .usual) throws(ObjectGraphError) -> ObjectContext {
    let stack = try opened.withLock { opened throws(ObjectGraphError) in
      if let stack = opened.stacks[waiting] { return stack }
      let identifier = opened.identifier ?? UUID()
      opened.identifier = identifier
      // The schema was checked when the book was opened.
      let stack = try ObjectStack(
        model: try BookModel.model(),
        store: .mapped(
          BookHost(store, waiting), identifier: identifier, BookMapping.mapping, isChecked: false))
      opened.stacks[waiting] = stack
      return stack
    }
    return stack.newContext()
  }

  func read<Result>(_ body: (ObjectContext) throws(ObjectGraphError) -> Result) throws(StoreError) -> Result {
    do throws(ObjectGraphError) {
      return try body(newContext())
    } catch {
      throw storeError(error)
    }
  }

  /// Converts an error of the library; errors of the store are kept.
  func storeError(_ error: ObjectGraphError) -> StoreError {
    switch error {
    case .host(let error): store.storeError(error)
    case .store(let failure): store.storeError(failure)
    default: store.storeError(error)
    }
  }
}

/// The book as a host for the library. The book's own rules stay in force: the checks of the file and the schema,
/// IMMEDIATE transactions, and the time that a write waits. A save increments versions itself.
private final class BookHost: SQLiteHost {
  private let store: Store
  private let waiting: Store.Waiting

  init(_ store: Store, _ waiting: Store.Waiting) {
    self.store = store
    self.waiting = waiting
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result { try store.read(body) }

  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do {
      return try store.transaction(raisesVersions: true, waiting: waiting, body)
    } catch {
      throw store.storeError(error)
    }
  }
}
