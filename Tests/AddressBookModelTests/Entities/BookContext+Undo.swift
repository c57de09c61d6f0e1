import ObjectGraph

@testable import AddressBookModel

/// The undo of the library's context. The program undoes saved steps, with the history of the book.
extension BookContext {
  func action<Value, Failure: Error>(_ name: String, _ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    try graph.undoGroup(name, body)
  }

  var canUndo: Bool { graph.canUndo }
  var canRedo: Bool { graph.canRedo }
  var undoName: String? { graph.undoName }

  @discardableResult func undo() throws(EditError) -> String? { try step(graph.undoName, graph.undo) }

  @discardableResult func redo() throws(EditError) -> String? { try step(graph.redoName, graph.redo) }

  private func step(
    _ name: String?, _ move: (MergePolicy) throws(ObjectGraphError) -> Bool
  ) throws(EditError) -> String? {
    guard let name else { return nil }
    do {
      return try move(mergePolicy.policy) ? name : nil
    } catch {
      throw editError(error)
    }
  }
}
