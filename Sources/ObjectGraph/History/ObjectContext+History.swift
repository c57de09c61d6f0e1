/// Taking over what others wrote.
extension ObjectContext {
  /// Reads again those objects of a history that this context has read and not changed; all of them where the history was lost. Objects with changes stay as they are, and their
  /// saves see conflicts. What was written by this context itself does no harm.
  /// - Throws: `store`.
  public func merge(_ history: ObjectHistory) throws(ObjectGraphError) {
    switch history {
    case .lost: try refresh()
    case .changes(let changes, next: _):
      try refresh(Array(changes.inserted) + Array(changes.updated) + changes.deleted.flatMap(\.candidates))
    }
  }
}
