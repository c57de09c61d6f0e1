import Foundation
import GRDB
import ObjectGraph
import Synchronization

/// The stacks of `ObjectGraph` over the tables of a book, one for each time that writers wait, made when they are first needed.
final class BookObjects: Sendable {
  private let store: Store
  private let opened = Mutex<[Store.Waiting: ObjectStack]>([:])
  /// The book in ids of objects, which do not outlive the process.
  private let identifier = UUID()

  init(store: Store) { self.store = store }

  /// A context of the library on the book. It belongs to the thread that uses it.
  /// - Parameter waiting: how long its saves wait for other writers.
  func newContext(waiting: Store.Waiting = .usual) throws(ObjectGraphError) -> ObjectContext {
    let stack = try opened.withLock { opened throws(ObjectGraphError) in
      if let stack = opened[waiting] { return stack }
      // The schema was checked as the book was opened.
      let stack = try ObjectStack(
        model: try BookModel.model(),
        store: .mapped(
          BookHost(store, waiting), identifier: identifier, BookMapping.mapping, isChecked: false))
      opened[waiting] = stack
      return stack
    }
    return stack.newContext()
  }

  /// What a body reads of the book by the library.
  func read<Result>(_ body: (ObjectContext) throws(ObjectGraphError) -> Result) throws(StoreError) -> Result {
    do throws(ObjectGraphError) {
      return try body(newContext())
    } catch {
      throw storeError(error)
    }
  }

  /// An error of the library in terms of the book: what the store said, as it said it.
  func storeError(_ error: ObjectGraphError) -> StoreError {
    switch error {
    case .host(let error): store.storeError(error)
    case .store(let failure): store.storeError(failure)
    default: store.storeError(error)
    }
  }
}

/// A book as the library reads and writes it. The book's own checks stay in force: which file it is, its schema, IMMEDIATE,
/// waiting times; and a save raises versions itself.
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
