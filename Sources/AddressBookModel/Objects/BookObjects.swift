import Foundation
import ObjectGraph
import Synchronization

/// The stack of `ObjectGraph` over the tables of a book, made when it is first needed.
final class BookObjects: Sendable {
  private let store: Store
  private let opened = Mutex<ObjectStack?>(nil)
  /// The book in ids of objects, which do not outlive the process.
  private let identifier = UUID()

  init(store: Store) { self.store = store }

  /// A context of the library on the book. It belongs to the thread that uses it.
  func newContext() throws(ObjectGraphError) -> ObjectGraph.ObjectContext {
    let stack = try opened.withLock { opened throws(ObjectGraphError) in
      if let stack = opened { return stack }
      let stack = try ObjectStack(
        model: try BookModel.model(), store: .mapped(store, identifier: identifier, BookMapping.mapping))
      opened = stack
      return stack
    }
    return stack.newContext()
  }
}

/// The book's own checks stay in force for the library: which file it is, its schema, IMMEDIATE, waiting times.
extension Store: SQLiteHost {}
