import ObjectGraph

/// Common properties of contacts, their parts and groups.
extension ManagedObject {
  /// Id of the row; 0 before the first save.
  public var id: Int64 { objectID.number ?? 0 }

  /// False once the object is deleted, whether the deletion was saved or not.
  public var isLive: Bool { !isDeleted }

  /// The book's context that the object belongs to.
  var book: BookContext {
    get throws(StoreError) {
      guard let book = context?.owner as? BookContext else { throw StoreError(.closed, path: "") }
      return book
    }
  }

  /// Returns the string value of an attribute; empty if it has none, or can no longer be read.
  func text(_ name: String) -> String {
    do throws(ObjectGraphError) {
      guard case .string(let text) = try value(name) else { return "" }
      return text
    } catch {
      return ""
    }
  }

  /// Sets an attribute. Deleted objects are not changed, and neither is an attribute whose new value no store can keep
  /// (``Person/apply(_:)`` reports that).
  func assign(_ value: Value, to name: String) {
    do throws(ObjectGraphError) {
      try set(name, to: value)
    } catch {
      return
    }
  }

  /// Returns the objects of a to-many relationship.
  func members(_ name: String) throws(StoreError) -> [ManagedObject] {
    try book.reading { _ throws(ObjectGraphError) in try objects(name) }
  }
}
