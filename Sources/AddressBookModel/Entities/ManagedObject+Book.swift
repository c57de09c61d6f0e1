import ObjectGraph

/// What contacts, their parts and groups have in common.
extension ManagedObject {
  /// Id of the row; 0 before the first save.
  public var id: Int64 { objectID.number ?? 0 }

  /// False once it is deleted, saved or not.
  public var isLive: Bool { !isDeleted }

  /// The context of the book that it belongs to.
  var book: BookContext {
    get throws(StoreError) {
      guard let book = context?.owner as? BookContext else { throw StoreError(.closed, path: "") }
      return book
    }
  }

  /// The text of an attribute; empty when it has none, or cannot be read any more.
  func text(_ name: String) -> String {
    do throws(ObjectGraphError) {
      guard case .string(let text) = try value(name) else { return "" }
      return text
    } catch {
      return ""
    }
  }

  /// Sets an attribute. What is deleted stays as it is, and so does an attribute that is given what no store keeps
  /// (``Person/apply(_:)`` says so).
  func assign(_ value: Value, to name: String) {
    do throws(ObjectGraphError) {
      try set(name, to: value)
    } catch {
      return
    }
  }

  /// The objects of a to-many, with errors in the terms of the book.
  func members(_ name: String) throws(StoreError) -> [ManagedObject] {
    try book.reading { _ throws(ObjectGraphError) in try objects(name) }
  }
}
