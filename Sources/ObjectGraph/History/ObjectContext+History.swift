/// Merging what others wrote.
extension ObjectContext {
  /// Rereads the objects of a history that this context has read and not changed; all of them if the history was lost.
  /// Objects with changes stay as they are, and their saves see conflicts. Rereading this context's own writes is
  /// harmless.
  /// - Throws: `store`.
  public func merge(_ history: ObjectHistory) throws(ObjectGraphError) {
    switch history {
    case .lost: try refresh()
    case .changes(let changes, next: _):
      try refresh(Array(changes.inserted) + Array(changes.updated) + changes.deleted.flatMap(\.candidates))
    }
  }
}
